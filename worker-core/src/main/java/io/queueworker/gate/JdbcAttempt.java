package io.queueworker.gate;

import io.queueworker.gate.Admission.Completion;
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
 *     └── key done or busy, no database: verdict, for good ────────────┘
 * </pre>
 *
 * <p>For the thread that made it.
 */
final class JdbcAttempt implements Attempt<GateTransaction> {
  private final TransactionSource source;
  private final GateTable table;
  private final GateKey key;
  private final AttemptInfo info;
  private final OffsetDateTime admittedAt;
  private final AtomicBoolean toldUnused;
  private final Thread owner = Thread.currentThread();
  private final GateTransaction effects = new Effects();
  private @Nullable Opened opened;
  private @Nullable Outcome verdict;
  private boolean lost;
  private volatile boolean ended;

  /**
   * @param admittedAt the database's time when the key was first looked at
   * @param toldUnused whether the gate has warned yet of a handler that leaves its transaction unused
   */
  JdbcAttempt(
      TransactionSource source,
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
      if (transaction != null) {
        transaction.rollback();
      }
      // An interrupt ends waiting for the pool and closes the socket of a virtual thread: the database is not to blame.
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted while the gate's transaction opened", e);
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
        opened = new Opened(transaction, new BoundConnection(transaction.connection()), mine.attempt());
        mine.unfinished().ifPresent(this::warnUnfinished);
      }
      case Claim.Done done -> {
        transaction.rollback();
        verdict = new Outcome.AlreadyDone(Optional.of(suppress(done.row())));
      }
      case Claim.Busy busy -> {
        transaction.rollback();
        verdict = new Outcome.InProgress();
      }
    }
  }

  private Completion suppress(KeyRow done) {
    try {
      return source.outside(connection -> table.suppress(connection, key)).orElse(done).by();
    } catch (SQLException | RuntimeException e) {
      // The count is for people; the key is done without it.
      return done.by();
    }
  }

  private Outcome complete(Opened open) {
    try {
      if (open.view.isRollbackOnly()) {
        return undo(
            new IllegalStateException(
                "the handler called rollback() on the connection of the gate's transaction and then returned; throw"
                    + " instead, so that the failure policy sees why"));
      }
      if (!table.complete(open.transaction.connection(), key, info, open.attempt)) {
        return undo(
            new IllegalStateException(
                "the gate's row of this key is gone from its transaction: SQL of the handler ended the transaction or"
                    + " changed the gate's table; leave both to the gate"));
      }
    } catch (Throwable e) {
      return undo(explained(e));
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

  private static Throwable explained(Throwable failure) {
    return "25P02".equals(SqlFailure.sqlState(failure))
        ? new IllegalStateException(
            "an SQL statement of the handler failed and the handler went on, but the database refuses to commit such a"
                + " transaction; let the exception pass, or use a savepoint",
            failure)
        : failure;
  }

  /** Everything that fails before COMMIT is sent: nothing stays, and only a lost connection is the database's fault. */
  private Outcome undo(Throwable cause) {
    boolean told = SqlFailure.lostConnection(cause);
    return rollback() || told ? new Outcome.Unavailable(cause) : new Outcome.RolledBack(cause);
  }

  /** COMMIT was sent and no success came back. */
  private Outcome unconfirmed(Opened open, Throwable failure) {
    if (SqlFailure.rolledBack(failure)
        || (SqlFailure.rolledBackIfAlive(failure) && open.transaction.isAlive())) {
      rollback();
      return new Outcome.RolledBack(failure);
    }
    opened = null;
    open.transaction.discard();
    return new SecondLook(source, table, key, info, open.attempt).after(failure);
  }

  private void warnUnused() {
    if (opened != null && toldUnused.compareAndSet(false, true)) {
      info.warnings()
          .accept(
              "the handler returned without opening the gate's transaction, so its effect was not in it and can happen"
                  + " again after a crash; make the effect through connection() or dataSource() of the transaction that"
                  + " the handler gets (said once)");
    }
  }

  private void warnUnfinished(KeyRow row) {
    Completion by = row.by();
    info.warnings()
        .accept(
            "the gate's row of this key had been committed unfinished, by worker "
                + by.worker()
                + " for message "
                + by.messageId()
                + ", receive count "
                + by.receiveCount()
                + ", started at "
                + by.startedAt()
                + ": code of the handler committed on the gate's connection, as a native COMMIT or a MySQL DDL statement"
                + " does, and part of its effect may be durable; the key runs again. Remove that commit from the handler");
  }

  private GateVerdictException refusal(Outcome outcome) {
    return switch (outcome) {
      case Outcome.AlreadyDone done ->
          new GateVerdictException(
              "the key is already completed, so the message only needs deleting; let this exception pass", null);
      case Outcome.Unavailable unavailable ->
          new GateVerdictException(
              "the gate's database cannot be reached, so the message is held and tried again; let this exception pass",
              unavailable.cause());
      default ->
          new GateVerdictException(
              "another attempt at the key is under way, so the message is held and tried again; let this exception pass",
              null);
    };
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
        throw new IllegalStateException(
            "the gate's transaction is for the thread of its handler, \""
                + owner.getName()
                + "\", until the handler ends; this is thread \""
                + Thread.currentThread().getName()
                + (ended ? "\" after the end" : "\""));
      }
      if (opened == null && verdict == null) {
        open();
      }
      if (opened == null) {
        throw refusal(verdict == null ? new Outcome.InProgress() : verdict);
      }
      return opened.view.view();
    }

    @Override
    public DataSource dataSource() {
      return dataSource;
    }
  }
}
