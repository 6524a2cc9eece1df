package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.gate.Attempt.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the gate makes of what MariaDB and MySQL alone do. */
@Tag("mariadb")
class MariaDbGateTest {
  private static final GateKey KEY = new GateKey("orders", "1");
  private static final Duration LESS_THAN_A_ZONE = Duration.ofHours(1);

  GateRig rig;

  @BeforeEach
  void open() throws SQLException {
    rig = new GateRig(GateDatabase.MARIADB.empty());
  }

  @Test
  void a_table_without_transactions_is_refused_with_the_statement_that_changes_it() throws Exception {
    JdbcGate.on(rig.direct).createTable();
    rig.sql("ALTER TABLE queueworker_gate ENGINE=Aria");

    assertThatIllegalStateException()
        .isThrownBy(() -> JdbcGate.on(rig.direct).open())
        .withMessageContaining("storage engine is [aria], but must be InnoDB")
        .withMessageContaining("queueworker_gate` ENGINE=InnoDB");

    rig.sql("ALTER TABLE queueworker_gate ENGINE=InnoDB");
    assertThatCode(() -> JdbcGate.on(rig.direct).open()).doesNotThrowAnyException();
  }

  @Test
  void a_handler_whose_ddl_commits_and_that_returns_completes_its_key() throws Exception {
    JdbcGate gate = rig.gate(rig.direct);
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    Connection connection = attempt.effects().connection();
    execute(connection, "CREATE TABLE ddl_commits (a int)");
    assertThat(rig.rows("started")).as("the row that the DDL committed").isEqualTo(1);
    GateRig.write(connection, "m-1");

    assertThat(attempt.commit()).isEqualTo(new Outcome.Committed());
    assertThat(rig.rows("completed")).isEqualTo(1);
    assertThat(rig.effects()).isEqualTo(1);
  }

  @Test
  void a_handler_that_fails_after_its_ddl_committed_is_told_of_and_runs_again() throws Exception {
    JdbcGate gate = rig.gate(rig.direct);
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    GateRig.write(attempt.effects().connection(), "first");
    execute(attempt.effects().connection(), "CREATE TABLE ddl_commits (a int)");
    GateRig.write(attempt.effects().connection(), "second");
    attempt.rollback();
    assertThat(rig.effects()).as("what the DDL committed").isEqualTo(1);

    assertThat(rig.effect(gate, KEY, "m-1")).isEqualTo(new Outcome.Committed());
    assertThat(rig.warnings)
        .singleElement().asString()
        .contains("committed unfinished").contains("as a native COMMIT or a MySQL DDL statement does");
  }

  @Test
  void inserters_that_lock_each_other_out_when_the_first_rolls_back_are_in_progress() throws Exception {
    JdbcGate gate = rig.gate(rig.direct);
    JdbcGate patient = gate.lockWait(Duration.ofSeconds(60));
    patient.open();
    Attempt<GateTransaction> first = rig.fresh(gate, KEY, "m-0");
    GateRig.write(first.effects().connection(), "m-0");
    int others = 8;
    List<FutureTask<Outcome>> running = new ArrayList<>();
    for (int i = 1; i <= others; i++) {
      String message = "m-" + i;
      running.add(GateRig.start(() -> {
        Attempt<GateTransaction> attempt = rig.fresh(patient, KEY, message);
        try {
          GateRig.write(attempt.effects().connection(), message);
        } catch (GateVerdictException e) {
          assertThat(attempt.rollback()).as("connection lost").isFalse();
          return attempt.verdict().orElseThrow();
        }
        return attempt.commit();
      }));
    }
    GateRig.await(() -> rig.ask(GateDatabase.MARIADB.waitingQuery()).equals(Integer.toString(others)));

    first.rollback();

    List<Outcome> outcomes = new ArrayList<>();
    for (FutureTask<Outcome> task : running) {
      outcomes.add(GateRig.get(task));
    }
    assertThat(outcomes).filteredOn(new Outcome.Committed()::equals).hasSize(1);
    assertThat(outcomes)
        .allMatch(o -> o.equals(new Outcome.Committed()) || o.equals(new Outcome.InProgress())
            || o instanceof Outcome.AlreadyDone);
    assertThat(rig.effects()).isEqualTo(1);
    assertThat(rig.rows("completed")).isEqualTo(1);
  }

