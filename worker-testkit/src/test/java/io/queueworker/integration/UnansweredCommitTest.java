package io.queueworker.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.gate.Admission;
import io.queueworker.gate.Attempt;
import io.queueworker.gate.Attempt.Outcome;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.GateTransaction;
import io.queueworker.gate.GateVerdictException;
import io.queueworker.gate.JdbcGate;
import io.queueworker.integration.CuttingProxy.Cut;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A connection to PostgreSQL that breaks around the COMMIT. */
@Tag("postgres")
class UnansweredCommitTest {
  private static final GateKey KEY = new GateKey("orders", "order-1");

  /** As the driver sends it; no other statement of these tests holds it. */
  private static final String COMMIT = "COMMIT\0";

  /** Counts the sessions that wait for another attempt's row. */
  private static final String WAITING =
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";

  private static final long BOUND_SECONDS = 60;

  Postgres database;
  CuttingProxy proxy;
  PGSimpleDataSource throughProxy;
  HikariDataSource pool;
  JdbcGate gate;

  @BeforeEach
  void open() throws Exception {
    database = Postgres.schema();
    proxy = Postgres.proxy();
    throughProxy = database.through(proxy.port());
    HikariConfig config = new HikariConfig();
    config.setDataSource(throughProxy);
    config.setMaximumPoolSize(2);
    config.setConnectionTimeout(1000);
    pool = new HikariDataSource(config);
    gate = JdbcGate.on(pool).lockWait(Duration.ofSeconds(60));
    gate.open();
  }

  @AfterEach
  void close() throws Exception {
    assertThat(pool.getHikariPoolMXBean().getActiveConnections()).as("connections not given back").isZero();
    pool.close();
    proxy.close();
  }

  @Test
  void a_commit_that_never_reached_the_server_is_unknown_and_the_next_attempt_is_fresh() throws Exception {
    proxy.arm(Cut.BEFORE_THE_SERVER, COMMIT, () -> {});

    Outcome outcome = effect("m-1");

    proxy.awaitCut();
    assertThat(outcome).isInstanceOf(Outcome.CommitUnknown.class);
    assertThat(database.effects()).isZero();
    assertThat(effect("m-1")).isEqualTo(new Outcome.Committed());
    assertThat(database.effects()).isEqualTo(1);
  }

  @Test
  void a_commit_whose_reply_is_lost_is_found_on_a_new_connection() throws Exception {
    proxy.arm(Cut.BEFORE_THE_CLIENT, COMMIT, this::awaitCompleted);

    Outcome outcome = effect("m-1");

    proxy.awaitCut();
    assertThat(outcome).isEqualTo(new Outcome.Committed());
    assertThat(database.effects()).isEqualTo(1);
    assertThat(gate.admit(KEY, info("m-2"))).isInstanceOf(Admission.AlreadyDone.class);
  }

  @Test
  void a_commit_whose_reply_is_lost_with_the_network_is_unknown_and_the_next_admission_says_done() throws Exception {
    proxy.arm(
        Cut.BEFORE_THE_CLIENT,
        COMMIT,
        () -> {
          awaitCompleted();
          proxy.down();
        });

    Outcome outcome = effect("m-1");

    proxy.awaitCut();
    assertThat(outcome).isInstanceOf(Outcome.CommitUnknown.class);
    proxy.refuseNew(false);
    assertThat(admitOnceReachable("m-1")).isInstanceOf(Admission.AlreadyDone.class);
    assertThat(database.effects()).isEqualTo(1);
  }

  @Test
  void a_commit_that_arrives_late_makes_the_next_attempt_wait_and_find_it_done() throws Exception {
    proxy.arm(Cut.AND_DELIVER_LATE, COMMIT, () -> {});
    assertThat(effect("m-1")).as("absent proves nothing").isInstanceOf(Outcome.CommitUnknown.class);

    FutureTask<Outcome> next =
        new FutureTask<>(
            () -> {
              Attempt<GateTransaction> attempt = fresh("m-1");
              assertThatThrownBy(() -> attempt.effects().connection()).isInstanceOf(GateVerdictException.class);
              return attempt.verdict().orElseThrow();
            });
    Thread.ofVirtual().start(next);
    await(() -> !database.ask(WAITING).equals("0"));
    proxy.deliver();

    assertThat(next.get(BOUND_SECONDS, TimeUnit.SECONDS)).isInstanceOf(Outcome.AlreadyDone.class);
    assertThat(database.effects()).isEqualTo(1);
  }

