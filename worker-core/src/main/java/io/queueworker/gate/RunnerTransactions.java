package io.queueworker.gate;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that a framework begins and ends.
 *
 * <p>As thread-safe as the runner.
 */
record RunnerTransactions(TransactionRunner runner) implements TransactionSource {

  @Override
  public <A> A outside(Work<A> work) throws SQLException {
    ShortWork<A> inside = new ShortWork<>(work, false);
    return inside.answer(thrownBy(inside));
  }

  /** Runs {@code work} in a transaction of its own and has that rolled back. */
  <A> A undone(Work<A> work) throws SQLException {
    ShortWork<A> inside = new ShortWork<>(work, true);
    return inside.answer(thrownBy(inside));
  }

  @Override
  public Attempt<GateTransaction> attempt(
      GateTable table, GateKey key, AttemptInfo info, OffsetDateTime admittedAt) {
    return new RunnerAttempt(this, table, key, info, admittedAt);
  }

  /** Has the work run in a transaction. */
  @Nullable
  Throwable thrownBy(TransactionRunner.Work work) {
    try {
      runner.run(work);
      return null;
    } catch (Throwable t) {
      return t;
    }
  }

  /**
   * Refuses a connection on which nothing would be rolled back, or on which another attempt's uncommitted completion would
   * be taken for done.
   */
  static void check(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the TransactionRunner's connection is in autocommit mode, so it is in no transaction; pass on that of the"
              + " transaction which the runner began, in Spring by DataSourceUtils.getConnection(dataSource) with the data"
              + " source of the transaction manager");
    }
    if (Dialect.mayReadUncommitted(connection)
        && connection.getTransactionIsolation() == Connection.TRANSACTION_READ_UNCOMMITTED) {
      throw new IllegalStateException(
          "the TransactionRunner's transaction is READ UNCOMMITTED; set READ COMMITTED or higher, in Spring with"
              + " TransactionTemplate.setIsolationLevel");
    }
  }

  /** Statements of the gate in a transaction for them alone. For one thread. */
  private static final class ShortWork<A> implements TransactionRunner.Work {
    private final Work<A> work;
    private final boolean undo;
    private @Nullable A result;
    private @Nullable Throwable failure;
    private boolean done;

    ShortWork(Work<A> work, boolean undo) {
      this.work = work;
      this.undo = undo;
    }

    @Override
    public void run(Connection connection) {
      done = false;
      failure = null;
      try {
        check(connection);
        result = work.on(connection);
        done = true;
      } catch (Throwable t) {
        failure = t;
        throw new RollbackRequest(t);
      }
      if (undo) {
        throw new RollbackRequest(null);
      }
    }

    A answer(@Nullable Throwable thrown) throws SQLException {
      A answer = result;
      if (done && answer != null && (undo || thrown == null)) {
        return answer;
      }
      switch (failure) {
        case SQLException e -> throw e;
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case null, default -> {
          if (thrown == null) {
            throw AttemptWords.notRun();
          }
          throw new SQLException(DriverWords.of(thrown), SqlFailure.sqlState(thrown), thrown);
        }
      }
    }
  }
}