  @Test
  void a_deadlock_that_the_handler_swallows_never_completes_its_key() throws Exception {
    JdbcGate gate = rig.gate(rig.direct);
    rig.sql("CREATE TABLE stock (id int PRIMARY KEY, amount int) ENGINE=InnoDB");
    rig.sql("INSERT INTO stock VALUES (1, 5), (2, 5)");
    CountDownLatch both = new CountDownLatch(2);
    List<FutureTask<Outcome>> running = new ArrayList<>();
    for (int i = 1; i <= 2; i++) {
      int mine = i;
      running.add(GateRig.start(() -> {
        Attempt<GateTransaction> attempt = rig.fresh(gate, new GateKey("orders", "order-" + mine), "m-" + mine);
        Connection connection = attempt.effects().connection();
        execute(connection, "UPDATE stock SET amount = amount - 1 WHERE id = " + mine);
        both.countDown();
        both.await();
        try {
          execute(connection, "UPDATE stock SET amount = amount - 1 WHERE id = " + (3 - mine));
        } catch (SQLException swallowed) {
          assertThat(swallowed.getSQLState()).isEqualTo("40001");
        }
        GateRig.write(connection, "m-" + mine);
        return attempt.commit();
      }));
    }
    List<Outcome> outcomes = List.of(GateRig.get(running.get(0)), GateRig.get(running.get(1)));

    assertThat(outcomes).filteredOn(new Outcome.Committed()::equals).hasSize(1);
    assertThat(outcomes)
        .filteredOn(Outcome.RolledBack.class::isInstance)
        .singleElement().asString().contains("SQL of the handler ended the transaction");
    assertThat(rig.effects()).isEqualTo(1);
    assertThat(rig.ask("SELECT sum(amount) FROM stock")).isEqualTo("8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"OFF", "ON"})
  void a_snapshot_from_before_the_completion_does_not_hide_it(String snapshotIsolation) throws Exception {
    try (KeptConnection pool = new KeptConnection(rig.direct)) {
      pool.physical.setAutoCommit(false);
      JdbcGate gate = rig.gate(rig.direct);
      Attempt<GateTransaction> late = rig.fresh(rig.gate(pool), KEY, "m-2");
      execute(pool.physical, "SET SESSION innodb_snapshot_isolation = " + snapshotIsolation);
      pool.physical.commit();
      assertThat(GateRig.ask(pool.physical, "SELECT count(*) FROM queueworker_gate")).isEqualTo("0");
      assertThat(rig.effect(gate, KEY, "m-1")).isEqualTo(new Outcome.Committed());
      assertThat(GateRig.ask(pool.physical, "SELECT count(*) FROM queueworker_gate"))
          .as("as the old snapshot shows it").isEqualTo("0");

      assertThatThrownBy(() -> late.effects().connection()).isInstanceOf(GateVerdictException.class);

      assertThat(late.verdict().orElseThrow())
          .isInstanceOf(snapshotIsolation.equals("OFF") ? Outcome.AlreadyDone.class : Outcome.InProgress.class);
    }
    assertThat(rig.effects()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "&useAffectedRows=true", "&useServerPrepStmts=true", "&useAffectedRows=true&useServerPrepStmts=true",
    ",time_zone='+09:00'", ",sql_mode='ANSI_QUOTES,STRICT_ALL_TABLES'", ",sql_mode=''"})
  void settings_of_the_driver_and_the_session_change_nothing(String settings) throws Exception {
    String database = rig.ask("SELECT DATABASE()");
    DataSource set = GateDatabase.mariaDb(database, settings);
    JdbcGate gate = rig.gate(set);
    commitUnfinished(gate);

    assertThat(rig.effect(gate, KEY, "m-1")).isEqualTo(new Outcome.Committed());

    assertThat(rig.warnings).singleElement().asString().contains("committed unfinished");
    assertThat(gate.admit(KEY, rig.info("m-2")))
        .isInstanceOfSatisfying(
            Admission.AlreadyDone.class,
            done -> {
              Admission.Completion by = ((Admission.AlreadyDone<?>) done).by().orElseThrow();
              assertThat(by.suppressed()).isEqualTo(1);
              assertThat(Duration.between(by.startedAt(), Instant.now()).abs()).isLessThan(LESS_THAN_A_ZONE);
              assertThat(by.took()).isBetween(Duration.ZERO, LESS_THAN_A_ZONE);
            });
    assertThat(rig.ask("SELECT CONVERT(scope USING utf8mb4) FROM queueworker_gate")).isEqualTo("orders");
  }

  private void commitUnfinished(JdbcGate gate) throws SQLException {
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-0");
    execute(attempt.effects().connection(), "COMMIT");
    attempt.rollback();
  }

  @Test
  void a_session_that_waits_for_no_lock_goes_back_so() throws Exception {
    String database = rig.ask("SELECT DATABASE()");
    try (KeptConnection pool =
        new KeptConnection(GateDatabase.mariaDb(database, ",innodb_lock_wait_timeout=0"))) {
      assertThat(rig.effect(rig.gate(pool), KEY, "m-1")).isEqualTo(new Outcome.Committed());
      assertThat(GateRig.ask(pool.physical, "SELECT @@innodb_lock_wait_timeout")).isEqualTo("0");
    }
  }

  @Test
  void a_key_that_the_character_set_of_the_table_cannot_hold_is_shown_in_escapes() throws Exception {
    JdbcGate.on(rig.direct).createTable();
    rig.sql("ALTER TABLE queueworker_gate CONVERT TO CHARACTER SET latin1");
    JdbcGate gate = rig.gate(rig.direct);
    GateKey key = new GateKey("orders", "Za\u017c\u00f3\u0142\u0107 \ud83d\ude00");

    assertThat(rig.effect(gate, key, "m-1")).isEqualTo(new Outcome.Committed());
    assertThat(gate.admit(key, rig.info("m-2"))).isInstanceOf(Admission.AlreadyDone.class);
    assertThat(rig.ask("SELECT key_text FROM queueworker_gate"))
        .isEqualTo("Za\\u017c\\u00f3\\u0142\\u0107 \\ud83d\\ude00");
  }

  @Test
  void a_row_that_a_trigger_refuses_fails_its_message_and_is_no_outage() throws Exception {
    JdbcGate gate = rig.gate(rig.direct);
    rig.sql("CREATE TRIGGER no_rows BEFORE INSERT ON queueworker_gate FOR EACH ROW"
        + " SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not today'");
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");

    assertThatThrownBy(() -> attempt.effects().connection())
        .isInstanceOf(GateVerdictException.class)
        .hasMessageContaining("refused the gate's row");
    assertThat(attempt.verdict()).containsInstanceOf(Outcome.RolledBack.class);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
