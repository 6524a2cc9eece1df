package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.queueworker.gate.Attempt.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The gate's settings, its table, and the state in which connections go back. */
@ParameterizedClass
@EnumSource(GateDatabase.class)
@Tag("postgres")
class JdbcGateSetupTest {
  private static final GateKey KEY = new GateKey("orders", "1");

  @Parameter GateDatabase database;
  GateRig rig;

  @BeforeEach
  void open() throws SQLException {
    rig = new GateRig(database.empty());
  }

  @Test
  void a_missing_table_is_named_with_what_to_do() {
    assertThatIllegalStateException()
        .isThrownBy(() -> JdbcGate.on(rig.direct).table("missing_gate").open())
        .withMessageContaining("missing_gate")
        .withMessageContaining("io/queueworker/gate/" + database.name().toLowerCase(Locale.ROOT) + ".sql")
        .withMessageContaining("createTable()");
  }

  @Test
  void a_missing_column_is_named() throws SQLException {
    JdbcGate.on(rig.direct).createTable();
    rig.sql("ALTER TABLE queueworker_gate DROP COLUMN suppressed");
    assertThatIllegalStateException()
        .isThrownBy(() -> JdbcGate.on(rig.direct).open())
        .withMessageMatching("(?is).*suppressed.*");
  }

  @Test
  void a_table_without_its_key_is_refused() throws SQLException {
    JdbcGate.on(rig.direct).createTable();
    rig.sql("CREATE TABLE keyless AS SELECT * FROM queueworker_gate");
    assertThatIllegalStateException()
        .isThrownBy(() -> JdbcGate.on(rig.direct).table("keyless").open())
        .withMessageContaining("keyless");
  }

  @Test
  void an_unreachable_database_is_told() {
    JdbcDataSource nowhere = new JdbcDataSource();
    nowhere.setURL("jdbc:h2:tcp://127.0.0.1:1/nowhere");
    assertThatIllegalStateException()
        .isThrownBy(() -> JdbcGate.on(nowhere).open())
        .withMessageContaining("cannot be reached");
  }

  @Test
  void a_gate_that_is_not_open_says_so() {
    assertThatIllegalStateException()
        .isThrownBy(() -> JdbcGate.on(rig.direct).admit(KEY, rig.info("m-1")))
        .withMessageContaining("open()");
  }

  @Test
  void the_table_may_have_another_name_and_a_schema() throws Exception {
    rig.sql("CREATE SCHEMA billing_" + database);
    JdbcGate gate = JdbcGate.on(rig.direct).table("billing_" + database + ".Gate_1");
    assertThat(gate.ddl()).contains("CREATE TABLE IF NOT EXISTS billing_" + database + ".Gate_1 (");
    gate.createTable();
    gate.open();

    assertThat(rig.effect(gate, KEY, "m-1")).isEqualTo(new Outcome.Committed());
    assertThat(rig.ask("SELECT count(*) FROM billing_" + database + ".Gate_1")).isEqualTo("1");
    rig.sql("DROP SCHEMA billing_" + database + " CASCADE");
  }

