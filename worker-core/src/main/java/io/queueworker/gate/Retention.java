package io.queueworker.gate;

import java.time.Duration;

/**
 * How long a completed key is kept: at least as long as a copy of its message can still come.
 *
 * <p>A copy can wait in the queue, then in its dead-letter queue, then once more in the queue after a redrive (on SQS each
 * of the three lasts as long as that queue's {@code MessageRetentionPeriod}, and on a FIFO queue a redrive starts a new
 * one), and then be held by a worker. A key that is purged earlier lets such a copy make its effect again.
 *
 * <p>Immutable.
 */
public final class Retention {
  private static final Duration LONGEST_QUEUE = Duration.ofDays(14);
  private static final Duration LONGEST_HOLD = Duration.ofHours(12);

  /** Three times the longest retention that SQS has, and the longest hold, in whole days and some to spare. */
  private static final Duration SAFE_FOR_ALL = Duration.ofDays(45);

  private final Duration floor;
  private final Duration kept;

  private Retention(Duration floor, Duration kept) {
    this.floor = floor;
    this.kept = kept;
  }

  /**
   * A retention that is long enough for every queue: three times the 14 days that SQS keeps a message at most, the 12 hours
   * that it can be in flight, and some to spare.
   *
   * @param kept at least 45 days
   * @throws IllegalArgumentException when it is shorter
   */
  public static Retention of(Duration kept) {
    return new Retention(SAFE_FOR_ALL, SAFE_FOR_ALL).keep(kept);
  }

  /**
   * The shortest retention that is safe for a queue with these settings: queue, dead-letter queue, queue again, and hold. It
   * must hold for every queue whose keys are purged with it, so name the longest of each, or purge {@link
   * Purge#scope(String) scope} by scope.
   *
   * @param queue the queue's message retention, 1 minute to 14 days
   * @param deadLetters that of its dead-letter queue, 0 without one, to 14 days
   * @param maxHold the workers' {@code maxHold}, to 12 hours
   * @throws IllegalArgumentException outside those ranges
   */
  public static Retention forQueue(Duration queue, Duration deadLetters, Duration maxHold) {
    check("the queue's retention", queue, Duration.ofMinutes(1), LONGEST_QUEUE);
    check("the dead-letter queue's retention", deadLetters, Duration.ZERO, LONGEST_QUEUE);
    check("maxHold", maxHold, Duration.ZERO, LONGEST_HOLD);
    Duration floor = queue.plus(deadLetters).plus(queue).plus(maxHold);
    return new Retention(floor, floor);
  }

  /**
   * The same floor, with keys kept for longer than it, for example so that people can look them up.
   *
   * @param longer at least the floor
   * @throws IllegalArgumentException when it is shorter
   */
  public Retention keep(Duration longer) {
    if (longer.compareTo(floor) < 0) {
      throw new IllegalArgumentException(
          "the retention is " + longer + "; allowed is " + floor
              + " or longer, since a copy of a message can come that late"
              + " and would make its effect again. If your queues keep messages for less, name their retentions with"
              + " Retention.forQueue(queue, deadLetters, maxHold)");
    }
    return new Retention(floor, longer);
  }

  /** How long completed keys stay. */
  public Duration kept() {
    return kept;
  }

  private static void check(String what, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(what + " is " + value + "; allowed is from " + min + " to " + max);
    }
  }

  /** The time that keys are kept, as {@link Duration#toString()} gives it. */
  @Override
  public String toString() {
    return kept.toString();
  }
}
