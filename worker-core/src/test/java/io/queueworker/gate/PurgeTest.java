package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.gate.Attempt.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a purge deletes and what it leaves, on every database. */
@ParameterizedClass
@MethodSource("io.queueworker.gate.GateDatabase#chosen")
@Tag("postgres")
@Tag("mariadb")
class PurgeTest {
  private static final Duration KEPT = Duration.ofDays(45);

  @Parameter GateDatabase database;
  GateRig rig;
  JdbcGate gate;

  @BeforeEach
  void open() throws SQLException {
    rig = new GateRig(database.empty());
    gate = rig.gate(rig.direct);
  }

  private GateKey done(String scope, String text, int minutesAgo) throws SQLException {
    GateKey key = new GateKey(scope, text);
    assertThat(rig.effect(gate, key, "m-" + text)).isEqualTo(new Outcome.Committed());
    age(text, minutesAgo);
    return key;
  }

  /** Moves a row into the past of the database's clock. */
  private void age(String text, int minutes) throws SQLException {
    String by = " - INTERVAL '" + minutes + "' MINUTE";
    rig.sql(
        "UPDATE queueworker_gate SET started_at = started_at" + by + ", completed_at = completed_at" + by
            + " WHERE key_text = '" + text + "'");
  }

  private static int days(int days) {
    return days * 24 * 60;
  }

  private long rows() throws SQLException {
    return Long.parseLong(rig.ask("SELECT count(*) FROM queueworker_gate"));
  }

  private void completed(int keys, String... scopes) throws SQLException {
    for (String scope : scopes) {
      for (int i = 0; i < keys; i++) {
        rig.effect(gate, new GateKey(scope, scope + i), "m");
      }
    }
    rig.sql("UPDATE queueworker_gate SET completed_at = completed_at - INTERVAL '46' DAY");
  }

  @Test
  void completed_keys_older_than_the_retention_go_and_all_else_stays() throws Exception {
    GateKey old = done("orders", "old", days(45) + 1);
    GateKey young = done("orders", "young", days(45) - 1);
    GateKey elsewhere = done("invoices", "old", days(200));
    done("orders", "unfinished", days(200));
    rig.sql("UPDATE queueworker_gate SET state = 'started', completed_at = NULL WHERE key_text = 'unfinished'");
    List<Purge.Progress> steps = new ArrayList<>();

    long begun = System.nanoTime();
    Purge.Result result = gate.purge(KEPT).onStep(steps::add).run();

    Duration within = Duration.ofNanos(System.nanoTime() - begun);
    assertThat(result.lookedAt()).isEqualTo(4);
    assertThat(result.deleted()).isEqualTo(2);
    assertThat(result.left()).isZero();
    assertThat(result.took()).isPositive().isLessThanOrEqualTo(within);
    assertThat(steps).allSatisfy(
        step -> {
          assertThat(step.step().took()).isPositive().isLessThanOrEqualTo(step.total().took());
          assertThat(step.total().took()).isLessThanOrEqualTo(result.took());
        });
    assertThat(steps).extracting(step -> step.position().scope()).containsExactly("invoices", "orders");
    assertThat(rows()).isEqualTo(2);
    assertThat(gate.admit(young, rig.info("m-2"))).isInstanceOf(Admission.AlreadyDone.class);
    for (GateKey purged : List.of(old, elsewhere)) {
      assertThat(gate.admit(purged, rig.info("m-2"))).isInstanceOf(Admission.Fresh.class);
    }
    assertThat(rig.rows("started")).isEqualTo(1);
  }

  @Test
  void a_queue_with_shorter_retentions_may_be_purged_sooner_and_alone() throws Exception {
    done("orders", "three days", days(3));
    done("orders", "two days", days(2));
    done("invoices", "old", days(44));
    Retention retention = Retention.forQueue(Duration.ofDays(1), Duration.ZERO, Duration.ofHours(12));

    Purge.Result result = gate.purge(retention).scope("orders").run();

    assertThat(result.lookedAt()).isEqualTo(2);
    assertThat(result.deleted()).isEqualTo(1);
    assertThat(rig.ask("SELECT count(*) FROM queueworker_gate WHERE key_text IN ('two days', 'old')")).isEqualTo("2");
    assertThatIllegalArgumentException().isThrownBy(() -> gate.purge(Duration.ofDays(3)));
  }

  @Test
  void it_goes_in_steps_of_bounded_size_to_the_end_of_the_table() throws Exception {
    completed(9, "a", "b", "c");
    done("b", "young", 0);
    List<Purge.Progress> steps = new ArrayList<>();

    Purge.Result result = gate.purge(KEPT).rowsPerStep(3).onStep(steps::add).run();

    assertThat(result.lookedAt()).isEqualTo(28);
    assertThat(result.deleted()).isEqualTo(27);
    assertThat(rows()).isEqualTo(1);
    assertThat(steps).extracting(step -> step.step().lookedAt()).containsExactly(3L, 3L, 3L, 3L, 3L, 3L, 1L, 3L, 3L,
        3L);
    assertThat(steps.stream().mapToLong(step -> step.step().deleted()).sum()).isEqualTo(27);
    assertThat(steps.getLast().total().deleted()).isEqualTo(27);
    assertThat(gate.purge(KEPT).run().deleted()).isZero();
  }

  @Test
  void an_empty_table_has_nothing_to_look_at() throws Exception {
    assertThat(gate.purge(KEPT).run().lookedAt()).isZero();
    assertThat(gate.purge(KEPT).scope("orders").run().lookedAt()).isZero();
  }

