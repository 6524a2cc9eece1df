package io.queueworker.examples;

import io.queueworker.QueueWorker;
import io.queueworker.gate.JdbcGate;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.queue.MessageQueue;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import io.queueworker.testkit.timeline.Timeline;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * The workers of {@link FortyFiveSecondTaskMain}. They live in one JVM and share a clock, but nothing else: each has its own
 * id, threads and {@code SqsQueue}, and to the service they are two consumers. Thread-safe.
 *
 * @param queue where events are
 * @param dataSource where effects and keys go
 * @param options the durations
 * @param timeline hears everything
 */
record Exercise(TestQueueHandle queue, DataSource dataSource, TaskOptions options, Timeline timeline) {

  private static final String FIRST = "worker-1";
  private static final String SECOND = "worker-2";

  /** One worker does one event, and its heartbeat works. */
  Trail withHeartbeat(Order event) throws Exception {
    Trail trail = Trail.create();
    try (QueueWorker first = start(FIRST, queue.connect(), trail)) {
      queue.send(event.toJson());
      trail.awaitCount(Deleted.class, 1, options.timeLimit());
    }
    return trail;
  }

  /** One worker receives an event and can soon extend no more; a second one waits for whatever becomes visible. */
  Trail withFailingExtensions(Order event) throws Exception {
    Trail trail = Trail.create();
    MessageQueue failing = new FailingExtensions(queue.connect(), options.failingFrom());
    try (QueueWorker first = start(FIRST, failing, trail)) {
      queue.send(event.toJson());
      trail.awaitCount(Received.class, 1, options.timeLimit());
      try (QueueWorker second = start(SECOND, queue.connect(), trail)) {
        trail.await(
            "the second worker deletes it",
            heard -> heard.entries().stream().anyMatch(one -> isDeleteBy(SECOND, one)),
            options.timeLimit());
      }
    }
    return trail;
  }

  private static boolean isDeleteBy(String worker, Trail.Entry entry) {
    return entry.context().worker().equals(worker) && entry.event() instanceof Deleted;
  }

  private QueueWorker start(String id, MessageQueue connection, Trail trail) {
    return QueueWorker.of(connection)
        .decode(Order::fromJson)
        .once(JdbcGate.on(dataSource), delivery -> delivery.body().id(),
            new SlowTask(new OrderTable(dataSource), options))
        .workerId(id)
        .maxConcurrency(1) // so that the first worker has no room for its own event when it comes again
        .pollWait(Duration.ofSeconds(1)) // closing waits for the long poll under way
        .inlineListener(trail)
        .inlineListener(timeline)
        .start();
  }
}
