package io.queueworker.integration;

import static io.queueworker.integration.Rig.LONG;
import static io.queueworker.integration.Rig.SHORT_POLL;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.FailureAction;
import io.queueworker.QueueWorker;
import io.queueworker.gate.JdbcGate;
import io.queueworker.observe.WorkerEvent.Closed;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.DeleteFailed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.observe.WorkerEvent.Suppressed;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.elasticmq.ElasticMqTest;
import io.queueworker.testkit.elasticmq.TestQueue;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.model.Message;

/** What becomes of messages on a real queue: deletes that fail, other consumers, bodies that cannot be decoded. */
@ElasticMqTest
@Tag("postgres")
class SettleScenariosTest {

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void S17_a_message_that_another_consumer_took_meanwhile_is_only_deleted_when_it_comes_again(
      @TestQueue(visibilitySeconds = 1, maxReceiveCount = 9) TestQueueHandle queue) throws InterruptedException {
    Trail trail = Trail.create();
    CountDownLatch taken = new CountDownLatch(1);
    Message stolen;
    try (QueueWorker worker =
        QueueWorker.of(queue.connect())
            .handler(delivery -> Rig.await("the competing receive", taken))
            .heartbeat(false)
            .maxConcurrency(1)
            .pollWait(SHORT_POLL)
            .inlineListener(trail)
            .start()) {
      queue.send("a");
      trail.awaitCount(HandlerStarted.class, 1, LONG);
      stolen = Rig.receiveElsewhere(queue, Duration.ofSeconds(1));
      taken.countDown();
      queue.awaitEmpty(LONG);
    }
    assertThat(Rig.receiveCount(stolen)).isEqualTo(2);
    assertThat(trail.of(HandlerStarted.class)).hasSize(1);
    assertThat(trail.of(DeleteFailed.class))
        .singleElement()
        .satisfies(failed -> assertThat(failed.retryIn()).as("a retry of the delete").isEmpty());
    assertThat(trail.of(Suppressed.class)).extracting(Suppressed::receiveCount).containsExactly(3);
    assertThat(trail.kinds(stolen.messageId())).endsWith("Received", "Suppressed", "Deleted");
    assertThat(queue.deadLetters().counts().total()).isZero();
    Invariants.check(trail, 1);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void S29_a_delete_that_another_consumer_made_void_harms_nothing_else(
      @TestQueue(visibilitySeconds = 1, maxReceiveCount = 9) TestQueueHandle queue) throws Exception {
    Trail trail = Trail.create();
    CountDownLatch taken = new CountDownLatch(1);
    try (QueueWorker worker =
        QueueWorker.of(queue.connect())
            .handler(
                delivery -> {
                  if (delivery.body().equals("slow")) {
                    Rig.await("the other consumer", taken);
                  }
                })
            .heartbeat(false)
            .maxConcurrency(1)
            .pollWait(SHORT_POLL)
            .inlineListener(trail)
            .start()) {
      queue.send("slow");
      trail.awaitCount(HandlerStarted.class, 1, LONG);
      Message stolen = Rig.receiveElsewhere(queue, Duration.ofSeconds(30));
      queue.client().deleteMessage(delete -> delete.queueUrl(queue.url()).receiptHandle(stolen.receiptHandle()));
      taken.countDown();
      trail.awaitCount(DeleteFailed.class, 1, LONG);
      queue.send("b", "c", "d");
      trail.awaitCount(Deleted.class, 3, LONG);
      Rig.until("all permits are back", () -> worker.health().inFlight() == 0);
      assertThat(worker.health().stuck()).isEmpty();
    }
    assertThat(queue.counts().total()).isZero();
    assertThat(trail.of(HandlerStarted.class)).hasSize(4);
    assertThat(trail.of(InternalError.class)).isEmpty();
    Invariants.check(trail, 1);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void S49_a_worker_without_memory_deletes_what_the_database_knows_as_done(
      @TestQueue(visibilitySeconds = 2, maxReceiveCount = 9) TestQueueHandle queue) throws Exception {
    Postgres database = Postgres.schema();
    Trail first = Trail.create();
    Trail second = Trail.create();
    try (HikariDataSource pool = Rig.pool(database.direct(), 2)) {
      QueueWorker one = gated(WatchedQueue.failingDeletes(queue.connect(), Integer.MAX_VALUE), pool, first);
      queue.send("a", "b", "c");
      first.awaitCount(Committed.class, 3, LONG);
      first.awaitCount(DeleteFailed.class, 3, LONG);
      one.close(Duration.ofSeconds(2));
      assertThat(first.of(Closed.class)).singleElement().satisfies(c -> assertThat(c.leftOver()).isNotEmpty());
      try (QueueWorker two = gated(WatchedQueue.of(queue.connect()), pool, second)) {
        queue.awaitEmpty(LONG);
      }
    }
    assertThat(second.of(HandlerStarted.class)).isEmpty();
    assertThat(second.of(Suppressed.class)).hasSize(3).allSatisfy(s -> assertThat(s.by()).isPresent());
    assertThat(second.of(Deleted.class)).hasSize(3);
    assertThat(database.effects()).isEqualTo(3);
    assertThat(database.completed()).isEqualTo(3);
    assertThat(database.ask("SELECT sum(suppressed) FROM queueworker_gate")).isEqualTo("3");
    assertThat(queue.deadLetters().counts().total()).isZero();
    Invariants.check(second, 64);
  }

  private static QueueWorker gated(WatchedQueue port, HikariDataSource pool, Trail trail) {
    return QueueWorker.of(port)
        .once(
            JdbcGate.on(pool),
            delivery -> delivery.body(),
            (delivery, transaction) -> Postgres.effect(transaction.connection(), delivery.body()))
        .pollWait(SHORT_POLL)
        .inlineListener(trail)
        .start();
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void S23_bodies_that_cannot_be_decoded_reach_the_dead_letter_queue_and_give_their_permits_back(
      @TestQueue(maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    int permits = 5;
    Trail trail = Trail.create();
    CountDownLatch together = new CountDownLatch(permits);
    try (QueueWorker worker =
        QueueWorker.of(queue.connect())
            .decode(
                body -> {
                  if (!body.startsWith("{")) {
                    throw new IllegalArgumentException("no JSON");
                  }
                  return body;
                })
            .handler(
                delivery -> {
                  if (delivery.body().equals("{together}")) {
                    together.countDown();
                    Rig.await("all permits at work", together);
                  }
                })
            .failurePolicy(failure -> FailureAction.retryAfter(Duration.ZERO))
            .maxConcurrency(permits)
            .pollWait(SHORT_POLL)
            .inlineListener(trail)
            .start()) {
      queue.send(IntStream.range(0, 20).mapToObj(i -> "bad " + i).toArray(String[]::new));
      queue.send("{}");
      queue.awaitEmpty(LONG);
      queue.deadLetters().await("has the 20 bad ones", counts -> counts.visible() == 20, LONG);
      Rig.until("all permits are back", () -> worker.health().inFlight() == 0);
      queue.send("{together}", "{together}", "{together}", "{together}", "{together}");
      Rig.await("all permits at work", together);
      queue.awaitEmpty(LONG);
    }
    assertThat(trail.of(Failed.class)).hasSize(60);
    assertThat(trail.of(HandlerStarted.class)).hasSize(1 + permits);
    assertThat(trail.of(Deleted.class)).hasSize(1 + permits);
    Invariants.check(trail, permits);
  }

  /** What a handler saw of a message. */
  private record Seen(String body, int receiveCount, Optional<String> group) {}

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void S55_the_handler_sees_receive_count_and_group(
      @TestQueue(fifo = true, maxReceiveCount = 9) TestQueueHandle fifo,
      @TestQueue(maxReceiveCount = 9) TestQueueHandle standard) {
    List<Seen> seen = new CopyOnWriteArrayList<>();
    for (TestQueueHandle queue : List.of(fifo, standard)) {
      try (QueueWorker worker =
          QueueWorker.of(queue.connect())
              .handler(
                  delivery -> {
                    seen.add(new Seen(delivery.body(), delivery.receiveCount(), delivery.group()));
                    assertThat(delivery.sentAt()).isPresent();
                    if (seen.stream().filter(one -> one.body().equals(delivery.body())).count() == 1) {
                      throw new IllegalStateException("the first time it fails");
                    }
                  })
              .failurePolicy(failure -> FailureAction.retryAfter(Duration.ZERO))
              .pollWait(SHORT_POLL)
              .start()) {
        if (queue == fifo) {
          queue.sendFifo("g-1", "in a group");
        } else {
          queue.send("alone");
          queue
              .client()
              .sendMessage(m -> m.queueUrl(queue.url()).messageBody("of a tenant").messageGroupId("tenant-1"));
        }
        queue.awaitEmpty(LONG);
      }
    }
    assertThat(seen)
        .containsExactlyInAnyOrder(
            new Seen("in a group", 1, Optional.of("g-1")),
            // Tried again in place, so received once.
            new Seen("in a group", 1, Optional.of("g-1")),
            new Seen("alone", 1, Optional.empty()),
            new Seen("alone", 2, Optional.empty()),
            new Seen("of a tenant", 1, Optional.of("tenant-1")),
            new Seen("of a tenant", 2, Optional.of("tenant-1")));
  }
}
