package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.queueworker.gate.Attempt.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The gate's settings, its table, and the state in which connections go back. */
@ParameterizedClass
@MethodSource("io.queueworker.gate.GateDatabase#chosen")
@Tag("postgres")
@Tag("mariadb")
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
        .withMessageContaining("io/queueworker/gate/" + database.resource())
        .withMessageContaining("createTable()");
  }

  @ParameterizedTest
  @ValueSource(strings = {"completed_at", "duration_ms", "suppressed", "lease", "visibility_ms", "lease_left_ms",
    "version"})
  void a_table_of_an_earlier_version_is_refused_with_the_missing_column_and_the_upgrade_that_adds_it(String column)
      throws Exception {
    JdbcGate gate = JdbcGate.on(rig.direct).lockWait(GateRig.SHORT);
    gate.createTable();
    rig.sql("ALTER TABLE queueworker_gate DROP COLUMN " + column);
    assertThatIllegalStateException()
        .isThrownBy(gate::open)
        .withMessageContaining("it has no column " + column + ",")
        .withMessageContaining("io/queueworker/gate/" + database.resource().replace(".sql", "-upgrade.sql"))
        .withMessageContaining("upgradeDdl()");

    rig.sql(gate.upgradeDdl());
    rig.sql(gate.upgradeDdl());

    gate.open();
    assertThat(rig.effect(gate, KEY, "m-1")).isEqualTo(new Outcome.Committed());
    assertThat(gate.admit(KEY, rig.info("m-2"))).isInstanceOf(Admission.AlreadyDone.class);
  }

  @Test
  void a_table_with_a_column_that_a_later_version_added_is_used() throws Exception {
    JdbcGate gate = rig.gate(rig.direct);
    rig.sql("ALTER TABLE queueworker_gate ADD COLUMN later varchar(10) DEFAULT 'x' NOT NULL");
    gate.open();
    assertThat(rig.effect(gate, KEY, "m-1")).isEqualTo(new Outcome.Committed());
  }

  @Test
  void a_table_of_something_else_is_refused_with_all_that_it_misses() throws Exception {
    rig.sql("CREATE TABLE other (scope varchar(200), id varchar(10))");
    assertThatIllegalStateException()
        .isThrownBy(() -> JdbcGate.on(rig.direct).table("other").open())
        .withMessageContaining("attempt, completed_at, duration_ms, key_hash");
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
  void a_table_without_its_key_is_refused_though_another_schema_has_one_with_it() throws Exception {
    JdbcGate.on(rig.direct).createTable();
    String other = schemaWithGateTable("keyless_", "AS SELECT * FROM queueworker_gate");
    try (KeptConnection pool = new KeptConnection(rig.direct)) {
      database.pointTo(pool.physical, other);
      assertThatIllegalStateException()
          .isThrownBy(() -> JdbcGate.on(pool).open())
          .withMessageContaining("queueworker_gate");
    }
    rig.sql(database.dropSchema(other));
  }

  @Test
  void a_gate_keeps_the_table_that_it_found_when_a_connection_points_to_another_schema() throws Exception {
    try (KeptConnection pool = new KeptConnection(rig.direct)) {
      JdbcGate gate = rig.gate(pool);
      String home = database.schemaOf(pool.physical);
      assertThat(rig.effect(gate, KEY, "m-1")).isEqualTo(new Outcome.Committed());
      JdbcGate.on(rig.direct).table(home + ".queueworker_gate").createTable();
      String tenant = schemaWithGateTable("tenant_", null);
      database.pointTo(pool.physical, tenant);

      assertThat(gate.admit(KEY, rig.info("m-2"))).isInstanceOf(Admission.AlreadyDone.class);
      database.pointTo(pool.physical, home);
      rig.sql(database.dropSchema(tenant));
    }
  }

  @Test
  void a_connection_that_counted_a_redelivery_comes_back_as_it_was() throws Exception {
    try (KeptConnection pool = new KeptConnection(rig.direct)) {
      JdbcGate gate = rig.gate(pool);
      assertThat(rig.effect(gate, KEY, "m-1")).isEqualTo(new Outcome.Committed());
      String lockTimeout = GateRig.ask(pool.physical, database.lockTimeoutQuery());

      assertThat(gate.admit(KEY, rig.info("m-2"))).isInstanceOf(Admission.AlreadyDone.class);

      assertThat(pool.physical.getAutoCommit()).isTrue();
      assertThat(GateRig.ask(pool.physical, database.lockTimeoutQuery())).isEqualTo(lockTimeout);
    }
  }

  @Test
  void a_handler_that_changes_the_schema_still_completes_its_key() throws Exception {
    JdbcGate gate = rig.gate(rig.direct);
    String tenant = schemaWithGateTable("other_", null);
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    GateRig.write(attempt.effects().connection(), "m-1");
    database.pointTo(attempt.effects().connection(), tenant);

    assertThat(attempt.commit()).isEqualTo(new Outcome.Committed());
    assertThat(rig.rows("completed")).isEqualTo(1);
    rig.sql(database.dropSchema(tenant));
  }

  /** Makes a schema with a gate table, with its key unless other words say how, and gives its name. */
  private String schemaWithGateTable(String prefix, @Nullable String otherwise) throws SQLException {
    String name = (prefix + database).toUpperCase(Locale.ROOT);
    String stored = database == GateDatabase.POSTGRESQL ? name.toLowerCase(Locale.ROOT) : name;
    rig.sql("CREATE SCHEMA " + name);
    if (otherwise == null) {
      JdbcGate.on(rig.direct).table(name + ".queueworker_gate").createTable();
    } else {
      rig.sql("CREATE TABLE " + name + ".queueworker_gate " + otherwise);
    }
    return stored;
  }

  @Test
  void a_pool_that_reads_uncommitted_takes_no_uncommitted_completion_for_done() throws Exception {
    try (KeptConnection pool = new KeptConnection(rig.direct)) {
      JdbcGate gate = rig.gate(rig.direct);
      JdbcGate dirty = rig.gate(pool);
      pool.physical.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
      Attempt<GateTransaction> first = rig.fresh(gate, KEY, "m-1");
      GateRig.ask(pool.physical, "SELECT 1");
      try (var statement = first.effects().connection().createStatement()) {
        statement.execute("UPDATE queueworker_gate SET state = 'completed'");
      }

      assertThat(dirty.admit(KEY, rig.info("m-2"))).isInstanceOf(Admission.Fresh.class);
      Attempt<GateTransaction> second = rig.fresh(dirty, KEY, "m-2");
      assertThat(second.commit()).isEqualTo(new Outcome.InProgress());

      first.rollback();
      assertThat(pool.physical.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_UNCOMMITTED);
      assertThat(rig.effect(dirty, KEY, "m-2")).isEqualTo(new Outcome.Committed());
      assertThat(pool.physical.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_UNCOMMITTED);
    }
  }

  @Test
  void connections_go_back_as_they_came_when_a_driver_fails_with_a_runtime_exception() throws Exception {
    try (KeptConnection pool = new KeptConnection(rig.direct)) {
      JdbcGate gate = rig.gate(pool);
      Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
      pool.failAt("INSERT", new IllegalArgumentException("the driver's"));
      assertThat(attempt.commit()).isInstanceOf(Outcome.Unavailable.class);
      asItCame(pool, true, "claimed");

      pool.failAt("nothing", new IllegalArgumentException());
      assertThat(rig.effect(gate, KEY, "m-1")).isEqualTo(new Outcome.Committed());
      for (String statement : List.of("UPDATE", database.lockWaitStatement())) {
        pool.failAt(statement, new IllegalArgumentException("the driver's"));
        assertThat(gate.admit(KEY, rig.info("m-2"))).isInstanceOf(Admission.AlreadyDone.class);
        asItCame(pool, true, "counted at " + statement);
        pool.failAt(statement, new SQLException("the driver's"));
        assertThat(gate.admit(KEY, rig.info("m-3"))).isInstanceOf(Admission.AlreadyDone.class);
        asItCame(pool, true, "counted at " + statement);
      }
    }
  }

  @Test
  void a_first_look_that_gives_way_to_another_transaction_is_taken_again_and_no_outage() throws Exception {
    try (KeptConnection pool = new KeptConnection(rig.direct)) {
      JdbcGate gate = rig.gate(pool);
      pool.failAt("SELECT", new SQLException("could not serialize access", "40001"));
      assertThat(gate.admit(KEY, rig.info("m-1"))).isEqualTo(new Admission.InProgress<>());
      asItCame(pool, true, "gave way");
    }
  }

  @Test
  void a_password_in_the_words_of_a_driver_is_not_repeated() throws Exception {
    try (KeptConnection pool = new KeptConnection(rig.direct)) {
      JdbcGate.on(rig.direct).createTable();
      pool.failAtStatement(new SQLException("no luck with jdbc:x://h/db?user=me&password=hunter2&ssl=true"));
      assertThatIllegalStateException()
          .isThrownBy(() -> JdbcGate.on(pool).open())
          .withMessageContaining("user=me")
          .withMessageContaining("ssl=true")
          .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("hunter2"));
    }
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
    rig.sql(database.dropSchema("billing_" + database));
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
    return switch (database) {
      case H2 -> "7000";
      case POSTGRESQL -> "7s";
      case MARIADB -> "7";
    };
  }
}
