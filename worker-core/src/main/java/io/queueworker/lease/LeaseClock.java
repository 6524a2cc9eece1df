package io.queueworker.lease;

import io.queueworker.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The clock by which leases are judged: monotonic, and ahead of the process's own clock by whatever the machine slept.
 *
 * <p>The heartbeat ticks it several times a second. Two things make it distrust plain monotonic time:
 *
 * <ul>
 *   <li>A <em>gap</em> between ticks: the process stood still (a collection, a stopped process). An answer read after the
 *       gap may have arrived at its start, so a lease received across a gap counts from there.
 *   <li>A <em>leap</em>: the wall clock moved further than the monotonic one, as after the machine was suspended, when
 *       the monotonic clock of many systems stands still. The difference counts as elapsed time.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class LeaseClock {

  /** Ticks further apart than this are a gap. Twice the slowest tick; smaller pauses are what margins are for. */
  static final long GAP = Duration.ofMillis(500).toNanos();

  /** A difference between the clocks beyond this is a leap; smaller ones are the wall clock being adjusted. */
  static final long LEAP = Duration.ofSeconds(1).toNanos();

  /** Gaps remembered; a long poll spans far fewer. */
  private static final int GAPS = 64;

  private final Timing timing;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Gap> gaps = new ArrayDeque<>();
  private volatile long leaped;
  private long lastTick;
  private Instant lastWall;

  /** A clock that starts now. */
  public LeaseClock(Timing timing) {
    this.timing = timing;
    this.lastTick = timing.nanoTime();
    this.lastWall = timing.now();
  }

  /** Begins anew: nobody ticked it since it was made, and a worker may start long after it was built. */
  void begin() {
    lock.lock();
    try {
      lastTick = now();
      lastWall = timing.now();
    } finally {
      lock.unlock();
    }
  }

  /** Lease time in nanoseconds. */
  public long now() {
    return timing.nanoTime() + leaped;
  }

  /** Notes that the process runs, and tells how long it stood still if it did. Called by the heartbeat only. */
  Optional<Standstill> tick() {
    lock.lock();
    try {
      long now = now();
      Instant wall = timing.now();
      long ticked = now - lastTick;
      long leap = Duration.between(lastWall, wall).toNanos() - ticked;
      long start = lastTick;
      if (leap > LEAP) {
        now += leap;
        leaped = now - timing.nanoTime();
      }
      lastTick = now;
      lastWall = wall;
      if (leap <= LEAP && ticked <= GAP) {
        return Optional.empty();
      }
      gaps.addLast(new Gap(start, now));
      if (gaps.size() > GAPS) {
        gaps.removeFirst();
      }
      return Optional.of(new Standstill(Duration.ofNanos(now - start), leap > LEAP));
    } finally {
      lock.unlock();
    }
  }

  /**
   * From when a lease counts that came with a call sent at {@code sent} and answered at {@code arrived}: from the answer,
   * or from the start of the first gap in between.
   */
  public long anchor(long sent, long arrived) {
    lock.lock();
    try {
      for (Gap gap : gaps) {
        if (gap.end - sent > 0 && gap.start - arrived < 0) {
          return gap.start - sent > 0 ? gap.start : sent;
        }
      }
      // The gap may still be open: this thread can run before the heartbeat's does.
      return arrived - lastTick > GAP ? lastTick : arrived;
    } finally {
      lock.unlock();
    }
  }

  private record Gap(long start, long end) {}

  /**
   * A time in which the process did not run.
   *
   * @param length how long
   * @param slept whether the clocks disagree about it, as after a suspended machine
   */
  record Standstill(Duration length, boolean slept) {}
}
