package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.QueueWorker;
import io.queueworker.SizingAdvice;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** All messages of {@link SizingMain} through one worker with one visibility timeout. For one thread. */
final class SizingRun {

  static final int MESSAGES = 400;

  private static final int ONE_SLOW_IN = 20;
  private static final int MOST_RECEIVES = 20;
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final ElasticMq server;
  private final String name;
  private final Duration visibility;
  private final boolean heartbeat;
  private final AtomicInteger receives = new AtomicInteger();
  private final AtomicInteger extensions = new AtomicInteger();
  private final AtomicInteger leasesLost = new AtomicInteger();
  private @Nullable SizingAdvice sizing;

  SizingRun(ElasticMq server, String name, Duration visibility, boolean heartbeat) {
    this.server = server;
    this.name = name;
    this.visibility = visibility;
    this.heartbeat = heartbeat;
  }

  /** Sends, handles and deletes all messages. */
  void run() {
    try (TestQueueHandle queue = server.createQueue(name, visibility, MOST_RECEIVES)) {
      queue.send(IntStream.range(0, MESSAGES).mapToObj(Integer::toString).toArray(String[]::new));
      QueueWorker worker =
          QueueWorker.of(queue.connect())
              .handler(delivery -> Thread.sleep(workMillis(Integer.parseInt(delivery.body()))))
              .heartbeat(heartbeat)
              .inlineListener((context, event) -> count(event))
              .pollWait(Duration.ofSeconds(1)) // closing waits for the long poll under way
              .start();
      try (worker) {
        queue.awaitEmpty(LONGEST);
      }
      sizing = worker.sizing();
    }
  }

  /** One in twenty takes 5.5 to 6.5 s, the others 150 to 250 ms; the same for each worker. */
  private static long workMillis(int message) {
    SplittableRandom random = new SplittableRandom(message);
    return message % ONE_SLOW_IN == 0 ? random.nextLong(5_500, 6_500) : random.nextLong(150, 250);
  }

  private void count(WorkerEvent event) {
    switch (event) {
      case WorkerEvent.Received e -> receives.incrementAndGet();
      case WorkerEvent.ExtendSent e -> extensions.incrementAndGet();
      case WorkerEvent.LeaseLost e -> leasesLost.incrementAndGet();
      default -> {
        // Not counted here.
      }
    }
  }

  /** What the worker says about its timeouts. */
  SizingAdvice sizing() {
    if (sizing == null) {
      throw new IllegalStateException("run " + name + " has not ended; call run() first");
    }
    return sizing;
  }

  /** The run in a few lines. */
  String text() {
    return "== %s: %d messages, %d redeliveries, %d leases lost, %d extensions%n%s%n"
        .formatted(name, MESSAGES, redeliveries(), leasesLost.get(), extensions.get(), sizing().text());
  }

  /** The run for a machine. */
  ObjectNode json() {
    return new ObjectMapper()
        .createObjectNode()
        .put("visibilitySeconds", visibility.toSeconds())
        .put("heartbeat", heartbeat)
        .put("redeliveries", redeliveries())
        .put("leasesLost", leasesLost.get())
        .put("extensions", extensions.get())
        .put("verdict", sizing().verdict().name());
  }

  private int redeliveries() {
    return receives.get() - MESSAGES;
  }
}
