package io.queueworker.integration;

import static io.queueworker.integration.Rig.LONG;
import static io.queueworker.integration.Rig.SHORT_POLL;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.PauseReason;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.gate.JdbcGate;
import io.queueworker.integration.CuttingProxy.Cut;
import io.queueworker.observe.WorkerEvent.CommitUnknown;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Paused;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.observe.WorkerEvent.Suppressed;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.QueueCounts;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.elasticmq.ElasticMqTest;
import io.queueworker.testkit.elasticmq.TestQueue;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Whole workers on ElasticMQ and PostgreSQL while the database connection breaks, the database is gone, or its pool is. */
@ElasticMqTest
@Tag("postgres")
class DatabaseFaultsTest {

  private static final int PERMITS = 16;

  /** As the driver sends it; nothing else that a worker sends holds it. */
  private static final String COMMIT = "COMMIT\0";

  private static String[] bodies(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "order-" + i).toArray(String[]::new);
  }

  private static WorkerBuilder<String> worker(TestQueueHandle queue, DataSource pool, Trail trail) {
    return QueueWorker.of(queue.connect())
        .once(
            JdbcGate.on(pool),
            delivery -> delivery.body(),
            (delivery, transaction) -> Postgres.effect(transaction.connection(), delivery.body()))
        .maxConcurrency(PERMITS)
        .pollWait(SHORT_POLL)
        .inlineListener(trail);
  }

  /** Each message has one effect, no message was pushed towards the dead-letter queue, nothing is left. */
  private static void assertAllOnce(TestQueueHandle queue, Postgres database, Trail trail, int messages)
      throws Exception {
    assertThat(database.effects()).as("effects").isEqualTo(messages);
    assertThat(database.messagesWithEffect()).as("messages with an effect").isEqualTo(messages);
    assertThat(database.completed()).as("completed keys").isEqualTo(messages);
    assertThat(database.rows()).as("keys").isEqualTo(messages);
    assertThat(queue.counts().total()).isZero();
    assertThat(queue.deadLetters().counts().total()).isZero();
    assertThat(trail.of(Received.class)).extracting(Received::receiveCount).containsOnly(1);
    assertThat(trail.of(LeaseLost.class)).isEmpty();
    assertThat(trail.of(Deleted.class)).hasSize(messages);
    Invariants.check(trail, PERMITS);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void a_connection_cut_before_the_commit_arrives_costs_no_effect_and_makes_none_twice(
      @TestQueue(maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    Postgres database = Postgres.schema();
    Trail trail = Trail.create();
    try (CuttingProxy proxy = Postgres.proxy();
        HikariDataSource pool = Rig.pool(database.through(proxy.port()), 4)) {
      proxy.arm(Cut.BEFORE_THE_SERVER, COMMIT, () -> {});
      try (QueueWorker worker = worker(queue, pool, trail).start()) {
        queue.send(bodies(0, 8));
        queue.awaitEmpty(LONG);
      }
      proxy.awaitCut();
    }
    assertThat(trail.of(CommitUnknown.class)).hasSize(1);
    assertThat(trail.of(HandlerStarted.class)).as("the one that was cut runs again").hasSize(9);
    assertAllOnce(queue, database, trail, 8);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void a_connection_cut_before_the_commits_reply_makes_no_effect_twice(
      @TestQueue(maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    Postgres database = Postgres.schema();
    Trail trail = Trail.create();
    try (CuttingProxy proxy = Postgres.proxy();
        HikariDataSource pool = Rig.pool(database.through(proxy.port()), 4)) {
      proxy.arm(Cut.BEFORE_THE_CLIENT, COMMIT, () -> Rig.until("the commit", () -> database.completed() >= 1));
      try (QueueWorker worker = worker(queue, pool, trail).maxConcurrency(1).start()) {
        queue.send(bodies(0, 4));
        queue.awaitEmpty(LONG);
      }
      proxy.awaitCut();
    }
    assertThat(trail.of(HandlerStarted.class)).as("the second look finds the commit").hasSize(4);
    assertAllOnce(queue, database, trail, 4);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void a_commit_whose_reply_and_database_are_lost_is_found_when_the_database_is_back(
      @TestQueue(maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    Postgres database = Postgres.schema();
    Trail trail = Trail.create();
    try (CuttingProxy proxy = Postgres.proxy();
        HikariDataSource pool = Rig.pool(database.through(proxy.port()), 4)) {
      proxy.arm(
          Cut.BEFORE_THE_CLIENT,
          COMMIT,
          () -> {
            Rig.until("the commit", () -> database.completed() == 1);
            proxy.down();
          });
      try (QueueWorker worker = worker(queue, pool, trail).maxConcurrency(1).start()) {
        queue.send(bodies(0, 1));
        trail.awaitCount(CommitUnknown.class, 1, LONG);
        trail.awaitCount(HeldBack.class, 2, LONG);
        assertThat(queue.counts()).isEqualTo(new QueueCounts(0, 1, 0));
        proxy.refuseNew(false);
        queue.awaitEmpty(LONG);
      }
    }
    assertThat(trail.of(HandlerStarted.class)).hasSize(1);
    assertThat(trail.of(Suppressed.class)).hasSize(1);
    assertAllOnce(queue, database, trail, 1);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void control_without_a_gate_the_lost_reply_makes_an_effect_twice(
      @TestQueue(visibilitySeconds = 2, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    Postgres database = Postgres.schema();
    try (CuttingProxy proxy = Postgres.proxy();
        HikariDataSource pool = Rig.pool(database.through(proxy.port()), 2)) {
      proxy.arm(Cut.BEFORE_THE_CLIENT, COMMIT, () -> Rig.until("the commit", () -> database.effects() == 1));
      try (QueueWorker worker =
          QueueWorker.of(queue.connect())
              .handler(delivery -> effectAlone(pool, delivery.body()))
              .pollWait(SHORT_POLL)
              .start()) {
        queue.send("order-0");
        queue.awaitEmpty(LONG);
      }
    }
    assertThat(database.effects()).isEqualTo(2);
  }

  private static boolean beatsForEach(Trail trail, int beats) {
    return trail.of(Received.class).stream()
        .allMatch(received -> trail.of(Extended.class, received.messageId()).size() >= beats);
  }

  private static void effectAlone(DataSource pool, String id) throws Exception {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      Postgres.effect(connection, id);
      connection.commit();
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void while_the_database_is_down_messages_are_held_and_none_is_received_deleted_or_dead_lettered(
      @TestQueue(visibilitySeconds = 3, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    Postgres database = Postgres.schema();
    Trail trail = Trail.create();
    int held = 10;
    int later = 5;
    try (CuttingProxy proxy = Postgres.proxy();
        HikariDataSource pool = Rig.pool(database.through(proxy.port()), 4)) {
      try (QueueWorker worker = worker(queue, pool, trail).start()) {
        proxy.down();
        queue.send(bodies(0, held));
        trail.await(
            "the gate's outage",
            t -> t.of(Paused.class).stream().anyMatch(p -> p.reason() == PauseReason.GATE_UNAVAILABLE),
            LONG);
        // By then the polls that ran when receiving was paused have ended.
        trail.await("two beats for each", t -> beatsForEach(t, 2), LONG);
        int inFlight = worker.health().inFlight();
        assertThat(worker.health().pauses()).containsKey(PauseReason.GATE_UNAVAILABLE);
        queue.send(bodies(held, held + later));
        trail.await(
            "each to be held for more than two visibility timeouts", t -> beatsForEach(t, 5), LONG);
        assertThat(worker.health().pauses()).containsKey(PauseReason.GATE_UNAVAILABLE);
        assertThat(queue.counts()).isEqualTo(new QueueCounts(held + later - inFlight, inFlight, 0));
        assertThat(trail.of(Received.class)).hasSize(inFlight);
        assertThat(trail.of(Deleted.class)).isEmpty();
        assertThat(trail.of(HeldBack.class)).extracting(HeldBack::reason).containsOnly(HoldReason.GATE_UNAVAILABLE);
        assertThat(database.effects()).isZero();
        proxy.refuseNew(false);
        queue.awaitEmpty(LONG);
        assertThat(worker.health().pauses()).isEmpty();
      }
    }
    assertAllOnce(queue, database, trail, held + later);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void a_pool_exhausted_by_blocked_transactions_holds_the_others_and_all_are_done_later(
      @TestQueue(visibilitySeconds = 3, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    Postgres database = Postgres.schema();
    Trail trail = Trail.create();
    int messages = 8;
    int connections = 2;
    try (HikariDataSource pool = Rig.pool(database.direct(), connections);
        Connection blocker = database.direct().getConnection();
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE effects IN EXCLUSIVE MODE");
      try (QueueWorker worker = worker(queue, pool, trail).start()) {
        queue.send(bodies(0, messages));
        trail.await(
            "two to block and another to find the pool exhausted, for more than two visibility timeouts",
            t -> t.of(Received.class).size() > connections
                && beatsForEach(t, 5)
                && t.count(HeldBack.class) > 0,
            LONG);
        assertThat(worker.health().pauses()).containsKey(PauseReason.GATE_UNAVAILABLE);
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(connections);
        assertThat(trail.of(Committed.class)).isEmpty();
        assertThat(queue.counts().total()).isEqualTo(messages);
        assertThat(queue.deadLetters().counts().total()).isZero();
        blocker.rollback();
        queue.awaitEmpty(LONG);
      }
    }
    List<HoldReason> reasons = trail.of(HeldBack.class).stream().map(HeldBack::reason).distinct().toList();
    assertThat(reasons).containsExactly(HoldReason.GATE_UNAVAILABLE);
    assertAllOnce(queue, database, trail, messages);
  }
}
