package io.queueworker.benchmarks;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerListener;
import io.queueworker.queue.sqs.SqsQueue;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * This worker, without a gate, at its defaults but for the concurrency, which all contenders share. Options in its name:
 *
 * <ul>
 *   <li>{@code meters} registers its meters
 *   <li>{@code inline} adds an inline listener that counts events
 *   <li>{@code listener} adds such a listener with a thread of its own
 *   <li>{@code linger=100} sets {@code receiveLinger}, in milliseconds
 *   <li>{@code concurrency=128} sets {@code maxConcurrency}
 *   <li>{@code pollers=1} sets {@code maxPollers}
 * </ul>
 *
 * <p>For one thread.
 */
final class WorkerContender implements Contender {

  private final WorkerBuilder<String> builder;
  private @Nullable QueueWorker worker;

  /** Counts events, so that a listener does something. Thread-safe. */
  private static final class Counting implements WorkerListener {
    private final LongAdder events = new LongAdder();

    @Override
    public void onEvent(EventContext context, WorkerEvent event) {
      events.increment();
    }
  }

  /** A worker with the options in {@code name}. */
  WorkerContender(Job job, String name) {
    builder =
        QueueWorker.of(SqsQueue.at(job.queueUrl(), job.clients().receive(), job.clients().control()))
            .handler(delivery -> job.work().handle(delivery.body()))
            .maxConcurrency(job.plan().concurrency());
    String[] options = name.split("\\+", -1);
    for (int i = 1; i < options.length; i++) {
      option(options[i]);
    }
  }

  private void option(String option) {
    String value = option.substring(option.indexOf('=') + 1);
    switch (option.replaceAll("=.*", "")) {
      case "meters" -> builder.meters(new SimpleMeterRegistry());
      case "inline" -> builder.inlineListener(new Counting());
      case "listener" -> builder.listener(new Counting());
      case "linger" -> builder.receiveLinger(Duration.ofMillis(Long.parseLong(value)));
      case "concurrency" -> builder.maxConcurrency(Integer.parseInt(value));
      case "pollers" -> builder.maxPollers(Integer.parseInt(value));
      default ->
          throw new IllegalArgumentException(
              "option is \"" + option + "\": give meters, inline, listener, linger=100, concurrency=128 or pollers=1");
    }
  }

  @Override
  public void start() {
    worker = builder.start();
  }

  @Override
  public void close() {
    if (worker != null) {
      worker.close();
    }
  }
}