  @Test
  void an_interrupt_ends_it_between_steps_and_another_goes_on_from_there() throws Exception {
    completed(10, "a", "b");
    List<Purge.Progress> steps = new ArrayList<>();
    Purge purge =
        gate.purge(KEPT)
            .rowsPerStep(4)
            .onStep(
                step -> {
                  steps.add(step);
                  if (steps.size() == 4) {
                    Thread.currentThread().interrupt();
                  }
                });

    assertThatThrownBy(purge::run).isInstanceOf(InterruptedException.class).hasMessageContaining("deleted=14");

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(rows()).isEqualTo(6);
    Purge.Result rest = gate.purge(KEPT).rowsPerStep(4).after(steps.getLast().position()).run();
    assertThat(rest.lookedAt()).isEqualTo(6);
    assertThat(rest.deleted()).isEqualTo(6);
    assertThat(rows()).isZero();
  }

  @Test
  void an_interrupted_thread_does_not_begin() throws Exception {
    completed(1, "a");
    Thread.currentThread().interrupt();
    assertThatThrownBy(gate.purge(KEPT)::run).isInstanceOf(InterruptedException.class);
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void purges_at_the_same_time_and_attempts_beside_them_do_no_harm() throws Exception {
    completed(50, "a", "b");
    List<FutureTask<Purge.Result>> purges = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      purges.add(GateRig.start(() -> gate.purge(KEPT).rowsPerStep(7).run()));
    }
    for (int i = 0; i < 30; i++) {
      assertThat(rig.effect(gate, new GateKey("a", "new" + i), "m")).isEqualTo(new Outcome.Committed());
    }
    long deleted = 0;
    long left = 0;
    for (FutureTask<Purge.Result> purge : purges) {
      deleted += GateRig.get(purge).deleted();
      left += GateRig.get(purge).left();
    }
    if (left > 0) {
      deleted += gate.purge(KEPT).run().deleted();
    }
    assertThat(deleted).isEqualTo(100);
    assertThat(rows()).isEqualTo(30);
    assertThat(rig.effects()).isEqualTo(130);
  }

  @Test
  void a_row_that_another_transaction_holds_is_left_for_the_next_purge() throws Exception {
    completed(3, "a");
    try (Connection blocker = rig.direct.getConnection();
        Statement statement = blocker.createStatement()) {
      // Else MariaDB locks every row that it looks at on the way.
      blocker.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      blocker.setAutoCommit(false);
      statement.execute("UPDATE queueworker_gate SET suppressed = 7 WHERE key_text = 'a1'");

      Purge.Result result = gate.purge(KEPT).rowsPerStep(1).run();

      assertThat(result.lookedAt()).isEqualTo(3);
      assertThat(result.deleted()).isEqualTo(2);
      assertThat(result.left()).isEqualTo(1);
      blocker.rollback();
    }
    assertThat(gate.purge(KEPT).run().deleted()).isEqualTo(1);
  }

  @Test
  void connections_go_back_as_they_came() throws Exception {
    completed(3, "a");
    try (KeptConnection pool = new KeptConnection(rig.direct)) {
      String before = GateRig.ask(pool.physical, database.lockTimeoutQuery());
      assertThat(JdbcGate.on(pool).purge(KEPT).run().deleted()).isEqualTo(3);
      assertThat(GateRig.ask(pool.physical, database.lockTimeoutQuery())).isEqualTo(before);
      assertThat(pool.physical.getAutoCommit()).isTrue();
    }
  }

  @Test
  void connections_go_back_as_they_came_when_a_row_is_held_or_a_statement_fails() throws Exception {
    completed(2, "a");
    try (KeptConnection pool = new KeptConnection(rig.direct);
        Connection blocker = rig.direct.getConnection();
        Statement statement = blocker.createStatement()) {
      String before = GateRig.ask(pool.physical, database.lockTimeoutQuery());
      JdbcGate purging = JdbcGate.on(pool).lockWait(GateRig.SHORT);
      blocker.setAutoCommit(false);
      statement.execute("UPDATE queueworker_gate SET suppressed = 7");
      assertThat(purging.purge(KEPT).run().left()).isEqualTo(2);
      blocker.rollback();
      assertThat(GateRig.ask(pool.physical, database.lockTimeoutQuery())).isEqualTo(before);
      assertThat(pool.physical.getAutoCommit()).isTrue();

      pool.failAt("DELETE", new SQLException("the driver's"));
      assertThatIllegalStateException().isThrownBy(() -> purging.purge(KEPT).run());
      assertThat(GateRig.ask(pool.physical, database.lockTimeoutQuery())).isEqualTo(before);
      assertThat(pool.physical.getAutoCommit()).isTrue();
      assertThat(rows()).isEqualTo(2);
    }
  }

  @Test
  void what_a_listener_throws_ends_it_and_what_is_deleted_stays_deleted() throws Exception {
    completed(4, "a");
    IllegalArgumentException thrown = new IllegalArgumentException("enough");
    Purge purge =
        gate.purge(KEPT)
            .rowsPerStep(2)
            .onStep(
                step -> {
                  throw thrown;
                });
    assertThatThrownBy(purge::run).isSameAs(thrown);
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void a_missing_table_is_named_with_what_to_do() {
    assertThatIllegalStateException()
        .isThrownBy(() -> JdbcGate.on(rig.direct).table("missing_gate").purge(KEPT).run())
        .withMessageContaining("missing_gate")
        .withMessageContaining("SELECT and DELETE")
        .withMessageContaining("run it again");
  }

  @Test
  void step_sizes_outside_the_range_are_refused() {
    IntStream.of(0, -1, 10_001)
        .forEach(
            rows -> assertThatIllegalArgumentException()
                .isThrownBy(() -> gate.purge(KEPT).rowsPerStep(rows))
                .withMessageContaining(rows + "; allowed is from 1 to 10000"));
    assertThat(gate.purge(KEPT).rowsPerStep(1).rowsPerStep(10_000)).isNotNull();
  }
}
