package io.queueworker.integration;

import static io.queueworker.integration.Rig.LONG;
import static io.queueworker.integration.Rig.SHORT_POLL;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.LossReason;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.gate.GateTransaction;
import io.queueworker.gate.JdbcGate;
import io.queueworker.integration.InterruptingDataSource.At;
import io.queueworker.observe.WorkerEvent.Closed;
import io.queueworker.observe.WorkerEvent.CommitUnknown;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import io.queueworker.observe.WorkerEvent.Interrupted;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.queue.MessageQueue;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.elasticmq.ElasticMqTest;
import io.queueworker.testkit.elasticmq.TestQueue;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An interrupt of the thread of one of three runs, at each step, on ElasticMQ and PostgreSQL. An interrupt closes the socket
 * at which a virtual thread waits, so each step loses its connection.
 */
@ElasticMqTest
@Tag("postgres")
class InterruptsTest {

  private static final int MESSAGES = 3;
  private static final int PERMITS = 8;

  /** Counts the sessions at the turnstile. */
  private static final String WAITING =
      "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'turnstile'::regclass";

  private Postgres database;
  private final Trail trail = Trail.create();

  /** What a handler does besides its effect. */
  private interface Extra {
    void run(GateTransaction transaction) throws Exception;
  }

  private WorkerBuilder<String> worker(MessageQueue queue, DataSource pool, Extra before, Extra after) {
    return QueueWorker.of(queue)
        .once(
            JdbcGate.on(pool).lockWait(Duration.ofMillis(200)),
            delivery -> delivery.body(),
            (delivery, transaction) -> {
              before.run(transaction);
              Postgres.effect(transaction.connection(), delivery.body());
              after.run(transaction);
            })
        .maxConcurrency(PERMITS)
        .pollWait(SHORT_POLL)
        .inlineListener(trail);
  }

  private void runToTheEnd(TestQueueHandle queue, WorkerBuilder<String> worker) {
    try (QueueWorker started = worker.start()) {
      queue.send("order-1", "order-2", "order-3");
      queue.awaitEmpty(LONG);
    }
  }

  private void assertOneEffectEach(TestQueueHandle queue, HikariDataSource pool) throws Exception {
    assertThat(database.effects()).as("effects").isEqualTo(MESSAGES);
    assertThat(database.messagesWithEffect()).as("messages with an effect").isEqualTo(MESSAGES);
    assertThat(database.completed()).as("completed keys").isEqualTo(MESSAGES);
    assertThat(database.rows()).as("keys").isEqualTo(MESSAGES);
    assertThat(queue.counts().total()).isZero();
    assertThat(queue.deadLetters().counts().total()).isZero();
    assertThat(trail.of(Deleted.class)).hasSize(MESSAGES);
    assertThat(trail.of(Received.class)).extracting(Received::receiveCount).allMatch(count -> count <= 2);
    assertThat(pool.getHikariPoolMXBean().getActiveConnections()).as("connections not given back").isZero();
    Invariants.check(trail, PERMITS);
  }

  private static Extra nothing() {
    return transaction -> {};
  }

  private static boolean once(AtomicBoolean done) {
    return done.compareAndSet(false, true);
  }

