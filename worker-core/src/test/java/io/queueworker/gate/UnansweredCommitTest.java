package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.gate.Attempt.Outcome;
import io.queueworker.gate.CuttingProxy.Cut;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.FutureTask;
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

  GateRig rig;
  CuttingProxy proxy;
  PGSimpleDataSource throughProxy;
  HikariDataSource pool;
  JdbcGate gate;

  @BeforeEach
  void open() throws Exception {
    PGSimpleDataSource direct = (PGSimpleDataSource) GateDatabase.POSTGRESQL.empty();
    rig = new GateRig(direct);
    proxy = new CuttingProxy(GateDatabase.postgresPort());
    throughProxy = GateDatabase.postgres(direct.getCurrentSchema(), proxy.port());
    HikariConfig config = new HikariConfig();
    config.setDataSource(throughProxy);
    config.setMaximumPoolSize(2);
    config.setConnectionTimeout(1000);
    pool = new HikariDataSource(config);
    rig.gate(pool);
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

    Outcome outcome = rig.effect(gate, KEY, "m-1");

    proxy.awaitCut();
    assertThat(outcome).isInstanceOf(Outcome.CommitUnknown.class);
    assertThat(rig.effects()).isZero();
    assertThat(rig.effect(gate, KEY, "m-1")).isEqualTo(new Outcome.Committed());
    assertThat(rig.effects()).isEqualTo(1);
  }

  @Test
  void a_commit_whose_reply_is_lost_is_found_on_a_new_connection() throws Exception {
    proxy.arm(Cut.BEFORE_THE_CLIENT, COMMIT, this::awaitCompleted);

    Outcome outcome = rig.effect(gate, KEY, "m-1");

    proxy.awaitCut();
    assertThat(outcome).isEqualTo(new Outcome.Committed());
    assertThat(rig.effects()).isEqualTo(1);
    assertThat(gate.admit(KEY, rig.info("m-2"))).isInstanceOf(Admission.AlreadyDone.class);
  }

  @Test
  void a_commit_whose_reply_is_lost_with_the_network_is_unknown_and_the_next_admission_says_done() throws Exception {
    proxy.arm(
        Cut.BEFORE_THE_CLIENT,
        COMMIT,
        () -> {
          awaitCompleted();
          proxy.refuseNew(true);
          pool.getHikariPoolMXBean().softEvictConnections();
        });

    Outcome outcome = rig.effect(gate, KEY, "m-1");

    proxy.awaitCut();
    assertThat(outcome).isInstanceOf(Outcome.CommitUnknown.class);
    proxy.refuseNew(false);
    assertThat(admitOnceReachable("m-1")).isInstanceOf(Admission.AlreadyDone.class);
    assertThat(rig.effects()).isEqualTo(1);
  }

  @Test
  void a_commit_that_arrives_late_makes_the_next_attempt_wait_and_find_it_done() throws Exception {
    proxy.arm(Cut.AND_DELIVER_LATE, COMMIT, () -> {});
    assertThat(rig.effect(gate, KEY, "m-1")).as("absent proves nothing").isInstanceOf(Outcome.CommitUnknown.class);

    FutureTask<Outcome> next =
        GateRig.start(
            () -> {
              Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
              assertThatThrownBy(() -> attempt.effects().connection()).isInstanceOf(GateVerdictException.class);
              return attempt.verdict().orElseThrow();
            });
    GateRig.await(() -> !rig.ask(GateDatabase.POSTGRESQL.waitingQuery()).equals("0"));
    proxy.deliver();

    assertThat(GateRig.get(next)).isInstanceOf(Outcome.AlreadyDone.class);
    assertThat(rig.effects()).isEqualTo(1);
  }

  @Test
  void control_without_the_gate_the_lost_reply_makes_two_effects() throws Exception {
    proxy.arm(Cut.BEFORE_THE_CLIENT, COMMIT, () -> GateRig.await(() -> rig.effects() == 1));
    for (int tries = 0; tries < 2; tries++) {
      try (Connection connection = throughProxy.getConnection()) {
        connection.setAutoCommit(false);
        GateRig.write(connection, "m-1");
        connection.commit();
        break;
      } catch (SQLException e) {
        proxy.awaitCut();
      }
    }
    assertThat(rig.effects()).isEqualTo(2);
  }

  @Test
  void a_connection_lost_before_the_commit_is_the_fault_of_the_database() throws Exception {
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    GateRig.write(attempt.effects().connection(), "m-1");
    terminate(attempt);

    assertThat(attempt.commit()).isInstanceOf(Outcome.Unavailable.class);
    assertThat(rig.effects()).isZero();
    assertThat(rig.effect(gate, KEY, "m-1")).isEqualTo(new Outcome.Committed());
  }

  @Test
  void a_handler_that_fails_with_its_connection_is_told_apart_from_one_that_just_fails() throws Exception {
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    terminate(attempt);
    assertThatThrownBy(() -> GateRig.write(attempt.effects().connection(), "m-1")).isInstanceOf(SQLException.class);
    assertThat(attempt.rollback()).as("connection lost").isTrue();

    Attempt<GateTransaction> other = rig.fresh(gate, KEY, "m-1");
    GateRig.write(other.effects().connection(), "m-1");
    assertThat(other.rollback()).as("connection lost").isFalse();
  }

  @Test
  void a_constraint_checked_at_commit_is_a_rollback_and_no_unknown_commit() throws Exception {
    rig.sql("CREATE TABLE unique_at_commit (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)");
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    try (var statement = attempt.effects().connection().createStatement()) {
      statement.execute("INSERT INTO unique_at_commit VALUES (1), (1)");
    }

    assertThat(attempt.commit())
        .isInstanceOfSatisfying(
            Outcome.RolledBack.class,
            rolledBack -> assertThat(SqlFailure.sqlState(rolledBack.cause())).isEqualTo("23505"));
    assertThat(rig.rows("started") + rig.rows("completed")).isZero();
  }

  private void terminate(Attempt<GateTransaction> attempt) throws Exception {
    String pid = GateRig.ask(attempt.effects().connection(), "SELECT pg_backend_pid()");
    rig.ask("SELECT pg_terminate_backend(" + pid + ")");
    GateRig.await(() -> rig.ask("SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid).equals("0"));
  }

  private void awaitCompleted() throws Exception {
    GateRig.await(() -> rig.rows("completed") == 1);
  }

  private Admission<GateTransaction> admitOnceReachable(String message) throws Exception {
    AtomicReference<Admission<GateTransaction>> answer = new AtomicReference<>();
    GateRig.await(
        () -> {
          try {
            answer.set(gate.admit(KEY, rig.info(message)));
            return true;
          } catch (SQLException e) {
            // The pool still holds connections that the cut took along.
            return false;
          }
        });
    return answer.get();
  }
}
