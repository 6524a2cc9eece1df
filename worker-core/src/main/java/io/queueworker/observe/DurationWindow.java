package io.queueworker.observe;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What happened within ten minutes, or the sum of several such windows. Durations are kept in milliseconds from 1 ms to
 * 24 h; what is longer counts as 24 h. Two significant digits keep the error at one percent.
 *
 * <p>Not thread-safe: guarded by the lock of {@link DurationHistogram}, or used by one thread.
 */
final class DurationWindow {

  static final long LONGEST_MILLIS = TimeUnit.HOURS.toMillis(24);
  private static final long LONGEST_DELETE_MILLIS = TimeUnit.HOURS.toMillis(1);
  private static final int SIGNIFICANT_DIGITS = 2;
  private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  final Histogram committed = new Histogram(LONGEST_MILLIS, SIGNIFICANT_DIGITS);
  final Histogram unfinished = new Histogram(LONGEST_MILLIS, SIGNIFICANT_DIGITS);
  final Histogram deletes = new Histogram(LONGEST_DELETE_MILLIS, SIGNIFICANT_DIGITS);
  long failed;
  long suppressed;

  private long number;

  /** An empty window. */
  DurationWindow(long number) {
    this.number = number;
  }

  /** Which window it is. */
  long number() {
    return number;
  }

  /** Empties it and makes it another window. */
  void reuse(long newNumber) {
    number = newNumber;
    committed.reset();
    unfinished.reset();
    deletes.reset();
    failed = 0;
    suppressed = 0;
  }

  /** A run that took this long to its commit, rounded up. */
  void committed(long nanos) {
    committed.recordValue(within(Math.ceilDiv(nanos, NANOS_PER_MILLI), LONGEST_MILLIS));
  }

  /** A run that took this long so far, rounded up like a commit: rounded down it would drop out before one that was quicker. */
  void unfinished(long nanos) {
    unfinished.recordValue(within(Math.ceilDiv(nanos, NANOS_PER_MILLI), LONGEST_MILLIS));
  }

  /** A delete that took this long, rounded up. */
  void deleted(long nanos) {
    deletes.recordValue(within(Math.ceilDiv(nanos, NANOS_PER_MILLI), LONGEST_DELETE_MILLIS));
  }

  /** Adds what happened in another window. */
  void add(DurationWindow other) {
    committed.add(other.committed);
    unfinished.add(other.unfinished);
    deletes.add(other.deletes);
    failed += other.failed;
    suppressed += other.suppressed;
  }

  private static long within(long millis, long most) {
    return Math.max(1, Math.min(most, millis));
  }
}