  /**
   * The flag bites only where the thread has to wait for the server, so the test makes it wait.
   *
   * @param lock what keeps the statement after the interrupt waiting
   * @param noticed the kind of event that tells of the lost connection
   */
  @ParameterizedTest
  @CsvSource({
    "ASKING, 1, ACCESS EXCLUSIVE, HeldBack",
    "GOT, 1, ACCESS EXCLUSIVE, HeldBack",
    "ASKING, 2, EXCLUSIVE, Failed",
    "GOT, 2, EXCLUSIVE, Failed"
  })
  @Execution(ExecutionMode.CONCURRENT)
  void in_the_first_look_and_while_the_transaction_opens(
      At at,
      int connection,
      String lock,
      String noticed,
      @TestQueue(visibilitySeconds = 5, maxReceiveCount = 3) TestQueueHandle queue)
      throws Exception {
    database = Postgres.schema();
    try (HikariDataSource pool = Rig.pool(database.direct(), 4);
        Connection blocker = database.direct().getConnection();
        Statement statement = blocker.createStatement()) {
      InterruptingDataSource interrupting = new InterruptingDataSource(pool, at, connection);
      try (QueueWorker worker = worker(queue.connect(), interrupting.dataSource(), nothing(), nothing()).start()) {
        blocker.setAutoCommit(false);
        statement.execute("LOCK TABLE queueworker_gate IN " + lock + " MODE");
        queue.send("order-1", "order-2", "order-3");
        trail.await(
            "the interrupt to be noticed",
            t -> interrupting.victim().map(t::kinds).orElse(List.of()).contains(noticed),
            LONG);
        blocker.rollback();
        queue.awaitEmpty(LONG);
      }
      assertThat(trail.kinds(interrupting.victim().orElseThrow())).filteredOn(noticed::equals).hasSize(1);
      assertOneEffectEach(queue, pool);
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void in_the_commit_by_foreign_code(
      @TestQueue(visibilitySeconds = 5, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    database = Postgres.schema();
    slowCommit(1);
    try (HikariDataSource pool = Rig.pool(database.direct(), 4)) {
      InterruptingDataSource interrupting = new InterruptingDataSource(pool, At.COMMIT, 2);
      runToTheEnd(queue, worker(queue.connect(), interrupting.dataSource(), nothing(), nothing()));
      assertThat(trail.of(CommitUnknown.class))
          .extracting(CommitUnknown::messageId)
          .containsExactly(interrupting.victim().orElseThrow());
      assertThat(trail.of(Received.class)).extracting(Received::receiveCount).containsOnly(1);
      assertThat(trail.of(Failed.class)).isEmpty();
      assertOneEffectEach(queue, pool);
    }
  }

  /** Lets each COMMIT of an effect take this long. */
  private void slowCommit(int seconds) throws SQLException {
    database.sql(
        "CREATE FUNCTION slowly() RETURNS trigger AS $$ BEGIN PERFORM pg_sleep("
            + seconds
            + "); RETURN NULL; END $$ LANGUAGE plpgsql;"
            + "CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON effects DEFERRABLE INITIALLY DEFERRED"
            + " FOR EACH ROW EXECUTE FUNCTION slowly()");
  }

  /** A step of the user's code. */
  enum UserStep {
    DECODE,
    KEY,
    BEFORE_SQL,
    AFTER_SQL
  }

  @ParameterizedTest
  @EnumSource
  @Execution(ExecutionMode.CONCURRENT)
  void by_the_users_own_code(
      UserStep step, @TestQueue(visibilitySeconds = 5, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    database = Postgres.schema();
    AtomicBoolean interrupted = new AtomicBoolean();
    try (HikariDataSource pool = Rig.pool(database.direct(), 4)) {
      WorkerBuilder<String> worker =
          QueueWorker.of(queue.connect())
              .decode(body -> interruptAt(UserStep.DECODE, step, interrupted, body))
              .once(
                  JdbcGate.on(pool),
                  delivery -> interruptAt(UserStep.KEY, step, interrupted, delivery.body()),
                  (delivery, transaction) -> {
                    interruptAt(UserStep.BEFORE_SQL, step, interrupted, "");
                    Postgres.effect(transaction.connection(), delivery.body());
                    interruptAt(UserStep.AFTER_SQL, step, interrupted, "");
                  })
              .maxConcurrency(PERMITS)
              .pollWait(SHORT_POLL)
              .inlineListener(trail);
      runToTheEnd(queue, worker);
      assertThat(interrupted).isTrue();
      if (step != UserStep.BEFORE_SQL) {
        assertThat(trail.of(Failed.class)).as("the flag was cleared before it could bite").isEmpty();
        assertThat(trail.of(HandlerStarted.class)).hasSize(MESSAGES);
      }
      assertOneEffectEach(queue, pool);
    }
  }

  private static String interruptAt(UserStep here, UserStep wanted, AtomicBoolean interrupted, String value) {
    if (here == wanted && once(interrupted)) {
      Thread.currentThread().interrupt();
    }
    return value;
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void in_the_users_sql_when_maxProcessingTime_has_passed(
      @TestQueue(visibilitySeconds = 2, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    database = Postgres.schema();
    AtomicBoolean waited = new AtomicBoolean();
    Extra waitOnce = transaction -> {
      if (once(waited)) {
        passTurnstile(transaction);
      }
    };
    try (HikariDataSource pool = Rig.pool(database.direct(), 4);
        Connection turnstile = closedTurnstile()) {
      try (QueueWorker worker =
          worker(queue.connect(), pool, waitOnce, nothing()).maxProcessingTime(Duration.ofSeconds(3)).start()) {
        queue.send("order-1", "order-2", "order-3");
        // The server has yet to notice: its session still holds the key, so the redelivery waits here.
        trail.awaitCount(HeldBack.class, 1, LONG);
        turnstile.rollback();
        queue.awaitEmpty(LONG);
      }
      assertThat(trail.of(Interrupted.class)).extracting(Interrupted::reason).containsExactly(LossReason.OVERTIME);
      assertThat(trail.of(HeldBack.class)).extracting(HeldBack::reason).containsOnly(HoldReason.IN_PROGRESS);
      assertThat(trail.of(Received.class)).hasSize(MESSAGES + 1);
      assertOneEffectEach(queue, pool);
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void in_the_users_sql_by_a_forced_close_and_another_worker_does_the_rest(
      @TestQueue(visibilitySeconds = 30, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    database = Postgres.schema();
    try (HikariDataSource pool = Rig.pool(database.direct(), 4);
        Connection turnstile = closedTurnstile()) {
      QueueWorker one = worker(queue.connect(), pool, nothing(), InterruptsTest::passTurnstile).start();
      queue.send("order-1", "order-2", "order-3");
      Rig.until("all in the user's SQL", () -> database.ask(WAITING).equals("3"));
      one.close(Duration.ofSeconds(3));
      assertThat(trail.of(Interrupted.class)).extracting(Interrupted::reason).containsOnly(LossReason.CLOSED);
      assertThat(trail.of(Interrupted.class)).hasSize(MESSAGES);
      assertThat(trail.of(Committed.class)).isEmpty();
      assertThat(trail.of(Released.class)).hasSize(MESSAGES);
      assertThat(trail.of(Closed.class)).singleElement().satisfies(c -> assertThat(c.leftOver()).isEmpty());
      assertThat(database.effects()).isZero();
      try (QueueWorker two = worker(queue.connect(), pool, nothing(), nothing()).start()) {
        trail.awaitCount(HeldBack.class, 1, LONG);
        turnstile.rollback();
        queue.awaitEmpty(LONG);
      }
      assertOneEffectEach(queue, pool);
    }
  }

  /** What the user's SQL waits for: a lock that the returned transaction holds. */
  private Connection closedTurnstile() throws SQLException {
    database.sql("CREATE TABLE turnstile (id int)");
    Connection closed = database.direct().getConnection();
    closed.setAutoCommit(false);
    try (Statement statement = closed.createStatement()) {
      statement.execute("LOCK TABLE turnstile IN ACCESS EXCLUSIVE MODE");
    }
    return closed;
  }

  private static void passTurnstile(GateTransaction transaction) throws SQLException {
    try (Statement statement = transaction.connection().createStatement()) {
      statement.execute("LOCK TABLE turnstile IN ACCESS SHARE MODE");
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void never_by_the_worker_during_the_commit_though_maxProcessingTime_passes(
      @TestQueue(visibilitySeconds = 30, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    database = Postgres.schema();
    slowCommit(5);
    try (HikariDataSource pool = Rig.pool(database.direct(), 4)) {
      runToTheEnd(
          queue,
          worker(queue.connect(), pool, nothing(), nothing()).maxProcessingTime(Duration.ofSeconds(3)));
      assertThat(trail.of(Committed.class))
          .extracting(Committed::sinceReceived)
          .allMatch(took -> took.compareTo(Duration.ofSeconds(5)) >= 0);
      assertThat(trail.of(Interrupted.class)).isEmpty();
      assertThat(trail.of(HandlerStarted.class)).hasSize(MESSAGES);
      assertOneEffectEach(queue, pool);
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void in_the_delete(@TestQueue(visibilitySeconds = 30, maxReceiveCount = 3) TestQueueHandle queue)
      throws Exception {
    database = Postgres.schema();
    AtomicBoolean interrupted = new AtomicBoolean();
    MessageQueue port =
        WatchedQueue.beforeDeletes(
            queue.connect(),
            () -> {
              if (once(interrupted)) {
                Thread.currentThread().interrupt();
              }
            });
    try (HikariDataSource pool = Rig.pool(database.direct(), 4)) {
      runToTheEnd(queue, worker(port, pool, nothing(), nothing()));
      assertThat(interrupted).isTrue();
      assertThat(trail.of(HandlerStarted.class)).hasSize(MESSAGES);
      assertOneEffectEach(queue, pool);
    }
  }
}
