package io.queueworker.integration;

import static io.queueworker.integration.Rig.LONG;
import static io.queueworker.integration.Rig.SHORT_POLL;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.MessageHandler;
import io.queueworker.QueueWorker;
import io.queueworker.integration.ManyLongHandlers.Cost;
import io.queueworker.observe.WorkerEvent.Closed;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Draining;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.ElasticMqTest;
import io.queueworker.testkit.elasticmq.TestQueue;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Leases over real HTTP and in real time. The tests mostly wait, so they do it side by side. */
@ElasticMqTest
class LeaseScenariosTest {

  private static final int VISIBILITY = 4;
  private static final Duration THREE_VISIBILITIES = Duration.ofSeconds(3 * VISIBILITY);
  private static final int PERMITS = 16;

  private static QueueWorker worker(MessageQueue queue, String id, boolean beats, Trail trail,
      MessageHandler<String> h) {
    return QueueWorker.of(queue)
        .handler(h)
        .workerId(id)
        .heartbeat(beats)
        .maxConcurrency(PERMITS)
        .pollWait(SHORT_POLL)
        .inlineListener(trail)
        .start();
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void S1_handlers_of_three_visibility_timeouts_start_once(
      @TestQueue(visibilitySeconds = VISIBILITY, maxReceiveCount = 3) TestQueueHandle queue) {
    Trail trail = Trail.create();
    String[] bodies = IntStream.range(0, 20).mapToObj(Integer::toString).toArray(String[]::new);
    MessageHandler<String> long3 = delivery -> Rig.work(THREE_VISIBILITIES);
    try (QueueWorker one = worker(queue.connect(), "one", true, trail, long3);
        QueueWorker two = worker(queue.connect(), "two", true, trail, long3)) {
      queue.send(bodies);
      queue.awaitEmpty(LONG);
    }
    assertThat(trail.of(HandlerStarted.class)).hasSize(20);
    assertThat(trail.of(HandlerStarted.class)).extracting(HandlerStarted::messageId).doesNotHaveDuplicates();
    assertThat(trail.of(Received.class)).extracting(Received::receiveCount).containsOnly(1);
    assertThat(trail.of(LeaseLost.class)).isEmpty();
    assertThat(trail.of(Extended.class)).hasSizeGreaterThanOrEqualTo(20 * 3);
    assertThat(queue.deadLetters().counts().total()).isZero();
    Invariants.check(trail, PERMITS);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void control_S1_without_beats_the_other_worker_starts_it_again(
      @TestQueue(visibilitySeconds = VISIBILITY, maxReceiveCount = 9) TestQueueHandle queue) {
    Trail trail = Trail.create();
    MessageHandler<String> long3 = delivery -> Rig.work(THREE_VISIBILITIES);
    try (QueueWorker one = worker(queue.connect(), "one", false, trail, long3);
        QueueWorker two = worker(queue.connect(), "two", false, trail, long3)) {
      two.pause();
      queue.send("a");
      trail.awaitCount(HandlerStarted.class, 1, LONG);
      // Else the first worker may be the one that receives it again, and hold it back since its own run goes on.
      one.pause();
      two.resume();
      trail.await("both start it", t -> t.count(HandlerStarted.class) == 2, LONG);
    }
    assertThat(trail.of(LeaseLost.class)).isNotEmpty();
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void S15_the_heartbeat_outlives_the_handler_during_drain(
      @TestQueue(visibilitySeconds = VISIBILITY, maxReceiveCount = 3) TestQueueHandle queue) {
    Trail trail = Trail.create();
    Trail other = Trail.create();
    QueueWorker one =
        worker(queue.connect(), "one", true, trail, delivery -> Rig.work(THREE_VISIBILITIES));
    queue.send("a", "b", "c");
    trail.awaitCount(HandlerStarted.class, 3, LONG);
    try (QueueWorker two = worker(queue.connect(), "two", true, other, delivery -> {})) {
      one.close(Duration.ofSeconds(60));
      assertThat(queue.counts().total()).isZero();
    }
    assertThat(other.of(Received.class)).as("what the second consumer got").isEmpty();
    assertThat(trail.of(Closed.class)).singleElement().satisfies(closed -> assertThat(closed.leftOver()).isEmpty());
    assertThat(trail.of(Committed.class)).hasSize(3);
    assertThat(extendedAfterDraining(trail)).isPositive();
    assertThat(queue.deadLetters().counts().total()).isZero();
    Invariants.check(trail, PERMITS);
  }

  private static long extendedAfterDraining(Trail trail) {
    return trail.events().stream()
        .dropWhile(event -> !(event instanceof Draining))
        .filter(Extended.class::isInstance)
        .count();
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void S21_receives_and_beats_carry_the_queues_own_visibility_timeout(
      @TestQueue(visibilitySeconds = 6, maxReceiveCount = 3) TestQueueHandle queue) {
    WatchedQueue watched = WatchedQueue.of(queue.connect());
    Trail trail = Trail.create();
    try (QueueWorker worker =
        worker(watched, "one", true, trail, delivery -> Rig.work(Duration.ofSeconds(7)))) {
      queue.send("a", "b");
      queue.awaitEmpty(LONG);
    }
    assertThat(watched.receives).extracting(ReceiveRequest::visibility).containsOnly(Duration.ofSeconds(6));
    assertThat(watched.extensions).isNotEmpty().containsOnly(Duration.ofSeconds(6));
    assertThat(trail.of(Received.class)).hasSize(2);
    Invariants.check(trail, PERMITS);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void S21_a_visibility_that_is_set_wins_over_the_queues(
      @TestQueue(visibilitySeconds = 150, maxReceiveCount = 3) TestQueueHandle queue) throws InterruptedException {
    WatchedQueue watched = WatchedQueue.of(queue.connect());
    CountDownLatch beats = new CountDownLatch(2);
    try (QueueWorker worker =
        QueueWorker.of(watched)
            .handler(delivery -> Rig.await("two beats", beats))
            .visibility(Duration.ofSeconds(3))
            .pollWait(SHORT_POLL)
            .inlineListener(
                (context, event) -> {
                  if (event instanceof Extended) {
                    beats.countDown();
                  }
                })
            .start()) {
      queue.send("a");
      queue.awaitEmpty(LONG);
    }
    List<Duration> sent = watched.receives.stream().map(ReceiveRequest::visibility).distinct().toList();
    assertThat(sent).containsExactly(Duration.ofSeconds(3));
    assertThat(watched.extensions).hasSizeGreaterThanOrEqualTo(2).containsOnly(Duration.ofSeconds(3));
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void two_hundred_handlers_of_three_visibility_timeouts_start_once_and_extend_in_full_batches(
      ElasticMq server, @TestQueue(visibilitySeconds = 10, maxReceiveCount = 3) TestQueueHandle queue) {
    List<Cost> costs =
        new ManyLongHandlers(server, queue, 200, Duration.ofSeconds(10), UnaryOperator.identity()).run();
    System.out.println("extensions for 200 messages over two workers: " + costs);
    assertThat(costs)
        .hasSize(2)
        .allSatisfy(cost -> assertThat(cost.calls()).isPositive().isLessThanOrEqualTo(cost.bound()));
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void control_one_extension_per_call_is_more_than_the_bound(
      ElasticMq server, @TestQueue(visibilitySeconds = VISIBILITY, maxReceiveCount = 3) TestQueueHandle queue) {
    List<Cost> costs =
        new ManyLongHandlers(
            server, queue, 40, Duration.ofSeconds(VISIBILITY), WatchedQueue::withoutBatchExtend).run();
    assertThat(costs)
        .hasSize(2)
        .allSatisfy(cost -> assertThat(cost.calls()).isGreaterThan(cost.bound()));
  }
}