  @Test
  void eight_workers_may_create_the_table_at_once() throws Exception {
    CountDownLatch ready = new CountDownLatch(8);
    List<FutureTask<Void>> creators = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      creators.add(
          GateRig.start(
              () -> {
                ready.countDown();
                ready.await();
                JdbcGate.on(rig.direct).createTable();
                return null;
              }));
    }
    for (FutureTask<Void> creator : creators) {
      GateRig.get(creator);
    }
    assertThatCode(() -> JdbcGate.on(rig.direct).open()).doesNotThrowAnyException();
  }

  @Test
  void names_that_would_need_quoting_are_refused() {
    for (String name : List.of("", "a b", "a;drop table b", "a.b.c", ".a", "a.", "1a", "\"a\"", "caf\u00e9", "a--")) {
      assertThatIllegalArgumentException()
          .as(name)
          .isThrownBy(() -> JdbcGate.on(rig.direct).table(name))
          .withMessageContaining("allowed is table or schema.table");
    }
  }

  @Test
  void lock_waits_out_of_range_are_refused() {
    for (Duration wait : List.of(Duration.ZERO, Duration.ofMillis(9), Duration.ofMillis(60_001))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> JdbcGate.on(rig.direct).lockWait(wait))
          .withMessageContaining(wait.toString())
          .withMessageContaining("from 10 ms to 60 s");
    }
    assertThatCode(() -> JdbcGate.on(rig.direct).lockWait(Duration.ofMillis(10)).lockWait(Duration.ofSeconds(60)))
        .doesNotThrowAnyException();
  }

  @Test
  void connections_go_back_as_they_came_whatever_happened() throws Exception {
    for (boolean autoCommit : List.of(true, false)) {
      try (KeptConnection pool = new KeptConnection(rig.direct)) {
        pool.physical.setAutoCommit(autoCommit);
        JdbcGate gate = rig.gate(pool);
        GateKey key = new GateKey("orders", "kept " + autoCommit);
        asItCame(pool, autoCommit, "opened");

        Attempt<GateTransaction> rolledBack = rig.fresh(gate, key, "m-1");
        asItCame(pool, autoCommit, "looked");
        assertThat(lockTimeout(rolledBack)).as("of the handler's statements").isEqualTo(sevenSeconds());
        rolledBack.rollback();
        asItCame(pool, autoCommit, "rolled back");

        Attempt<GateTransaction> first = rig.fresh(gate, key, "m-1");
        try (KeptConnection secondPool = new KeptConnection(rig.direct)) {
          secondPool.physical.setAutoCommit(autoCommit);
          Attempt<GateTransaction> busy = rig.fresh(rig.gate(secondPool), key, "m-2");
          Attempt<GateTransaction> late = rig.fresh(rig.gate(secondPool), key, "m-3");
          first.effects().connection();
          assertThat(busy.commit()).isEqualTo(new Outcome.InProgress());
          asItCame(secondPool, autoCommit, "in progress");
          assertThat(first.commit()).isEqualTo(new Outcome.Committed());
          asItCame(pool, autoCommit, "committed");
          assertThat(late.commit()).isInstanceOf(Outcome.AlreadyDone.class);
          asItCame(secondPool, autoCommit, "done");
        }
        assertThat(gate.admit(key, rig.info("m-4"))).isInstanceOf(Admission.AlreadyDone.class);
        asItCame(pool, autoCommit, "suppressed");
      }
    }
  }

  @Test
  void a_count_that_waits_for_a_lock_is_given_up_and_the_key_is_done_all_the_same() throws Exception {
    JdbcGate gate = rig.gate(rig.direct);
    rig.effect(gate, KEY, "m-1");
    try (var other = rig.direct.getConnection();
        var statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("UPDATE queueworker_gate SET suppressed = 40");

      assertThat(gate.admit(KEY, rig.info("m-2"))).isInstanceOf(Admission.AlreadyDone.class);
      other.rollback();
    }
    assertThat(rig.ask("SELECT suppressed FROM queueworker_gate")).isEqualTo("0");
  }

  private void asItCame(KeptConnection pool, boolean autoCommit, String after) throws SQLException {
    assertThat(pool.returned).as(after).isEqualTo(pool.lent);
    assertThat(pool.physical.getAutoCommit()).as(after).isEqualTo(autoCommit);
    assertThat(GateRig.ask(pool.physical, database.lockTimeoutQuery())).as(after).isEqualTo(sevenSeconds());
    if (!autoCommit) {
      pool.physical.rollback();
    }
  }

  private String lockTimeout(Attempt<GateTransaction> attempt) throws SQLException {
    return GateRig.ask(attempt.effects().connection(), database.lockTimeoutQuery());
  }

  private String sevenSeconds() {
    return database == GateDatabase.H2 ? "7000" : "7s";
  }
}
