package io.queueworker.deadletter;

import java.time.Duration;

/**
 * How long a received dead letter is ours, and what of it one call may take. Immutable, so thread-safe.
 *
 * @param visibility the visibility timeout of each receive
 */
record Terms(Duration visibility) {

  private static final Duration LEAST = Duration.ofSeconds(10);
  private static final Duration MOST = Duration.ofHours(12);
  private static final long LONGEST_CALL = Duration.ofSeconds(3).toNanos();
  private static final long LONGEST_MARGIN = Duration.ofSeconds(2).toNanos();

  /** Refuses what a request cannot ask for. */
  static void requireVisibility(Duration visibility) {
    if (visibility.compareTo(LEAST) < 0 || visibility.compareTo(MOST) > 0 || visibility.toNanosPart() != 0) {
      throw new IllegalArgumentException(
          "hiddenFor = " + visibility + ": give whole seconds from " + LEAST + " to " + MOST);
    }
  }

  long visibilityNanos() {
    return visibility.toNanos();
  }

  /** What a call may take. */
  long callNanos() {
    return Math.min(LONGEST_CALL, visibilityNanos() / 5);
  }

  Duration call() {
    return Duration.ofNanos(callNanos());
  }

  /** What is kept back of the time, for clocks that differ. */
  long marginNanos() {
    return Math.min(LONGEST_MARGIN, visibilityNanos() / 10);
  }

  /** What has to be left before a send, so that the delete fits in too. */
  long roundNanos() {
    return 2 * callNanos();
  }
}
