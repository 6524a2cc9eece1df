package io.queueworker.gate;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * Transactions on connections of a {@link DataSource}, begun and ended by the gate itself.
 *
 * <p>Thread-safe.
 */
final class PooledTransactions implements TransactionSource {
  private static final int VALIDITY_SECONDS = 1;
  private final DataSource pool;
  private final AtomicBoolean toldUnused = new AtomicBoolean();

  PooledTransactions(DataSource pool) {
    this.pool = pool;
  }

  @Override
  public <A> A outside(Work<A> work) throws SQLException {
    Borrowed borrowed = borrow(true);
    boolean done = false;
    try {
      A result = work.on(borrowed.connection());
      done = true;
      return result;
    } finally {
      if (done) {
        borrowed.giveBack();
      } else if (borrowed.isAlive()) {
        borrowed.rollback();
      } else {
        borrowed.discard();
      }
    }
  }

  @Override
  public Attempt<GateTransaction> attempt(
      GateTable table, GateKey key, AttemptInfo info, OffsetDateTime admittedAt) {
    return new JdbcAttempt(this, table, key, info, admittedAt, toldUnused);
  }

  /** Begins a transaction on a connection of its own. */
  OpenTransaction begin() throws SQLException {
    return borrow(false);
  }

  private Borrowed borrow(boolean autoCommit) throws SQLException {
    Connection connection = pool.getConnection();
    try {
      boolean was = connection.getAutoCommit();
      // A completion that another attempt has yet to commit would be taken for done, and the message deleted.
      boolean raised = Dialect.mayReadUncommitted(connection)
          && connection.getTransactionIsolation() == Connection.TRANSACTION_READ_UNCOMMITTED;
      Borrowed borrowed = new Borrowed(connection, was, raised);
      if (raised) {
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      }
      if (was != autoCommit) {
        connection.setAutoCommit(autoCommit);
      }
      return borrowed;
    } catch (SQLException | RuntimeException e) {
      new Borrowed(connection, true, false).discard();
      throw e;
    }
  }

  /**
   * A connection taken from the pool, with the modes that it had there.
   *
   * <p>For one thread.
   *
   * @param raised whether it read uncommitted and reads committed meanwhile
   */
  private record Borrowed(Connection connection, boolean autoCommitBefore, boolean raised) implements OpenTransaction {

    @Override
    public void commit() throws SQLException {
      connection.commit();
    }

    @Override
    public void giveBack() {
      if (!isGivenBack()) {
        throwAway();
      }
    }

    private boolean isGivenBack() {
      try {
        if (raised) {
          connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
        }
        if (connection.getAutoCommit() != autoCommitBefore) {
          connection.setAutoCommit(autoCommitBefore);
        }
        connection.close();
        return true;
      } catch (SQLException | RuntimeException e) {
        return false;
      }
    }

    @Override
    public boolean rollback() {
      try {
        if (!connection.getAutoCommit()) {
          connection.rollback();
        }
        giveBack();
        return false;
      } catch (SQLException | RuntimeException e) {
        // Asked before the connection is thrown away: afterwards it would seem lost in every case.
        boolean lost = SqlFailure.lostConnection(e) || !isAlive();
        discard();
        return lost;
      }
    }

    @Override
    public void discard() {
      quietly(() -> connection.abort(Runnable::run));
      // Drivers may leave abort empty, as H2 does. Thrown away with our transaction open, the pool would hand it out so;
      // closed under the pool, it would be handed out dead. One that still rolls back is as good as any.
      if (!(isAlive() && isRolledBack() && isGivenBack())) {
        throwAway();
      }
    }

    private boolean isRolledBack() {
      try {
        if (!connection.getAutoCommit()) {
          connection.rollback();
        }
        return true;
      } catch (SQLException | RuntimeException e) {
        return false;
      }
    }

    private void throwAway() {
      quietly(() -> connection.abort(Runnable::run));
      quietly(
          () -> {
            if (!connection.isClosed()) {
              connection.unwrap(Connection.class).close();
            }
          });
      quietly(connection::close);
    }

    @Override
    public boolean isAlive() {
      try {
        return !connection.isClosed() && connection.isValid(VALIDITY_SECONDS);
      } catch (SQLException | RuntimeException e) {
        return false;
      }
    }

    private static void quietly(Call call) {
      try {
        call.run();
      } catch (SQLException | RuntimeException e) {
        // The connection is given up; what it says to that changes nothing.
      }
    }

    /** A call that is made for its effect. */
    @FunctionalInterface
    private interface Call {
      void run() throws SQLException;
    }
  }
}
