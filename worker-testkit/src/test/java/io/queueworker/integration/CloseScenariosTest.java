package io.queueworker.integration;

import static io.queueworker.integration.Rig.LONG;
import static io.queueworker.integration.Rig.SHORT_POLL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.QueueWorker;
import io.queueworker.WorkerState;
import io.queueworker.observe.WorkerEvent.Closed;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.Draining;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.queue.QueueException;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.QueueCounts;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.ElasticMqTest;
import io.queueworker.testkit.elasticmq.TestQueue;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** Starting and closing workers on a real queue. */
@ElasticMqTest
class CloseScenariosTest {

  private static final int MESSAGES = 1000;
  private static final int CLOSES = 20;
  private static final int PERMITS = 64;

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void S36_after_each_of_twenty_closes_nothing_is_in_flight(
      @TestQueue(maxReceiveCount = 100) TestQueueHandle queue) {
    sendThousand(queue);
    Random random = new Random(36);
    Set<String> handled = ConcurrentHashMap.newKeySet();
    AtomicInteger starts = new AtomicInteger();
    int released = 0;
    for (int i = 0; i < CLOSES; i++) {
      Trail trail = Trail.create();
      QueueWorker worker =
          QueueWorker.of(queue.connect())
              .handler(
                  delivery -> {
                    starts.incrementAndGet();
                    Rig.work(Duration.ofMillis(Integer.parseInt(delivery.body()) % 20));
                    handled.add(delivery.body());
                  })
              .maxConcurrency(PERMITS)
              .pollWait(Duration.ZERO)
              .inlineListener(trail)
              .start();
      trail.awaitCount(Received.class, 1 + random.nextInt(30), LONG);
      worker.close();
      QueueCounts counts = queue.counts();
      assertThat(counts.inFlight()).as("in flight after close %d", i).isZero();
      assertThat(counts.total()).as("left after close %d", i).isEqualTo(MESSAGES - handled.size());
      assertThat(trail.of(Closed.class)).singleElement().satisfies(c -> assertThat(c.leftOver()).isEmpty());
      released += trail.count(Released.class);
      Invariants.check(trail, PERMITS);
    }
    System.out.println("S36: " + handled.size() + " of 1000 handled, " + released + " released by twenty closes");
    assertThat(starts.get()).as("handlers started").isEqualTo(handled.size());
    assertThat(handled).hasSizeGreaterThan(CLOSES);
    assertThat(released).as("control: some closes met a running poll").isPositive();
    assertThat(queue.deadLetters().counts().total()).isZero();
  }

  private static void sendThousand(TestQueueHandle queue) {
    for (int batch = 0; batch < MESSAGES / 10; batch++) {
      int first = batch * 10;
      List<SendMessageBatchRequestEntry> entries =
          IntStream.range(first, first + 10)
              .mapToObj(
                  i -> SendMessageBatchRequestEntry.builder().id("" + i % 10).messageBody(Integer.toString(i)).build())
              .toList();
      queue.client().sendMessageBatch(request -> request.queueUrl(queue.url()).entries(entries));
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void S37_deletes_that_wait_for_their_batch_are_sent_before_close_returns(
      @TestQueue(maxReceiveCount = 3) TestQueueHandle queue) {
    Trail trail = Trail.create();
    QueueWorker worker =
        QueueWorker.of(queue.connect())
            .handler(delivery -> {})
            .pollWait(SHORT_POLL)
            .deleteLinger(Duration.ofSeconds(10))
            .inlineListener(trail)
            .start();
    queue.send("1", "2", "3", "4", "5", "6", "7");
    trail.awaitCount(Committed.class, 7, LONG);
    assertThat(trail.of(Deleted.class)).as("control: the deletes still wait").isEmpty();
    assertThat(queue.counts()).as("control: the deletes still wait").isEqualTo(new QueueCounts(0, 7, 0));
    worker.close();
    assertThat(queue.counts().total()).isZero();
    assertThat(trail.of(Deleted.class)).hasSize(7);
    assertThat(trail.of(Closed.class)).singleElement().satisfies(c -> assertThat(c.leftOver()).isEmpty());
    Invariants.check(trail, 64);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void S40_a_message_that_the_last_poll_brings_during_close_goes_back_unhandled(
      @TestQueue(maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    Trail trail = Trail.create();
    WatchedQueue watched = WatchedQueue.of(queue.connect());
    QueueWorker worker =
        QueueWorker.of(watched)
            .handler(delivery -> {})
            .pollWait(Duration.ofSeconds(20))
            .inlineListener(trail)
            .start();
    Rig.await("the long poll", watched.receiving);
    FutureTask<Boolean> close = new FutureTask<>(worker::close, true);
    Thread.ofVirtual().start(close);
    trail.awaitCount(Draining.class, 1, LONG);
    queue.send("late");
    assertThat(close.get(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(queue.counts()).isEqualTo(new QueueCounts(1, 0, 0));
    assertThat(watched.receives).hasSize(1);
    assertThat(trail.of(HandlerStarted.class)).isEmpty();
    assertThat(trail.of(Released.class)).hasSize(1);
    Message again = Rig.receiveElsewhere(queue, Duration.ofSeconds(30));
    assertThat(Rig.receiveCount(again)).isEqualTo(2);
    Invariants.check(trail, 64);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void S33_a_start_on_a_missing_queue_names_it_and_leaves_nothing_running(
      ElasticMq server, @TestQueue(maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    String missing = queue.url().replace(queue.name(), "no-such-queue");
    Trail trail = Trail.create();
    try (QueueWorker fine =
        QueueWorker.of(queue.connect())
            .handler(delivery -> {})
            .pollWait(SHORT_POLL)
            .inlineListener(trail)
            .start()) {
      QueueWorker lost = QueueWorker.of(server.connect(missing)).handler(delivery -> {}).build();
      assertThatThrownBy(lost::start).isInstanceOf(QueueException.class).hasMessageContaining("no-such-queue");
      assertThat(lost.state()).isEqualTo(WorkerState.CLOSED);
      assertThat(lost.health().inFlight()).isZero();
      for (Thread ending : threadsOf("no-such-queue")) {
        assertThat(ending.join(LONG)).as("%s ends", ending.getName()).isTrue();
      }
      assertThat(threadsOf(queue.name())).as("control: a worker that runs has threads").isNotEmpty();
      assertThatThrownBy(lost::start).isInstanceOf(IllegalStateException.class);
      lost.close();
      queue.send("a");
      trail.awaitCount(Deleted.class, 1, LONG);
    }
  }

  private static Set<Thread> threadsOf(String queue) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("worker-" + queue + "-"))
        .collect(Collectors.toSet());
  }
}
