package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.gate.Attempt.Handling;
import io.queueworker.gate.Attempt.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The gate in transactions of a runner, here one of plain JDBC whose end each test can bend. */
@ParameterizedClass
@MethodSource("io.queueworker.gate.GateDatabase#chosen")
@Tag("postgres")
class RunnerGateTest {
  private static final GateKey KEY = new GateKey("orders", "42");
  private static final Handling<GateTransaction> UNEXPECTED = tx -> {
    throw new AssertionError("the handler must not run");
  };
  private final AtomicInteger transactions = new AtomicInteger();
  @Parameter GateDatabase database;
  private DataSource direct;
  private GateRig rig;

  /** Ends the next attempt's transaction in its own way; the gate's short ones end as they should. */
  private @Nullable End end;

  @BeforeEach
  void fill() throws SQLException {
    direct = database.empty();
    rig = new GateRig(direct);
  }

  /** How a transaction whose work returned ends. */
  @FunctionalInterface
  interface End {
    void of(Connection connection) throws Exception;
  }

  private void runner(TransactionRunner.Work work) throws Exception {
    transactions.incrementAndGet();
    try (Connection connection = direct.getConnection()) {
      connection.setAutoCommit(false);
      try {
        work.run(connection);
      } catch (Throwable t) {
        connection.rollback();
        throw t;
      }
      End once = end;
      if (once != null && "completed".equals(rowState(connection))) {
        end = null;
        once.of(connection);
      } else {
        connection.commit();
      }
    }
  }

  private static @Nullable String rowState(Connection connection) throws SQLException {
    return GateRig.ask(connection, "SELECT max(state) FROM queueworker_gate");
  }

  private JdbcGate gate() {
    JdbcGate.on(direct).createTable();
    return opened(this::runner);
  }

  private static JdbcGate opened(TransactionRunner runner) {
    JdbcGate gate = JdbcGate.on(runner).lockWait(GateRig.SHORT);
    gate.open();
    return gate;
  }

  private Outcome run(JdbcGate gate, Handling<GateTransaction> handling) throws SQLException {
    return rig.fresh(gate, KEY, "m-1").run(handling);
  }

