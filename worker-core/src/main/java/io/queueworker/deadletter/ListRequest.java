package io.queueworker.deadletter;

import java.time.Duration;

/**
 * How far a listing goes. Immutable, so thread-safe.
 *
 * @param count how many dead letters at most, 1 to 10,000; 100 unless set
 * @param within how long it may go on, at least a second; 10 seconds unless set
 * @param visibility how long it hides what it lists, 10 seconds to 12 hours in whole seconds; 30 seconds unless set. It gives them
 *     back at its end, so this counts only when it dies. It ends before this has passed.
 * @param withBodies whether the bodies are kept
 */
public record ListRequest(int count, Duration within, Duration visibility, boolean withBodies) {

  private static final int MOST = 10_000;

  public ListRequest {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException("count = " + count + ": give 1 to 10,000, and list again for more");
    }
    if (within.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("within = " + within + ": give at least PT1S");
    }
    Terms.requireVisibility(visibility);
  }

  /** A hundred dead letters within ten seconds, hidden for thirty, without their bodies. */
  public static ListRequest defaults() {
    return new ListRequest(100, Duration.ofSeconds(10), Duration.ofSeconds(30), false);
  }

  /** At most so many. */
  public ListRequest upTo(int letters) {
    return new ListRequest(letters, within, visibility, withBodies);
  }

  /** For at most this long. */
  public ListRequest within(Duration time) {
    return new ListRequest(count, time, visibility, withBodies);
  }

  /** Hidden for this long at most. */
  public ListRequest hiddenFor(Duration time) {
    return new ListRequest(count, within, time, withBodies);
  }

  /** With the bodies. */
  public ListRequest andBodies() {
    return new ListRequest(count, within, visibility, true);
  }
}
