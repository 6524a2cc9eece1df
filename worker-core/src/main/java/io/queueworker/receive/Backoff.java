package io.queueworker.receive;

import io.github.resilience4j.core.IntervalFunction;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The pause after failed receives: doubles from 200 ms to 30 s, half of it random, and ends with the first success. One for
 * all pollers of a worker. Thread-safe.
 */
final class Backoff {

  private static final IntervalFunction GROWTH =
      IntervalFunction.ofExponentialBackoff(Duration.ofMillis(200), 2.0, Duration.ofSeconds(30));

  /** The longest pause is reached by then. */
  private static final int LAST_DOUBLING = 20;

  private final Timing timing;
  private final ReentrantLock lock = new ReentrantLock();
  private int failures;
  private long until;

  Backoff(Timing timing) {
    this.timing = timing;
  }

  /** Failures in a row so far. */
  int inARow() {
    lock.lock();
    try {
      return failures;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes a failure; tells how many came in a row and how long to pause.
   *
   * @param known {@link #inARow()} when the failed call was sent. Calls that were under way together fail together when
   *     the network does: that is one failure, or eight pollers would turn one blip into the longest pause.
   */
  Pause failed(int known) {
    lock.lock();
    try {
      if (failures == 0 || failures == known) {
        failures++;
      }
      long longest = Duration.ofMillis(GROWTH.apply(Math.min(failures, LAST_DOUBLING))).toNanos();
      long pause = (long) (longest * (0.5 + timing.random() / 2));
      until = timing.nanoTime() + pause;
      return new Pause(failures, Duration.ofNanos(pause));
    } finally {
      lock.unlock();
    }
  }

  /** Notes a success. */
  void succeeded() {
    lock.lock();
    try {
      failures = 0;
    } finally {
      lock.unlock();
    }
  }

  /** How long to pause from now on; zero or less when not at all. */
  long left() {
    lock.lock();
    try {
      return failures == 0 ? 0 : until - timing.nanoTime();
    } finally {
      lock.unlock();
    }
  }

  /**
   * What follows a failure.
   *
   * @param inARow failures since the last success
   * @param length how long to pause
   */
  record Pause(int inARow, Duration length) {}
}
