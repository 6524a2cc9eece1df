package io.queueworker.gate;

import io.queueworker.gate.Admission.Completion;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run's hold on a key, in a transaction that a framework opens before the handler and ends after it. See
 * docs/adr/0005-a-callback-for-framework-transactions.md.
 *
 * <pre>
 * runner begins ─► claim ─► handler ─► complete ─► runner commits ─► row completed? ── yes ─► committed
 *                    │         │          │                                └── no ─► key free? ─► rolled back, or unknown
 *                    └ verdict └ undone   └ refused: the work throws, and the runner rolls back
 * </pre>
 *
 * <p>For the thread that made it.
 */
final class RunnerAttempt implements Attempt<GateTransaction> {
  private static final int VALIDITY_SECONDS = 1;
  private final RunnerTransactions source;
  private final GateTable table;
  private final GateKey key;
  private final AttemptInfo info;
  private final OffsetDateTime admittedAt;
  private final Thread owner = Thread.currentThread();
  private boolean called;
  private @Nullable Outcome decided;
  private Optional<KeyRow> done = Optional.empty();
  /** The number in the key's row that was marked completed; 0 before that. */
  private int completed;

  /**
   * @param admittedAt the database's time when the key was first looked at
   */
  RunnerAttempt(
      RunnerTransactions source, GateTable table, GateKey key, AttemptInfo info, OffsetDateTime admittedAt) {
    this.source = source;
    this.table = table;
    this.key = key;
    this.info = info;
    this.admittedAt = admittedAt;
  }

  @Override
  public Outcome run(Handling<GateTransaction> handling) {
    Throwable thrown = source.thrownBy(connection -> work(connection, handling));
    if (completed > 0) {
      return seen(thrown);
    }
    if (decided == null) {
      return new Outcome.Unavailable(thrown == null ? AttemptWords.notRun() : thrown);
    }
    if (thrown == null) {
      info.warnings().accept(AttemptWords.SWALLOWED);
    }
    return done.<Outcome>map(row -> new Outcome.AlreadyDone(Optional.of(counted(row)))).orElse(decided);
  }

  private Completion counted(KeyRow row) {
    return JdbcGate.counted(source, table, key, row);
  }

  /** What the framework runs. Returns when the transaction is to be committed. */
  private void work(Connection connection, Handling<GateTransaction> handling) {
    if (called || Thread.currentThread() != owner) {
      throw AttemptWords.runnerMisuse(owner);
    }
    called = true;
    Outcome outcome = claimAndRun(connection, handling);
    if (outcome != null) {
      decided = outcome;
      throw new RollbackRequest(
          outcome instanceof Outcome.RolledBack back ? back.cause() : null);
    }
  }

  private @Nullable Outcome claimAndRun(Connection connection, Handling<GateTransaction> handling) {
    Claim claim;
    try {
      RunnerTransactions.check(connection);
      claim = table.claim(connection, key, info, admittedAt);
    } catch (Throwable e) {
      // The server works. Were it taken for unavailable, one message would pause the whole worker.
      return SqlFailure.refusedRow(e)
          ? new Outcome.RolledBack(AttemptWords.rowRefused(e))
          : new Outcome.Unavailable(e);
    }
    return switch (claim) {
      case Claim.Done taken -> {
        // Counted when this transaction has ended: the runner would join it.
        done = Optional.of(taken.row());
        yield new Outcome.AlreadyDone(Optional.of(taken.row().by()));
      }
      case Claim.Busy busy -> new Outcome.InProgress();
      case Claim.Mine mine -> {
        mine.unfinished().ifPresent(row -> info.warnings().accept(AttemptWords.unfinished(row.by())));
        yield handle(connection, handling, mine.attempt());
      }
    };
  }

  private @Nullable Outcome handle(Connection connection, Handling<GateTransaction> handling, int attempt) {
    RunnerEffects effects = new RunnerEffects(connection);
    try {
      if (!handling.mayCommit(effects)) {
        return new Outcome.Undone(!isAlive(connection));
      }
    } finally {
      effects.end();
    }
    Throwable against = effects.against();
    if (against != null) {
      return new Outcome.RolledBack(against);
    }
    try {
      if (!table.complete(connection, key, info, attempt)) {
        return new Outcome.RolledBack(AttemptWords.rowGone());
      }
    } catch (Throwable e) {
      Throwable cause = AttemptWords.notCompleted(e);
      return SqlFailure.lostConnection(e) || !isAlive(connection)
          ? new Outcome.Unavailable(cause)
          : rolledBack(cause);
    }
    completed = attempt;
    return null;
  }

  /**
   * What the database says once the framework has ended the transaction. It is asked however that went: a transaction that
   * was marked rollback-only can be rolled back without a word, and what a framework runs after the commit can throw.
   */
  private Outcome seen(@Nullable Throwable thrown) {
    Throwable failure = thrown == null ? AttemptWords.notCommitted() : thrown;
    Outcome seen = new SecondLook(source, table, key, info, completed).after(failure);
    if (seen instanceof Outcome.Committed && thrown != null) {
      info.warnings().accept(AttemptWords.threwAfterCommit(thrown));
    }
    if (!(seen instanceof Outcome.CommitUnknown) || SqlFailure.lostConnection(failure)) {
      return seen;
    }
    // Absent proves nothing, but a claim does: a transaction that can still commit keeps others from its key.
    return isFree() ? rolledBack(failure) : seen;
  }

  private boolean isFree() {
    try {
      return source.undone(connection -> table.claim(connection, key, info, admittedAt) instanceof Claim.Mine);
    } catch (SQLException | RuntimeException e) {
      return false;
    }
  }

  /** Nothing stays, by the server's own word; a conflict says nothing about the message. */
  private static Outcome rolledBack(Throwable cause) {
    return SqlFailure.conflict(cause)
        ? new Outcome.InProgress(AttemptWords.CONFLICT)
        : new Outcome.RolledBack(cause);
  }

  private static boolean isAlive(Connection connection) {
    try {
      return !connection.isClosed() && connection.isValid(VALIDITY_SECONDS);
    } catch (SQLException | RuntimeException e) {
      return false;
    }
  }

  /** None while the handler runs: the key is claimed before. */
  @Override
  public Optional<Outcome> verdict() {
    return Optional.empty();
  }

  @Override
  public GateTransaction effects() {
    throw onlyRun();
  }

  @Override
  public Outcome commit() {
    throw onlyRun();
  }

  @Override
  public boolean rollback() {
    throw onlyRun();
  }

  private static UnsupportedOperationException onlyRun() {
    return new UnsupportedOperationException(
        "an attempt in a TransactionRunner's transaction has no calls of its own to begin or end it; call run(handling)");
  }
}
