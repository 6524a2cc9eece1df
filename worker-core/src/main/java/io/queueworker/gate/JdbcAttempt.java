package io.queueworker.gate;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One run's hold on a key, in a database transaction that opens when the handler first asks for it.
 *
 * <pre>
 * not open ──connection(), commit()──► open ──commit(), rollback()──► ended
 *     ├── key done or busy, no database, row refused: verdict, for good ─┤
 *     └── connection() threw and none succeeded after it: refused ──────┘
 * </pre>
 *
 * <p>For the thread that made it.
 */
final class JdbcAttempt implements Attempt<GateTransaction> {
  private final PooledTransactions source;
  private final GateTable table;
  private final GateKey key;
  private final AttemptInfo info;
  private final OffsetDateTime admittedAt;
  private final AtomicBoolean toldUnused;
  private final Thread owner = Thread.currentThread();
  private final GateTransaction effects = new Effects();
  private @Nullable Opened opened;
  private @Nullable Outcome verdict;
  /** How the handler was last refused the transaction without a verdict; its effect is then missing. */
  private volatile @Nullable Throwable refused;

  private boolean lost;
  private volatile boolean ended;

  /**
   * @param admittedAt the database's time when the key was first looked at
   * @param toldUnused whether the gate has warned yet of a handler that leaves its transaction unused
   */
  JdbcAttempt(
      PooledTransactions source,
      GateTable table,
      GateKey key,
      AttemptInfo info,
      OffsetDateTime admittedAt,
      AtomicBoolean toldUnused) {
    this.source = source;
    this.table = table;
    this.key = key;
    this.info = info;
    this.admittedAt = admittedAt;
    this.toldUnused = toldUnused;
  }

  @Override
  public GateTransaction effects() {
    return effects;
  }

  @Override
  public Optional<Outcome> verdict() {
    return Optional.ofNullable(verdict);
  }

  @Override
  public Outcome commit() {
    end();
    Throwable cause = refused;
    if (opened == null && verdict == null && cause != null) {
      // The handler swallowed it and returned: its effect is not there, and the key must not be completed without it.
      return new Outcome.RolledBack(cause);
    }
    try {
      if (opened == null && verdict == null) {
        open();
        warnUnused();
      }
    } catch (Throwable e) {
      return undo(e);
    }
    if (verdict != null) {
      return verdict;
    }
    return opened == null ? undo(new IllegalStateException("the attempt has ended before")) : complete(opened);
  }

  @Override
  public boolean rollback() {
    end();
    if (opened != null) {
      lost = opened.transaction.rollback();
      opened = null;
    }
    return lost;
  }

  private void end() {
    ended = true;
    if (opened != null) {
      opened.view.end();
    }
  }

  /** Opens the transaction and claims the key, or leaves a verdict. Throws only what says nothing about the key. */
  private void open() {
    OpenTransaction transaction = null;
    Claim claim;
    try {
      transaction = source.begin();
      claim = table.claim(transaction.connection(), key, info, admittedAt);
    } catch (SQLException | RuntimeException e) {
      boolean broke = transaction == null || transaction.rollback();
      // An interrupt ends waiting for the pool and closes the socket of a virtual thread: the database is not to blame.
      if (Thread.currentThread().isInterrupted()) {
        throw AttemptWords.interrupted(e);
      }
      if (!broke && SqlFailure.refusedRow(e)) {
        // The server works. Were it taken for unavailable, one message would pause the whole worker.
        verdict = new Outcome.RolledBack(AttemptWords.rowRefused(e));
        return;
      }
      lost = true;
      verdict = new Outcome.Unavailable(e);
      return;
    } catch (Error e) {
      if (transaction != null) {
        transaction.rollback();
      }
      throw e;
    }
    switch (claim) {
      case Claim.Mine mine -> {
        refused = null;
        opened = new Opened(transaction, new BoundConnection(transaction.connection()), mine.attempt());
        mine.unfinished().ifPresent(row -> info.warnings().accept(AttemptWords.unfinished(row.by())));
      }
      case Claim.Done done -> {
        transaction.rollback();
        verdict = new Outcome.AlreadyDone(Optional.of(JdbcGate.counted(source, table, key, done.row())));
      }
      case Claim.Busy busy -> {
        transaction.rollback();
        verdict = new Outcome.InProgress();
      }
    }
  }

  private Outcome complete(Opened open) {
    try {
      if (open.view.isRollbackOnly()) {
        return undo(AttemptWords.rolledBackByHandler());
      }
      if (!table.complete(open.transaction.connection(), key, info, open.attempt)) {
        return undo(AttemptWords.rowGone());
      }
    } catch (Throwable e) {
      return undo(AttemptWords.notCompleted(e));
    }
    try {
      open.transaction.commit();
    } catch (Throwable e) {
      return unconfirmed(open, e);
    }
    opened = null;
    open.transaction.giveBack();
    return new Outcome.Committed();
  }

  /** Everything that fails before COMMIT is sent: nothing stays, and only a lost connection is the database's fault. */
  private Outcome undo(Throwable cause) {
    boolean told = SqlFailure.lostConnection(cause);
    if (rollback() || told) {
      return new Outcome.Unavailable(cause);
    }
    return rolledBack(cause);
  }

  /** Nothing stays, by the server's own word; a conflict says nothing about the message. */
  private static Outcome rolledBack(Throwable cause) {
    return SqlFailure.conflict(cause)
        ? new Outcome.InProgress(AttemptWords.CONFLICT)
        : new Outcome.RolledBack(cause);
  }

  /** COMMIT was sent and no success came back. */
  private Outcome unconfirmed(Opened open, Throwable failure) {
    if (SqlFailure.rolledBack(failure)
        || (SqlFailure.rolledBackIfAlive(failure) && open.transaction.isAlive())) {
      rollback();
      return rolledBack(failure);
    }
    opened = null;
    open.transaction.discard();
    return new SecondLook(source, table, key, info, open.attempt).after(failure);
  }

  private void warnUnused() {
    if (opened != null && toldUnused.compareAndSet(false, true)) {
      info.warnings().accept(AttemptWords.UNUSED);
    }
  }

  /**
   * The open transaction.
   *
   * @param attempt the number in the key's row
   */
  private record Opened(OpenTransaction transaction, BoundConnection view, int attempt) {}

  /** What the handler gets. */
  private final class Effects implements GateTransaction {
    private final DataSource dataSource = new BoundDataSource(this::connection);

    @Override
    public Connection connection() {
      if (ended || Thread.currentThread() != owner) {
        IllegalStateException wrong = AttemptWords.wrongThread(owner, ended);
        refused = wrong;
        throw wrong;
      }
      if (opened == null && verdict == null) {
        try {
          open();
        } catch (RuntimeException | Error e) {
          refused = e;
          throw e;
        }
      }
      if (opened == null) {
        throw AttemptWords.refusal(verdict == null ? new Outcome.InProgress() : verdict);
      }
      return opened.view.view();
    }

    @Override
    public DataSource dataSource() {
      return dataSource;
    }
  }
}
