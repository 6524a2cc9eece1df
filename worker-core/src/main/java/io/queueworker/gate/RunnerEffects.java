package io.queueworker.gate;

import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The gate's transaction as a handler sees it that runs inside it.
 *
 * <p>For the thread that made it.
 */
final class RunnerEffects implements GateTransaction {
  private final BoundConnection view;
  private final Thread owner = Thread.currentThread();
  private final DataSource dataSource = new BoundDataSource(this::connection);
  /** How the transaction was last refused; the effect of who asked is then missing. */
  private volatile @Nullable Throwable refused;

  private volatile boolean ended;

  RunnerEffects(Connection connection) {
    this.view = new BoundConnection(connection);
  }

  /** The handler has ended. */
  void end() {
    ended = true;
    view.end();
  }

  /** What the handler did that forbids the commit although it returned, or null. */
  @Nullable
  Throwable against() {
    return view.isRollbackOnly() ? AttemptWords.rolledBackByHandler() : refused;
  }

  @Override
  public Connection connection() {
    if (ended || Thread.currentThread() != owner) {
      IllegalStateException wrong = AttemptWords.wrongThread(owner, ended);
      refused = wrong;
      throw wrong;
    }
    return view.view();
  }

  @Override
  public DataSource dataSource() {
    return dataSource;
  }
}
