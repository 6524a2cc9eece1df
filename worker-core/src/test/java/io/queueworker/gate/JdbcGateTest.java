package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.gate.Admission.Completion;
import io.queueworker.gate.Attempt.Outcome;
import io.queueworker.gate.LeaseStory.Standing;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a key promises, on every database. */
@ParameterizedClass
@MethodSource("io.queueworker.gate.GateDatabase#chosen")
@Tag("postgres")
@Tag("mariadb")
class JdbcGateTest {
  private static final GateKey KEY = new GateKey("orders", "order-1");

  @Parameter GateDatabase database;
  GateRig rig;
  HikariDataSource pool;
  JdbcGate gate;

  @BeforeEach
  void open() throws SQLException {
    rig = new GateRig(database.empty());
    pool = pool(4);
    gate = rig.gate(pool);
  }

  @AfterEach
  void close() {
    assertThat(pool.getHikariPoolMXBean().getActiveConnections()).as("connections not given back").isZero();
    pool.close();
  }

  HikariDataSource pool(int size) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(rig.direct);
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(250);
    return new HikariDataSource(config);
  }

  @ParameterizedTest
  @EnumSource(Standing.class)
  void a_completion_tells_how_its_lease_stood_and_how_long_ago_it_was(Standing standing) throws Exception {
    LeaseStory story =
        standing == Standing.UNKNOWN
            ? LeaseStory.UNKNOWN
            : new LeaseStory(standing, Duration.ofSeconds(30), Duration.ofMillis(12_345));
    assertThat(rig.fresh(gate, KEY, rig.info("m-1", story)).commit()).isEqualTo(new Outcome.Committed());

    Completion by = done(gate.admit(KEY, rig.info("m-2")));

    assertThat(by.lease()).isEqualTo(story);
    assertThat(by.ago()).hasValueSatisfying(ago -> assertThat(ago).isGreaterThanOrEqualTo(Duration.ZERO));
  }

  @Test
  void a_row_that_does_not_say_or_says_what_a_later_version_knows_tells_nothing_about_the_lease() throws Exception {
    LeaseStory held = new LeaseStory(Standing.HELD, Duration.ofSeconds(30), Duration.ofSeconds(12));
    assertThat(rig.fresh(gate, KEY, rig.info("m-1", held)).commit()).isEqualTo(new Outcome.Committed());

    rig.sql("UPDATE queueworker_gate SET lease = 'evaporated'");
    assertThat(done(gate.admit(KEY, rig.info("m-2"))).lease()).isEqualTo(LeaseStory.UNKNOWN);
    rig.sql("UPDATE queueworker_gate SET lease = NULL, visibility_ms = NULL, lease_left_ms = NULL");
    assertThat(done(gate.admit(KEY, rig.info("m-2"))).lease()).isEqualTo(LeaseStory.UNKNOWN);
  }

  @Test
  void an_effect_commits_once_and_redeliveries_are_counted() throws Exception {
    assertThat(rig.effect(gate, KEY, "m-1")).isEqualTo(new Outcome.Committed());

    Completion first = done(gate.admit(KEY, rig.info("m-2")));
    Completion second = done(gate.admit(KEY, rig.info("m-3")));

    assertThat(first.suppressed()).isEqualTo(1);
    assertThat(second.suppressed()).isEqualTo(2);
    assertThat(second.messageId()).isEqualTo("m-1");
    assertThat(second.worker()).isEqualTo("worker-1");
    assertThat(second.receiveCount()).isEqualTo(1);
    assertThat(second.took()).isGreaterThanOrEqualTo(Duration.ZERO);
    assertThat(rig.effects()).isEqualTo(1);
    assertThat(rig.warnings).isEmpty();
  }

  @Test
  void a_rollback_leaves_nothing_and_the_key_is_fresh_again() throws Exception {
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    GateRig.write(attempt.effects().connection(), "m-1");

    assertThat(attempt.rollback()).as("connection lost").isFalse();

    assertThat(rig.effects()).isZero();
    assertThat(rig.rows("started") + rig.rows("completed")).isZero();
    assertThat(rig.effect(gate, KEY, "m-1")).isEqualTo(new Outcome.Committed());
  }

  @Test
  void an_attempt_that_never_opened_rolls_back_without_a_connection() throws Exception {
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");

    assertThat(attempt.effects().dataSource()).isNotNull();
    assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    assertThat(attempt.rollback()).isFalse();
  }

  @Test
  void keys_that_look_alike_are_different_keys() throws Exception {
    List<String> texts =
        List.of("A", "a", "x", "x ", "\u00e9", "e\u0301", "k".repeat(4000), "k".repeat(3999) + "l",
            "\ud83d\ude00", "\ud83d\ude01", "k".repeat(499) + "\ud83d\ude00", "a\0b", "a\ufffdb");
    for (String text : texts) {
      assertThat(rig.effect(gate, new GateKey("orders", text), "m-1")).isEqualTo(new Outcome.Committed());
    }
    assertThat(rig.effects()).isEqualTo(texts.size());
    assertThat(rig.rows("completed")).isEqualTo(texts.size());
  }

  @Test
  void the_row_tells_how_long_the_attempt_took_by_the_clock_of_the_database() throws Exception {
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    attempt.effects().connection();
    String opened = rig.ask("SELECT CURRENT_TIMESTAMP" + (database == GateDatabase.MARIADB ? "(6)" : ""));
    String later = database == GateDatabase.MARIADB
        ? "SELECT CURRENT_TIMESTAMP(6) > CAST('" + opened + "' AS datetime(6)) + INTERVAL 50000 MICROSECOND"
        : "SELECT count(*) WHERE CURRENT_TIMESTAMP > CAST('" + opened
            + "' AS timestamp with time zone) + INTERVAL '50' SECOND / 1000";
    GateRig.await(() -> rig.ask(later).equals("1"));
    attempt.commit();

    assertThat(done(gate.admit(KEY, rig.info("m-2"))).took()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
  }

  @Test
  void the_key_is_shown_to_people_as_it_is() throws Exception {
    String text = "za\u017c\u00f3\u0142\u0107 \uD83D\uDE00";
    rig.effect(gate, new GateKey("orders", text), "m-1");
    assertThat(rig.ask("SELECT key_text FROM queueworker_gate")).isEqualTo(text);
    assertThat(gate.transactional()).isTrue();
  }

  @Test
  void the_same_key_in_two_scopes_runs_in_both() throws Exception {
    for (String scope : List.of("orders", "Orders", "invoices")) {
      assertThat(rig.effect(gate, new GateKey(scope, "1"), scope)).isEqualTo(new Outcome.Committed());
    }
    assertThat(rig.effects()).isEqualTo(3);
  }

  @Test
  void a_second_attempt_is_in_progress_while_the_first_is_open() throws Exception {
    Attempt<GateTransaction> first = rig.fresh(gate, KEY, "m-1");
    GateRig.write(first.effects().connection(), "m-1");
    Attempt<GateTransaction> second = rig.fresh(gate, KEY, "m-2");

    assertThatThrownBy(() -> second.effects().connection())
        .isInstanceOf(GateVerdictException.class)
        .hasMessageContaining("another attempt");
    assertThatThrownBy(() -> second.effects().dataSource().getConnection()).isInstanceOf(GateVerdictException.class);

    assertThat(second.verdict()).contains(new Outcome.InProgress());
    assertThat(second.commit()).as("the handler swallowed it and returned").isEqualTo(new Outcome.InProgress());
    assertThat(first.commit()).isEqualTo(new Outcome.Committed());
    assertThat(rig.effects()).isEqualTo(1);
  }

  @Test
  void a_second_attempt_that_waits_is_done_when_the_first_commits() throws Exception {
    JdbcGate patient = patient();
    Attempt<GateTransaction> first = rig.fresh(gate, KEY, "m-1");
    GateRig.write(first.effects().connection(), "m-1");
    FutureTask<Outcome> second =
        GateRig.start(
            () -> {
              Attempt<GateTransaction> attempt = rig.fresh(patient, KEY, "m-2");
              assertThatThrownBy(() -> attempt.effects().connection())
                  .isInstanceOf(GateVerdictException.class)
                  .hasMessageContaining("already completed");
              attempt.rollback();
              return attempt.verdict().orElseThrow();
            });
    awaitWaiting();

    assertThat(first.commit()).isEqualTo(new Outcome.Committed());

    assertThat(GateRig.get(second)).isInstanceOfSatisfying(
        Outcome.AlreadyDone.class,
        done -> {
          assertThat(done.by().orElseThrow().messageId()).isEqualTo("m-1");
          assertThat(done.by().orElseThrow().suppressed()).isEqualTo(1);
        });
    assertThat(rig.effects()).isEqualTo(1);
  }

  @Test
  void a_second_attempt_that_waits_runs_when_the_first_rolls_back() throws Exception {
    JdbcGate patient = patient();
    Attempt<GateTransaction> first = rig.fresh(gate, KEY, "m-1");
    GateRig.write(first.effects().connection(), "m-1");
    FutureTask<Outcome> second = GateRig.start(() -> rig.effect(patient, KEY, "m-2"));
    awaitWaiting();

    assertThat(first.rollback()).isFalse();

    assertThat(GateRig.get(second)).isEqualTo(new Outcome.Committed());
    assertThat(rig.ask("SELECT id FROM effects")).isEqualTo("m-2");
    assertThat(rig.effects()).isEqualTo(1);
  }

  @Test
  void sixteen_attempts_at_once_commit_one_effect() throws Exception {
    List<Outcome> outcomes = sixteenAtOnce(i -> KEY);

    assertThat(outcomes).filteredOn(new Outcome.Committed()::equals).hasSize(1);
    assertThat(outcomes).filteredOn(Outcome.AlreadyDone.class::isInstance).hasSize(15);
    assertThat(rig.effects()).isEqualTo(1);
    assertThat(rig.ask("SELECT suppressed FROM queueworker_gate")).isEqualTo("15");
  }

  @Test
  void control_sixteen_attempts_at_once_at_sixteen_keys_commit_sixteen_effects() throws Exception {
    assertThat(sixteenAtOnce(i -> new GateKey("orders", "order-" + i))).containsOnly(new Outcome.Committed());
    assertThat(rig.effects()).isEqualTo(16);
  }

  private List<Outcome> sixteenAtOnce(IntFunction<GateKey> keys) throws Exception {
    int attempts = 16;
    pool.close();
    pool = pool(attempts);
    pool.setConnectionTimeout(30_000);
    JdbcGate patient = patient();
    CountDownLatch admitted = new CountDownLatch(attempts);
    List<FutureTask<Outcome>> running = new ArrayList<>();
    for (int i = 0; i < attempts; i++) {
      GateKey key = keys.apply(i);
      String message = "m-" + i;
      running.add(GateRig.start(() -> {
        Attempt<GateTransaction> attempt = rig.fresh(patient, key, message);
        admitted.countDown();
        admitted.await();
        try {
          GateRig.write(attempt.effects().connection(), message);
        } catch (GateVerdictException e) {
          return attempt.verdict().orElseThrow();
        }
        return attempt.commit();
      }));
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (FutureTask<Outcome> task : running) {
      outcomes.add(GateRig.get(task));
    }
    return outcomes;
  }

  @Test
  void a_handler_that_never_opens_gets_its_row_and_one_warning() throws Exception {
    assertThat(rig.fresh(gate, KEY, "m-1").commit()).isEqualTo(new Outcome.Committed());
    assertThat(rig.warnings).hasSize(1);
    assertThat(rig.fresh(gate, new GateKey("orders", "2"), "m-2").commit()).isEqualTo(new Outcome.Committed());

    assertThat(rig.warnings).singleElement().asString().contains("its effect was not in it");
    assertThat(gate.admit(KEY, rig.info("m-3"))).isInstanceOf(Admission.AlreadyDone.class);
  }

  @Test
  void a_row_committed_unfinished_is_told_and_runs_again() throws Exception {
    commitBehindOurBack("m-1");
    assertThat(rig.rows("started")).isEqualTo(1);

    assertThat(rig.effect(gate, KEY, "m-2")).isEqualTo(new Outcome.Committed());

    assertThat(rig.warnings).singleElement().asString().contains("committed unfinished").contains("m-1");
    Completion by = done(gate.admit(KEY, rig.info("m-3")));
    assertThat(by.messageId()).isEqualTo("m-2");
    assertThat(by.suppressed()).isEqualTo(1);
    assertThat(rig.ask("SELECT attempt FROM queueworker_gate")).isEqualTo("2");
  }

  @Test
  void a_native_rollback_is_noticed_and_nothing_is_completed() throws Exception {
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    GateRig.write(attempt.effects().connection(), "m-1");
    execute(attempt, "ROLLBACK");

    assertThat(attempt.commit())
        .isInstanceOfSatisfying(
            Outcome.RolledBack.class, rolledBack -> assertThat(rolledBack.cause()).hasMessageContaining("is gone"));
    assertThat(rig.effects()).isZero();
    assertThat(rig.rows("completed")).isZero();
  }

  @Test
  void a_native_rollback_cannot_complete_the_row_that_an_earlier_attempt_left() throws Exception {
    commitBehindOurBack("m-1");
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    GateRig.write(attempt.effects().connection(), "again");
    execute(attempt, "ROLLBACK");

    assertThat(attempt.commit()).isInstanceOf(Outcome.RolledBack.class);
    assertThat(rig.rows("completed")).isZero();
  }

  @Test
  void a_rollback_by_the_handler_wins_over_its_return() throws Exception {
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    GateRig.write(attempt.effects().connection(), "m-1");
    attempt.effects().connection().rollback();

    assertThat(attempt.commit())
        .isInstanceOfSatisfying(
            Outcome.RolledBack.class, rolledBack -> assertThat(rolledBack.cause()).hasMessageContaining("rollback()"));
    assertThat(rig.effects()).isZero();
  }

  @Test
  void a_savepoint_undoes_a_part() throws Exception {
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    Connection connection = attempt.effects().connection();
    GateRig.write(connection, "kept");
    var savepoint = connection.setSavepoint();
    GateRig.write(connection, "undone");
    connection.rollback(savepoint);

    assertThat(attempt.commit()).isEqualTo(new Outcome.Committed());
    assertThat(rig.ask("SELECT id FROM effects")).isEqualTo("kept");
  }

  @Test
  void a_swallowed_error_never_completes_half_an_effect_on_postgresql() throws Exception {
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    GateRig.write(attempt.effects().connection(), "m-1");
    assertThatThrownBy(() -> execute(attempt, "INSERT INTO nowhere VALUES (1)")).isInstanceOf(SQLException.class);

    Outcome outcome = attempt.commit();

    if (database == GateDatabase.POSTGRESQL) {
      assertThat(outcome)
          .isInstanceOfSatisfying(
              Outcome.RolledBack.class,
              rolledBack -> assertThat(rolledBack.cause()).hasMessageContaining("went on"));
      assertThat(rig.effects()).isZero();
    } else {
      assertThat(outcome).as("H2 and MariaDB undo the statement alone").isEqualTo(new Outcome.Committed());
      assertThat(rig.effects()).isEqualTo(1);
    }
  }

  @Test
  void an_exhausted_pool_is_unavailable_and_no_failure_of_the_message() throws Exception {
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    List<Connection> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(pool.getConnection());
    }

    assertThatThrownBy(() -> attempt.effects().connection())
        .isInstanceOf(GateVerdictException.class)
        .hasMessageContaining("cannot be reached");
    assertThatThrownBy(() -> gate.admit(KEY, rig.info("m-2"))).isInstanceOf(SQLException.class);
    for (Connection connection : all) {
      connection.close();
    }

    assertThat(attempt.rollback()).isTrue();
    assertThat(attempt.verdict()).containsInstanceOf(Outcome.Unavailable.class);
    assertThat(attempt.commit()).isInstanceOf(Outcome.Unavailable.class);
    assertThat(rig.effects()).isZero();
  }

  @Test
  void an_interrupt_while_the_transaction_opens_is_no_verdict() throws Exception {
    FutureTask<Attempt<GateTransaction>> run =
        GateRig.start(
            () -> {
              Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
              List<Connection> all = new ArrayList<>();
              for (int i = 0; i < 4; i++) {
                all.add(pool.getConnection());
              }
              Thread.currentThread().interrupt();
              assertThatThrownBy(() -> attempt.effects().connection())
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("interrupted");
              assertThat(Thread.interrupted()).isTrue();
              for (Connection connection : all) {
                connection.close();
              }
              return attempt;
            });

    Attempt<GateTransaction> attempt = GateRig.get(run);

    assertThat(attempt.verdict()).isEmpty();
    assertThat(attempt.commit())
        .as("the handler swallowed it and returned")
        .isInstanceOfSatisfying(
            Outcome.RolledBack.class, back -> assertThat(back.cause()).hasMessageContaining("interrupted"));
    assertThat(attempt.rollback()).isFalse();
    assertThat(rig.rows("started") + rig.rows("completed")).isZero();
    assertThat(rig.effect(gate, KEY, "m-1")).isEqualTo(new Outcome.Committed());
  }

  @Test
  void a_refusal_is_forgotten_when_the_transaction_opens_after_it() throws Exception {
    FutureTask<Outcome> run =
        GateRig.start(
            () -> {
              Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
              refuseOnAnotherThread(attempt);
              GateRig.write(attempt.effects().connection(), "m-1");
              return attempt.commit();
            });

    assertThat(GateRig.get(run)).isEqualTo(new Outcome.Committed());
    assertThat(rig.effects()).isEqualTo(1);
  }

  @Test
  void an_effect_that_was_refused_to_another_thread_is_not_taken_for_done() throws Exception {
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    refuseOnAnotherThread(attempt);

    assertThat(attempt.commit())
        .isInstanceOfSatisfying(
            Outcome.RolledBack.class,
            back -> assertThat(back.cause()).hasMessageContaining("for the thread of its handler"));
    assertThat(rig.rows("started") + rig.rows("completed")).isZero();
  }

  @Test
  void an_error_while_the_transaction_opens_is_not_taken_for_done() throws Exception {
    try (KeptConnection broken = new KeptConnection(rig.direct)) {
      Attempt<GateTransaction> attempt = rig.fresh(rig.gate(broken), KEY, "m-1");
      broken.failAt("INSERT", new StackOverflowError("the driver's"));
      assertThatThrownBy(() -> attempt.effects().connection()).isInstanceOf(StackOverflowError.class);
      assertThat(broken.returned).as("connections given back").isEqualTo(broken.lent);
      broken.failAt("nothing", new StackOverflowError());

      assertThat(attempt.commit()).isInstanceOf(Outcome.RolledBack.class);
      assertThat(rig.rows("started") + rig.rows("completed")).isZero();
    }
  }

  private static void refuseOnAnotherThread(Attempt<GateTransaction> attempt) throws Exception {
    FutureTask<Void> other =
        GateRig.start(
            () -> {
              assertThatThrownBy(() -> attempt.effects().connection()).isInstanceOf(IllegalStateException.class);
              return null;
            });
    GateRig.get(other);
  }

  @Test
  void a_row_that_the_database_refuses_fails_its_message_and_no_other() throws Exception {
    rig.sql("ALTER TABLE queueworker_gate ADD CONSTRAINT no_poison CHECK (key_text <> 'poison')");
    Attempt<GateTransaction> poison = rig.fresh(gate, new GateKey("orders", "poison"), "m-1");

    assertThatThrownBy(() -> poison.effects().connection())
        .isInstanceOf(GateVerdictException.class)
        .hasMessageContaining("refused the gate's row");

    assertThat(poison.rollback()).as("connection lost").isFalse();
    assertThat(poison.verdict()).containsInstanceOf(Outcome.RolledBack.class);
    assertThat(poison.commit()).isInstanceOf(Outcome.RolledBack.class);
    assertThat(rig.effect(gate, KEY, "m-2")).isEqualTo(new Outcome.Committed());
  }

  @Test
  void a_discarded_connection_is_not_handed_out_dead_or_with_its_transaction() throws Exception {
    try (HikariDataSource single = pool(1)) {
      JdbcGate one = rig.gate(single);
      OpenTransaction transaction = new PooledTransactions(single).begin();
      GateRig.write(transaction.connection(), "discarded");
      transaction.discard();

      assertThat(one.admit(KEY, rig.info("m-1"))).isInstanceOf(Admission.Fresh.class);
      assertThat(rig.effects()).isZero();
      assertThat(single.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
  }

  private void commitBehindOurBack(String message) throws SQLException {
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, message);
    GateRig.write(attempt.effects().connection(), message);
    execute(attempt, database == GateDatabase.POSTGRESQL ? "COMMIT" : "CREATE TABLE ddl_commits (a int)");
    attempt.rollback();
  }

  private static void execute(Attempt<GateTransaction> attempt, String sql) throws SQLException {
    try (Statement statement = attempt.effects().connection().createStatement()) {
      statement.execute(sql);
    }
  }

  private JdbcGate patient() {
    JdbcGate patient = JdbcGate.on(pool).lockWait(Duration.ofSeconds(60));
    patient.open();
    return patient;
  }

  private void awaitWaiting() throws Exception {
    GateRig.await(() -> !rig.ask(database.waitingQuery()).equals("0"));
  }

  private static Completion done(Admission<GateTransaction> admission) {
    assertThat(admission).isInstanceOf(Admission.AlreadyDone.class);
    return ((Admission.AlreadyDone<GateTransaction>) admission).by().orElseThrow();
  }
}
