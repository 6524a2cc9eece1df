package io.queueworker.integration;

import static io.queueworker.integration.Rig.LONG;
import static io.queueworker.integration.Rig.SHORT_POLL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.PauseReason;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.gate.JdbcGate;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.observe.WorkerEvent.Suppressed;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.elasticmq.ElasticMqTest;
import io.queueworker.testkit.elasticmq.TestQueue;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole workers on ElasticMQ and a PostgreSQL server that restarts, forgets, locks its tables or refuses to write. */
@ElasticMqTest
@Tag("postgres")
class HostileDatabaseTest {
  private static final int PERMITS = 16;

  @TempDir private static Path directory;
  private static OwnPostgres server;

  @BeforeAll
  static void start() throws Exception {
    server = new OwnPostgres(directory.resolve("data"));
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

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

  private static boolean beatsForEach(Trail trail, int beats) {
    return trail.count(Received.class) > 0
        && trail.of(Received.class).stream()
            .allMatch(received -> trail.of(Extended.class, received.messageId()).size() >= beats);
  }

  @Test
  void a_server_that_restarts_in_the_middle_costs_no_effect_and_makes_none_twice(
      @TestQueue(visibilitySeconds = 3, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    int messages = 12;
    int writing = 4;
    Trail trail = Trail.create();
    CountDownLatch written = new CountDownLatch(writing);
    CountDownLatch stopped = new CountDownLatch(1);
    Postgres database = Postgres.schemaAt(server.port());
    try (HikariDataSource pool = Rig.pool(database.direct(), writing);
        QueueWorker worker =
            worker(queue, pool, trail)
                .once(
                    JdbcGate.on(pool),
                    delivery -> delivery.body(),
                    (delivery, transaction) -> {
                      Postgres.effect(transaction.connection(), delivery.body());
                      written.countDown();
                      Rig.await("the server's stop", stopped);
                    })
                .start()) {
      queue.send(bodies(0, messages));
      Rig.await("four handlers that have written their effect and not returned", written);
      server.stop();
      stopped.countDown();
      trail.await("messages held for two visibility timeouts", t -> beatsForEach(t, 4), LONG);
      assertThat(worker.health().pauses()).containsKey(PauseReason.GATE_UNAVAILABLE);
      assertThat(trail.of(Committed.class)).isEmpty();
      assertThat(trail.of(Deleted.class)).isEmpty();
      assertThat(queue.counts().total()).isEqualTo(messages);

      server.start();
      queue.awaitEmpty(LONG);
      assertThat(worker.health().pauses()).isEmpty();
    }
    assertThat(trail.of(Failed.class)).as("no message is to blame").isEmpty();
    assertThat(trail.of(HandlerStarted.class)).as("the rolled back ones run again").hasSizeGreaterThan(messages);
    assertAllOnce(queue, database, trail, messages);
  }

  @Test
  void a_promoted_copy_that_lost_a_commit_lost_effect_and_key_together_and_a_redelivery_makes_it_again(
      @TestQueue(visibilitySeconds = 30, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    Path standby = directory.resolve("standby");
    Trail trail = Trail.create();
    Postgres database = Postgres.schemaAt(server.port());
    try (HikariDataSource pool = Rig.pool(database.direct(), 2);
        QueueWorker worker = worker(queue, pool, trail).start()) {
      queue.send("order-1");
      queue.awaitEmpty(LONG);
      server.stop();
      server.copyTo(standby);
      server.start();
      queue.send("order-2");
      queue.awaitEmpty(LONG);
      assertThat(database.effects()).isEqualTo(2);

      server.stop();
      server.start(standby);

      // The one thing that the gate cannot see: the message was deleted, and nothing is left that knows of it.
      assertThat(database.effects()).as("effects on the copy").isEqualTo(1);
      assertThat(database.completed()).as("keys on the copy").isEqualTo(1);
      assertThat(queue.counts().total()).isZero();
      // Effect and key are lost together, so what comes again, or is sent again, is neither suppressed nor done twice.
      queue.send("order-1", "order-2");
      queue.awaitEmpty(LONG);
      assertThat(database.effects()).isEqualTo(2);
      assertThat(database.messagesWithEffect()).isEqualTo(2);
    }
    assertThat(trail.of(Suppressed.class)).as("the copy knows the first").hasSize(1);
    assertThat(trail.of(Committed.class)).hasSize(3);
    Invariants.check(trail, PERMITS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"EXCLUSIVE", "ACCESS EXCLUSIVE"})
  void while_another_session_locks_the_gates_table_messages_are_held_and_all_are_done_later(
      String mode, @TestQueue(visibilitySeconds = 3, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    Postgres database = Postgres.schema();
    Trail trail = Trail.create();
    int messages = 6;
    try (HikariDataSource pool = Rig.pool(database.direct(), 8);
        Connection blocker = database.direct().getConnection();
        Statement statement = blocker.createStatement();
        QueueWorker worker = worker(queue, pool, trail).start()) {
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE queueworker_gate IN " + mode + " MODE");
      queue.send(bodies(0, messages));
      trail.await(
          "each to be held for more than two visibility timeouts",
          t -> t.count(Received.class) == messages && beatsForEach(t, 4),
          LONG);
      assertThat(trail.of(Committed.class)).isEmpty();
      if (mode.equals("EXCLUSIVE")) {
        // Reads go on, so each attempt gets as far as its row, waits there for the lock wait and gives its connection back.
        assertThat(trail.of(HeldBack.class)).extracting(HeldBack::reason).contains(HoldReason.IN_PROGRESS);
      }
      blocker.rollback();
      queue.awaitEmpty(LONG);
    }
    assertThat(trail.of(Failed.class)).isEmpty();
    assertAllOnce(queue, database, trail, messages);
  }

  @Test
  void while_the_server_is_read_only_messages_are_held_and_none_is_failed_or_lost(
      @TestQueue(visibilitySeconds = 3, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    Trail trail = Trail.create();
    int messages = 6;
    Postgres database = Postgres.schemaAt(server.port());
    try (HikariDataSource pool = Rig.pool(database.direct(), 4);
        QueueWorker worker = worker(queue, pool, trail).start()) {
      readOnly(database, true);
      queue.send(bodies(0, messages));
      trail.await("messages held for two visibility timeouts", t -> beatsForEach(t, 4), LONG);
      assertThat(trail.of(HeldBack.class)).extracting(HeldBack::reason).containsOnly(HoldReason.GATE_UNAVAILABLE);
      assertThat(trail.of(HeldBack.class)).extracting(HeldBack::toString).allMatch(s -> s.contains("read-only"));
      assertThat(trail.of(Deleted.class)).isEmpty();
      assertThat(database.effects()).isZero();
      assertThatIllegalStateException()
          .isThrownBy(() -> JdbcGate.on(pool).open())
          .withMessageContaining("read-only")
          .withMessageContaining("primary");

      readOnly(database, false);
      queue.awaitEmpty(LONG);
      assertThat(worker.health().pauses()).isEmpty();
    }
    assertThat(trail.of(Failed.class)).isEmpty();
    assertAllOnce(queue, database, trail, messages);
  }

  /** As an operator does it, or a failover that leaves the pool connected to the old primary; open sessions see it too. */
  private static void readOnly(Postgres database, boolean on) throws Exception {
    try (Connection connection = database.direct().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET default_transaction_read_only = off");
      statement.execute("ALTER SYSTEM SET default_transaction_read_only = " + on);
      statement.execute("SELECT pg_reload_conf()");
    }
    Rig.until("the server's setting",
        () -> database.ask("SHOW default_transaction_read_only").equals(on ? "on" : "off"));
  }
}