  private static Handling<GateTransaction> effect(boolean mayCommit) {
    return tx -> {
      try {
        GateRig.write(tx.connection(), "e");
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
      return mayCommit;
    };
  }

  private void assertNothingStays() throws SQLException {
    assertThat(rig.effects()).isZero();
    assertThat(rig.rows("started")).isZero();
    assertThat(rig.rows("completed")).isZero();
  }

  @Test
  void effect_and_key_commit_together_and_the_next_one_is_done() throws Exception {
    JdbcGate gate = gate();
    assertThat(run(gate, effect(true))).isEqualTo(new Outcome.Committed());
    assertThat(rig.effects()).isEqualTo(1);
    assertThat(rig.rows("completed")).isEqualTo(1);
    assertThat(gate.admit(KEY, rig.info("m-2"))).isInstanceOfSatisfying(Admission.AlreadyDone.class,
        done -> assertThat(((Admission.AlreadyDone<?>) done).by().orElseThrow().suppressed()).isEqualTo(1));
    assertThat(gate.admit(KEY, rig.info("m-2"))).isInstanceOfSatisfying(Admission.AlreadyDone.class,
        done -> assertThat(((Admission.AlreadyDone<?>) done).by().orElseThrow().suppressed()).isEqualTo(2));
    assertThat(rig.warnings).isEmpty();
  }

  @Test
  void the_row_keeps_how_the_lease_stood_at_the_completion() throws Exception {
    JdbcGate gate = gate();
    LeaseStory lost = new LeaseStory(LeaseStory.Standing.BEATS_DENIED, Duration.ofSeconds(30), Duration.ZERO);
    assertThat(rig.fresh(gate, KEY, rig.info("m-1", lost)).run(effect(true))).isEqualTo(new Outcome.Committed());

    assertThat(gate.admit(KEY, rig.info("m-2"))).isInstanceOfSatisfying(Admission.AlreadyDone.class,
        done -> assertThat(((Admission.AlreadyDone<?>) done).by().orElseThrow().lease()).isEqualTo(lost));
  }

  @Test
  void the_runner_can_create_the_table_too() throws Exception {
    JdbcGate gate = JdbcGate.on(this::runner);
    gate.createTable();
    gate.open();
    assertThat(run(gate, effect(true))).isEqualTo(new Outcome.Committed());
  }

  @Test
  void a_message_costs_three_transactions() throws Exception {
    JdbcGate gate = gate();
    transactions.set(0);
    run(gate, effect(true));
    assertThat(transactions).hasValue(3);
  }

  @Test
  void a_decision_against_it_rolls_both_back() throws Exception {
    assertThat(run(gate(), effect(false))).isEqualTo(new Outcome.Undone(false));
    assertNothingStays();
  }

  @Test
  void a_connection_that_broke_under_the_handler_is_the_stores_fault() throws Exception {
    Connection[] raw = new Connection[1];
    JdbcGate.on(direct).createTable();
    JdbcGate breaking = opened(work -> runner(connection -> {
      raw[0] = connection;
      work.run(connection);
    }));
    assertThat(run(breaking, tx -> {
      try {
        raw[0].close();
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
      return false;
    })).isEqualTo(new Outcome.Undone(true));
    assertNothingStays();
  }

  @Test
  void a_transaction_that_the_runner_rolls_back_without_a_word_is_not_taken_for_committed() throws Exception {
    JdbcGate gate = gate();
    end = Connection::rollback;
    assertThat(run(gate, effect(true))).isInstanceOfSatisfying(Outcome.RolledBack.class,
        back -> assertThat(back.cause()).hasMessageContaining("marked rollback-only"));
    assertNothingStays();
    assertThat(run(gate, effect(true))).isEqualTo(new Outcome.Committed());
  }

  @Test
  void a_commit_that_fails_before_it_is_sent_is_a_failure_of_the_message() throws Exception {
    JdbcGate gate = gate();
    IllegalStateException unflushed = new IllegalStateException("a value is missing");
    end = connection -> {
      connection.rollback();
      throw unflushed;
    };
    assertThat(run(gate, effect(true))).isEqualTo(new Outcome.RolledBack(unflushed));
    assertNothingStays();
  }

  @Test
  void a_commit_that_the_server_refuses_is_classified_by_its_cause() throws Exception {
    JdbcGate gate = gate();
    RuntimeException wrapped = new RuntimeException(new SQLException("duplicate", "23505"));
    end = connection -> {
      connection.rollback();
      throw wrapped;
    };
    assertThat(run(gate, effect(true))).isEqualTo(new Outcome.RolledBack(wrapped));
    end = connection -> {
      connection.rollback();
      throw new RuntimeException(new SQLException("serialization", "40001"));
    };
    assertThat(run(gate, effect(true))).isInstanceOf(Outcome.InProgress.class);
    assertNothingStays();
  }

  @Test
  void a_commit_whose_answer_was_lost_is_seen_in_the_row() throws Exception {
    JdbcGate gate = gate();
    end = connection -> {
      connection.commit();
      throw new RuntimeException(new SQLException("gone", "08006"));
    };
    assertThat(run(gate, effect(true))).isEqualTo(new Outcome.Committed());
    assertThat(rig.effects()).isEqualTo(1);
    assertThat(rig.warnings).singleElement().asString().contains("the effect is committed");
  }

  @Test
  void a_lost_connection_whose_row_is_absent_is_unknown() throws Exception {
    JdbcGate gate = gate();
    end = connection -> {
      connection.rollback();
      throw new RuntimeException(new SQLException("gone", "08006"));
    };
    assertThat(run(gate, effect(true))).isInstanceOf(Outcome.CommitUnknown.class);
  }

  @Test
  void a_transaction_that_may_still_commit_is_unknown() throws Exception {
    JdbcGate gate = gate();
    List<Connection> open = new ArrayList<>();
    JdbcGate leaving = opened(work -> {
      if (!open.isEmpty()) {
        runner(work);
        return;
      }
      Connection connection = direct.getConnection();
      connection.setAutoCommit(false);
      work.run(connection);
      if ("completed".equals(rowState(connection))) {
        open.add(connection);
        throw new IllegalStateException("the framework lost track of it");
      }
      connection.commit();
      connection.close();
    });
    assertThat(run(leaving, effect(true))).isInstanceOf(Outcome.CommitUnknown.class);
    open.get(0).commit();
    open.get(0).close();
    assertThat(gate.admit(KEY, rig.info("m-1"))).isInstanceOf(Admission.AlreadyDone.class);
  }

  @Test
  void what_throws_after_the_commit_is_told_and_the_effect_counts() throws Exception {
    JdbcGate gate = gate();
    end = connection -> {
      connection.commit();
      throw new RuntimeException("a listener failed", new SQLException("duplicate", "23505"));
    };
    assertThat(run(gate, effect(true))).isEqualTo(new Outcome.Committed());
    assertThat(rig.warnings).singleElement().asString().contains("a listener failed");
  }

  @Test
  void a_key_in_progress_elsewhere_keeps_the_handler_from_starting() throws Exception {
    JdbcGate gate = gate();
    Attempt<GateTransaction> first = rig.fresh(pooled(), KEY, "m-0");
    first.effects().connection();
    assertThat(run(gate, UNEXPECTED)).isEqualTo(new Outcome.InProgress());
    first.rollback();
    assertThat(run(gate, effect(true))).isEqualTo(new Outcome.Committed());
  }

  private JdbcGate pooled() {
    JdbcGate pooled = JdbcGate.on(direct);
    pooled.open();
    return pooled;
  }

  @Test
  void a_key_completed_meanwhile_keeps_the_handler_from_starting() throws Exception {
    JdbcGate gate = gate();
    Attempt<GateTransaction> late = rig.fresh(gate, KEY, "m-2");
    assertThat(run(gate, effect(true))).isEqualTo(new Outcome.Committed());
    assertThat(late.run(UNEXPECTED)).isInstanceOfSatisfying(Outcome.AlreadyDone.class,
        done -> assertThat(done.by().orElseThrow().suppressed()).isEqualTo(1));
    assertThat(rig.effects()).isEqualTo(1);
  }

  @Test
  void a_handler_that_asked_for_a_rollback_or_was_refused_the_connection_does_not_commit() throws Exception {
    JdbcGate gate = gate();
    assertThat(run(gate, tx -> {
      try {
        GateRig.write(tx.connection(), "e");
        tx.connection().rollback();
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
      return true;
    })).isInstanceOf(Outcome.RolledBack.class);
    assertThat(run(gate, tx -> {
      FutureTask<Connection> elsewhere = GateRig.start(tx::connection);
      assertThatThrownBy(() -> GateRig.get(elsewhere)).hasMessageContaining("for the thread of its handler");
      return true;
    })).isInstanceOf(Outcome.RolledBack.class);
    assertNothingStays();
  }

  @Test
  void a_runner_that_cannot_begin_makes_the_store_unavailable() throws Exception {
    JdbcGate gate = gate();
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    rig.sql("DROP TABLE queueworker_gate");
    assertThat(attempt.run(UNEXPECTED)).isInstanceOf(Outcome.Unavailable.class);
    assertThatThrownBy(() -> gate.admit(KEY, rig.info("m-1"))).isInstanceOf(SQLException.class);
    JdbcGate away = JdbcGate.on(work -> {
      throw new IllegalStateException("no connection", new SQLException("refused", "08001"));
    });
    assertThatThrownBy(away::open).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot be reached");
  }

  @Test
  void a_connection_outside_the_transaction_is_refused_at_the_start() {
    JdbcGate.on(direct).createTable();
    assertThatThrownBy(() -> opened(work -> {
      try (Connection connection = direct.getConnection()) {
        work.run(connection);
      }
    })).isInstanceOf(IllegalStateException.class).hasMessageContaining("autocommit");
  }

  @Test
  void a_transaction_that_reads_uncommitted_is_refused_at_the_start_where_there_is_such_a_thing() throws Exception {
    JdbcGate.on(direct).createTable();
    TransactionRunner dirty = work -> {
      try (Connection connection = direct.getConnection()) {
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
        connection.setAutoCommit(false);
        work.run(connection);
        connection.commit();
      }
    };
    if (database == GateDatabase.POSTGRESQL) {
      assertThat(run(opened(dirty), effect(true))).isEqualTo(new Outcome.Committed());
    } else {
      assertThatThrownBy(() -> opened(dirty)).hasMessageContaining("READ UNCOMMITTED");
    }
  }

  @Test
  void a_runner_that_does_not_run_its_work_is_refused_at_the_start() {
    JdbcGate.on(direct).createTable();
    assertThatThrownBy(() -> opened(work -> {})).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("without having run its work");
  }

  @Test
  void a_runner_that_swallows_the_rollback_is_told() throws Exception {
    JdbcGate.on(direct).createTable();
    JdbcGate swallowing = opened(work -> {
      try (Connection connection = direct.getConnection()) {
        connection.setAutoCommit(false);
        try {
          work.run(connection);
        } catch (RuntimeException e) {
          assertThat(e).isInstanceOf(RollbackRequest.class);
        }
        connection.commit();
      }
    });
    assertThat(run(swallowing, effect(false))).isEqualTo(new Outcome.Undone(false));
    assertThat(rig.warnings).singleElement().asString().contains("must roll back");
    assertThat(rig.rows("completed")).isZero();
  }

  @Test
  void a_runner_that_repeats_its_work_runs_the_handler_once() throws Exception {
    JdbcGate gate = gate();
    AtomicInteger runs = new AtomicInteger();
    JdbcGate repeating = opened(work -> {
      try {
        runner(work);
      } catch (RollbackRequest again) {
        assertThatThrownBy(() -> runner(work)).hasMessageContaining("it ran it again, as a retry does");
        throw again;
      }
    });
    assertThat(run(repeating, tx -> {
      runs.incrementAndGet();
      return false;
    })).isEqualTo(new Outcome.Undone(false));
    assertThat(runs).hasValue(1);
    assertThat(run(gate, effect(true))).isEqualTo(new Outcome.Committed());
  }

  @Test
  void a_runner_that_changes_the_thread_does_not_run_the_handler() throws Exception {
    JdbcGate.on(direct).createTable();
    JdbcGate elsewhere = opened(work -> {
      FutureTask<Boolean> task = GateRig.start(() -> {
        runner(work);
        return true;
      });
      GateRig.get(task);
    });
    assertThat(run(elsewhere, UNEXPECTED)).isInstanceOfSatisfying(Outcome.Unavailable.class,
        gone -> assertThat(gone.cause()).hasStackTraceContaining("it ran it on the thread"));
  }

  @Test
  void the_lock_timeout_is_as_before_when_the_handler_runs_and_when_it_was_counted() throws Exception {
    JdbcGate gate = gate();
    String before = rig.ask(database.lockTimeoutQuery());
    run(gate, tx -> {
      try {
        assertThat(GateRig.ask(tx.connection(), database.lockTimeoutQuery())).isEqualTo(before);
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
      return true;
    });
    List<String> after = new ArrayList<>();
    JdbcGate watched = opened(work -> runner(connection -> {
      work.run(connection);
      try {
        after.add(GateRig.ask(connection, database.lockTimeoutQuery()));
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }));
    after.clear();
    assertThat(watched.admit(KEY, rig.info("m-2"))).isInstanceOf(Admission.AlreadyDone.class);
    assertThat(after).hasSize(2).last().isIn(before, GateRig.SHORT.toMillis() + "ms");
    assertThat(rig.ask(database.lockTimeoutQuery())).isEqualTo(before);
  }

  @Test
  void a_purge_goes_through_the_runner_too() throws Exception {
    JdbcGate gate = gate();
    run(gate, effect(true));
    Duration kept = Duration.ofDays(45);
    assertThat(gate.purge(kept).run().deleted()).isZero();
    rig.sql("UPDATE queueworker_gate SET completed_at = completed_at - INTERVAL '46' DAY");
    assertThat(gate.purge(kept).run().deleted()).isEqualTo(1);
    assertThat(rig.rows("completed")).isZero();
  }

  @Test
  void only_run_works_on_such_an_attempt() throws Exception {
    Attempt<GateTransaction> attempt = rig.fresh(gate(), KEY, "m-1");
    assertThat(attempt.verdict()).isEmpty();
    assertThatThrownBy(attempt::effects).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(attempt::commit).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(attempt::rollback).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void a_runner_that_fails_before_it_ran_its_work_or_never_runs_it_makes_the_store_unavailable() throws Exception {
    JdbcGate.on(direct).createTable();
    List<RuntimeException> failures = new ArrayList<>();
    boolean[] away = new boolean[1];
    JdbcGate failing = opened(work -> {
      if (!away[0]) {
        runner(work);
      } else if (!failures.isEmpty()) {
        throw failures.get(0);
      }
    });
    Attempt<GateTransaction> first = rig.fresh(failing, KEY, "m-1");
    Attempt<GateTransaction> second = rig.fresh(failing, KEY, "m-1");
    away[0] = true;
    assertThat(first.run(UNEXPECTED)).isInstanceOfSatisfying(Outcome.Unavailable.class,
        gone -> assertThat(gone.cause()).hasMessageContaining("without having run its work"));
    failures.add(new IllegalStateException("no connection"));
    assertThat(second.run(UNEXPECTED)).isEqualTo(new Outcome.Unavailable(failures.get(0)));
  }

  @Test
  void a_connection_outside_the_transaction_is_refused_to_each_attempt() throws Exception {
    JdbcGate.on(direct).createTable();
    boolean[] autoCommit = new boolean[1];
    JdbcGate turning = opened(work -> {
      if (autoCommit[0]) {
        try (Connection connection = direct.getConnection()) {
          work.run(connection);
        }
      } else {
        runner(work);
      }
    });
    Attempt<GateTransaction> attempt = rig.fresh(turning, KEY, "m-1");
    autoCommit[0] = true;
    assertThat(attempt.run(UNEXPECTED)).isInstanceOfSatisfying(Outcome.Unavailable.class,
        gone -> assertThat(gone.cause()).hasMessageContaining("autocommit"));
    assertNothingStays();
  }

  @Test
  void a_row_that_the_database_refuses_fails_its_message() throws Exception {
    JdbcGate gate = gate();
    rig.sql("ALTER TABLE queueworker_gate ADD CONSTRAINT no_poison CHECK (key_text <> '42')");
    assertThat(run(gate, UNEXPECTED)).isInstanceOfSatisfying(Outcome.RolledBack.class,
        back -> assertThat(back.cause()).hasMessageContaining("refused the gate's row"));
    assertNothingStays();
  }

  @Test
  void a_row_committed_unfinished_is_told_and_runs_again() throws Exception {
    JdbcGate gate = gate();
    assertThat(run(gate, effect(true))).isEqualTo(new Outcome.Committed());
    rig.sql("UPDATE queueworker_gate SET state = 'started', completed_at = NULL");
    assertThat(run(gate, effect(true))).isEqualTo(new Outcome.Committed());
    assertThat(rig.warnings).singleElement().asString().contains("committed unfinished").contains("m-1");
  }

  @Test
  void nobody_gets_the_connection_after_the_handler_however_that_ended() throws Exception {
    JdbcGate gate = gate();
    List<GateTransaction> kept = new ArrayList<>();
    List<Connection> views = new ArrayList<>();
    for (boolean mayCommit : List.of(false, true)) {
      run(gate, tx -> {
        kept.add(tx);
        views.add(tx.connection());
        return mayCommit;
      });
    }
    GateKey other = new GateKey("orders", "43");
    StackOverflowError error = new StackOverflowError();
    assertThat(rig.fresh(gate, other, "m-1").run(tx -> {
      kept.add(tx);
      views.add(tx.connection());
      throw error;
    })).isEqualTo(new Outcome.Unavailable(error));
    assertThat(kept).hasSize(3).allSatisfy(
        tx -> assertThatThrownBy(tx::connection).hasMessageEndingWith("\" after the end"));
    assertThat(views).hasSize(3).allSatisfy(
        view -> assertThatThrownBy(view::createStatement).hasMessageContaining("after the handler ended"));
  }

  @Test
  void a_key_that_cannot_be_completed_does_not_commit_its_effect() throws Exception {
    JdbcGate gate = gate();
    rig.sql("ALTER TABLE queueworker_gate ADD CONSTRAINT no_end CHECK (state <> 'completed')");
    assertThat(run(gate, effect(true))).isInstanceOfSatisfying(Outcome.RolledBack.class,
        back -> assertThat(back.cause()).hasMessageContaining("could not be completed"));
    assertNothingStays();
  }

  @Test
  void a_row_that_the_handler_removed_does_not_commit() throws Exception {
    assertThat(run(gate(), tx -> {
      try (var statement = tx.connection().createStatement()) {
        GateRig.write(tx.connection(), "e");
        statement.execute("DELETE FROM queueworker_gate");
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
      return true;
    })).isInstanceOfSatisfying(Outcome.RolledBack.class,
        back -> assertThat(back.cause()).hasMessageContaining("is gone"));
    assertNothingStays();
  }

  @Test
  void a_connection_that_broke_before_the_key_was_completed_is_the_stores_fault() throws Exception {
    Connection[] raw = new Connection[1];
    JdbcGate.on(direct).createTable();
    JdbcGate breaking = opened(work -> runner(connection -> {
      raw[0] = connection;
      work.run(connection);
    }));
    assertThat(run(breaking, tx -> {
      try {
        raw[0].close();
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
      return true;
    })).isInstanceOf(Outcome.Unavailable.class);
    assertNothingStays();
  }

  @Test
  void an_end_that_nobody_can_look_at_is_unknown() throws Exception {
    JdbcGate gate = gate();
    IllegalStateException failure = new IllegalStateException("the framework lost track of it");
    end = connection -> {
      connection.rollback();
      rig.sql("DROP TABLE queueworker_gate");
      throw failure;
    };
    assertThat(run(gate, effect(true))).isEqualTo(new Outcome.CommitUnknown(failure));
  }
}