  @Test
  void control_without_the_gate_the_lost_reply_makes_two_effects() throws Exception {
    proxy.arm(Cut.BEFORE_THE_CLIENT, COMMIT, () -> await(() -> database.effects() == 1));
    for (int tries = 0; tries < 2; tries++) {
      try (Connection connection = throughProxy.getConnection()) {
        connection.setAutoCommit(false);
        Postgres.effect(connection, "m-1");
        connection.commit();
        break;
      } catch (SQLException e) {
        proxy.awaitCut();
      }
    }
    assertThat(database.effects()).isEqualTo(2);
  }

  @Test
  void a_connection_lost_before_the_commit_is_the_fault_of_the_database() throws Exception {
    Attempt<GateTransaction> attempt = fresh("m-1");
    Postgres.effect(attempt.effects().connection(), "m-1");
    terminate(attempt);

    assertThat(attempt.commit()).isInstanceOf(Outcome.Unavailable.class);
    assertThat(database.effects()).isZero();
    assertThat(effect("m-1")).isEqualTo(new Outcome.Committed());
  }

  @Test
  void a_handler_that_fails_with_its_connection_is_told_apart_from_one_that_just_fails() throws Exception {
    Attempt<GateTransaction> attempt = fresh("m-1");
    terminate(attempt);
    assertThatThrownBy(() -> Postgres.effect(attempt.effects().connection(), "m-1")).isInstanceOf(SQLException.class);
    assertThat(attempt.rollback()).as("connection lost").isTrue();

    Attempt<GateTransaction> other = fresh("m-1");
    Postgres.effect(other.effects().connection(), "m-1");
    assertThat(other.rollback()).as("connection lost").isFalse();
  }

  @Test
  void a_constraint_checked_at_commit_is_a_rollback_and_no_unknown_commit() throws Exception {
    database.sql("CREATE TABLE unique_at_commit (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)");
    Attempt<GateTransaction> attempt = fresh("m-1");
    try (var statement = attempt.effects().connection().createStatement()) {
      statement.execute("INSERT INTO unique_at_commit VALUES (1), (1)");
    }

    assertThat(attempt.commit())
        .isInstanceOfSatisfying(
            Outcome.RolledBack.class,
            rolledBack -> assertThat(rolledBack.cause())
                .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505")));
    assertThat(database.rows()).isZero();
  }

  private static AttemptInfo info(String messageId) {
    return new AttemptInfo("worker-1", messageId, 1, Duration.ofSeconds(30), warning -> {});
  }

  private Attempt<GateTransaction> fresh(String messageId) throws SQLException {
    Admission<GateTransaction> admission = gate.admit(KEY, info(messageId));
    assertThat(admission).isInstanceOf(Admission.Fresh.class);
    return ((Admission.Fresh<GateTransaction>) admission).attempt();
  }

  /** One whole attempt that writes one effect. */
  private Outcome effect(String messageId) throws SQLException {
    Attempt<GateTransaction> attempt = fresh(messageId);
    Postgres.effect(attempt.effects().connection(), messageId);
    return attempt.commit();
  }

  private static void await(Callable<Boolean> yes) throws Exception {
    Rig.until("what the test waits for", yes);
  }

  private void terminate(Attempt<GateTransaction> attempt) throws Exception {
    String pid = Postgres.ask(attempt.effects().connection(), "SELECT pg_backend_pid()");
    database.ask("SELECT pg_terminate_backend(" + pid + ")");
    await(() -> database.ask("SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid).equals("0"));
  }

  private void awaitCompleted() throws Exception {
    await(() -> database.completed() == 1);
  }

  private Admission<GateTransaction> admitOnceReachable(String message) throws Exception {
    AtomicReference<Admission<GateTransaction>> answer = new AtomicReference<>();
    await(
        () -> {
          try {
            answer.set(gate.admit(KEY, info(message)));
            return true;
          } catch (SQLException e) {
            // The pool still holds connections that the cut took along.
            return false;
          }
        });
    return answer.get();
  }
}
