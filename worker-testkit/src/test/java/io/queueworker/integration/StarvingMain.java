package io.queueworker.integration;

import io.queueworker.MessageHandler;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.NotStarted;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.queue.sqs.SqsQueue;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A worker in a process of its own, whose handlers keep the carriers of virtual threads from everybody else.
 *
 * <p>Arguments: the queue's URL, {@code compute} or {@code monitor}, the number of messages, and the milliseconds that each
 * takes. Ends when all are deleted, with one line {@code name=value …} on standard output.
 */
final class StarvingMain {

  private static final Duration TICK = Duration.ofMillis(100);

  /** Written by handlers that compute, so that nothing optimizes their work away. */
  private static final AtomicLong RESULT = new AtomicLong();

  private StarvingMain() {}

  public static void main(String[] arguments) throws Exception {
    int messages = Integer.parseInt(arguments[2]);
    Duration each = Duration.ofMillis(Long.parseLong(arguments[3]));
    MessageHandler<String> handler =
        arguments[1].equals("compute") ? delivery -> compute(each) : delivery -> holdMonitor(each);
    AtomicLong longestGap = new AtomicLong();
    Thread.ofVirtual().name("beside the handlers").start(() -> tick(longestGap));
    Trail trail = Trail.create();
    try (QueueWorker worker =
        QueueWorker.of(SqsQueue.connect(arguments[0]))
            .handler(handler)
            .maxConcurrency(messages)
            .pollWait(Rig.SHORT_POLL)
            .inlineListener(trail)
            .start()) {
      trail.awaitCount(Deleted.class, messages, Duration.ofMinutes(4));
    }
    Invariants.check(trail, messages);
    long again = trail.of(Received.class).stream().filter(received -> received.receiveCount() > 1).count();
    System.out.println(
        "started=" + trail.count(HandlerStarted.class)
            + " lost="
            + (trail.count(LeaseLost.class) + trail.count(NotStarted.class))
            + " receivedAgain="
            + again
            + " extended="
            + trail.count(Extended.class)
            + " longestGapMillis="
            + Duration.ofNanos(longestGap.get()).toMillis());
  }

  private static void compute(Duration duration) {
    long start = System.nanoTime();
    long value = 1;
    while (System.nanoTime() - start < duration.toNanos()) {
      for (int i = 0; i < 10_000; i++) {
        value = value * 6364136223846793005L + 1442695040888963407L;
      }
    }
    RESULT.addAndGet(value);
  }

  /** Each handler has a monitor of its own: before Java 24 its thread keeps its carrier while it waits inside. */
  private static void holdMonitor(Duration duration) throws InterruptedException {
    Object monitor = new Object();
    synchronized (monitor) {
      Rig.work(duration);
    }
  }

  /** What a heartbeat on a virtual thread would be: notes the longest time between two ticks. */
  private static void tick(AtomicLong longestGap) {
    try {
      long before = System.nanoTime();
      while (true) {
        Rig.work(TICK);
        long now = System.nanoTime();
        longestGap.accumulateAndGet(now - before, Math::max);
        before = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
