package io.queueworker.gate;

import io.queueworker.timing.SystemTiming;
import io.queueworker.timing.Timing;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The removal of completed keys that are older than any message, when a user asks for it. Nothing else ever removes keys.
 *
 * {@snippet :
 * Purge.Result result = gate.purge(Duration.ofDays(60)).onStep(step -> log.info("{}", step)).run();
 * }
 *
 * <p>It walks the primary key in steps. Each step reads some rows and deletes those that are completed and, by the database's
 * clock, older than the retention, in a short transaction of its own. Rows that are merely started stay. Several purges, and
 * workers, may run meanwhile. The user needs SELECT and DELETE on the table.
 *
 * <p>Immutable and thread-safe; the settings return a new purge.
 */
public final class Purge {
  private static final int DEFAULT_ROWS = 1000;
  private static final int MAX_ROWS = 10_000;

  private final TransactionSource source;
  private final TableName table;
  private final Duration lockWait;
  private final Retention retention;
  private final Timing timing;
  private final Options options;

  Purge(TransactionSource source, TableName table, Duration lockWait, Retention retention) {
    this(source, table, lockWait, retention, SystemTiming.instance(),
        new Options(DEFAULT_ROWS, null, null, progress -> {}));
  }

  private Purge(
      TransactionSource source,
      TableName table,
      Duration lockWait,
      Retention retention,
      Timing timing,
      Options options) {
    this.source = source;
    this.table = table;
    this.lockWait = lockWait;
    this.retention = retention;
    this.timing = timing;
    this.options = options;
  }

  /**
   * How many rows a step looks at, 1 to 10,000, default 1,000. A step deletes at most as many in its transaction.
   *
   * @throws IllegalArgumentException outside that range
   */
  public Purge rowsPerStep(int rows) {
    if (rows < 1 || rows > MAX_ROWS) {
      throw new IllegalArgumentException("rowsPerStep is " + rows + "; allowed is from 1 to " + MAX_ROWS);
    }
    return with(new Options(rows, options.scope, options.after, options.onStep));
  }

  /** Purges the keys of one scope only: a queue's name, or the worker's {@code gateScope}. Default: all scopes. */
  public Purge scope(String scope) {
    return with(new Options(options.rows, scope, options.after, options.onStep));
  }

  /** Goes on after a position that an earlier purge told. Default: from the table's first row. */
  public Purge after(Position position) {
    return with(new Options(options.rows, options.scope, position, options.onStep));
  }

  /**
   * Is told after each step, on the thread that purges, between two transactions; it may wait there to slow the purge down.
   * What it throws ends the purge. The one that is set last is told.
   */
  public Purge onStep(Consumer<? super Progress> listener) {
    return with(new Options(options.rows, options.scope, options.after, listener));
  }

  private Purge with(Options changed) {
    return new Purge(source, table, lockWait, retention, timing, changed);
  }

  /**
   * Purges, on the calling thread, until the end of the table. What it has deleted stays deleted however it ends; run again,
   * it deletes the rest.
   *
   * @throws InterruptedException when the thread was interrupted before or between two steps
   * @throws IllegalStateException when the database fails, in words that say what to do
   */
  public Result run() throws InterruptedException {
    long start = timing.nanoTime();
    Result total = new Result(0, 0, 0, Duration.ZERO);
    try {
      PurgeStatements statements =
          source.outside(connection -> PurgeStatements.on(connection, table, lockWait.toMillis()));
      OffsetDateTime completedBefore = source.outside(statements::now).minus(retention.kept());
      @Nullable Position at = options.after;
      Optional<String> scope = firstScope(statements);
      while (scope.isPresent()) {
        String current = scope.get();
        byte @Nullable [] after =
            at != null && at.scope.equals(current) ? HexFormat.of().parseHex(at.keyHash) : null;
        PurgeStatements.Keys keys;
        do {
          if (Thread.interrupted()) {
            throw new InterruptedException("the purge was interrupted after " + total);
          }
          long stepStart = timing.nanoTime();
          byte @Nullable [] from = after;
          keys = source.outside(c -> statements.keys(c, current, from, options.rows, completedBefore));
          if (keys.last() == null) {
            break;
          }
          Result step = delete(statements, current, keys, completedBefore, stepStart);
          total = total.plus(step, Duration.ofNanos(timing.nanoTime() - start));
          after = keys.last();
          at = new Position(current, HexFormat.of().formatHex(after));
          options.onStep.accept(new Progress(step, total, at));
        } while (keys.count() == options.rows);
        scope = options.scope != null
            ? Optional.empty()
            : source.outside(connection -> statements.scopeAfter(connection, current));
      }
    } catch (SQLException e) {
      throw stopped(total, e);
    }
    return total.plus(Result.NONE, Duration.ofNanos(timing.nanoTime() - start));
  }

  private Optional<String> firstScope(PurgeStatements statements) throws SQLException {
    String only = options.scope;
    Position after = options.after;
    if (only != null) {
      return Optional.of(only);
    }
    return after != null
        ? Optional.of(after.scope)
        : source.outside(connection -> statements.scopeAfter(connection, ""));
  }

  private Result delete(
      PurgeStatements statements, String scope, PurgeStatements.Keys keys, OffsetDateTime completedBefore, long start)
      throws SQLException {
    Optional<Integer> deleted =
        keys.old().isEmpty()
            ? Optional.of(0)
            : source.outside(connection -> statements.delete(connection, scope, keys.old(), completedBefore));
    return new Result(
        keys.count(),
        deleted.orElse(0),
        deleted.isPresent() ? 0 : keys.old().size(),
        Duration.ofNanos(timing.nanoTime() - start));
  }

  private RuntimeException stopped(Result total, SQLException e) throws InterruptedException {
    if (Thread.interrupted()) {
      // An interrupt closes a virtual thread's socket, and ends the wait for a pool.
      InterruptedException interrupted = new InterruptedException("the purge was interrupted after " + total);
      interrupted.initCause(e);
      throw interrupted;
    }
    return new IllegalStateException(
        "the purge of the gate's table " + table + " stopped after " + total + ": " + DriverWords.messageOf(e)
            + ". What it deleted stays deleted; check that the database is up and that the user has SELECT and DELETE on the"
            + " table, and run it again",
        e);
  }

  /**
   * What a purge has done.
   *
   * @param lookedAt rows read
   * @param deleted keys deleted
   * @param left old keys that another transaction held for longer than the gate's lock wait, with the others of their step;
   *     the next purge deletes them
   * @param took how long it ran
   */
  public record Result(long lookedAt, long deleted, long left, Duration took) {
    private static final Result NONE = new Result(0, 0, 0, Duration.ZERO);

    private Result plus(Result step, Duration tookInAll) {
      return new Result(lookedAt + step.lookedAt, deleted + step.deleted, left + step.left, tookInAll);
    }
  }

  /**
   * A purge under way, after one of its steps.
   *
   * @param step what the last step did
   * @param total what the purge has done so far
   * @param position the last row that was looked at
   */
  public record Progress(Result step, Result total, Position position) {}

  /**
   * A place in the table's primary key.
   *
   * @param scope the scope
   * @param keyHash the key's hash, in hexadecimal digits
   */
  public record Position(String scope, String keyHash) {}

  /** What a user sets. */
  private record Options(
      int rows, @Nullable String scope, @Nullable Position after, Consumer<? super Progress> onStep) {}
}
