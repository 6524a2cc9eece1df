package io.queueworker.lease;

import io.queueworker.timing.KeeperLock;
import io.queueworker.timing.Timing;
import java.time.Duration;
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
  private final ReentrantLock lock = new KeeperLock();
  private final Deque<Gap> gaps = new ArrayDeque<>();
  private volatile Reading last;

  /** A clock that starts now. */
  public LeaseClock(Timing timing) {
    this.timing = timing;
    this.last = new Reading(timing.nanoTime(), timing.wallNanos(), 0);
  }

  /** Begins anew: nobody ticked it since it was made, and a worker may start long after it was built. */
  void begin() {
    lock.lock();
    try {
      last = new Reading(timing.nanoTime(), timing.wallNanos(), last.leaped);
    } finally {
      lock.unlock();
    }
  }

  /** Lease time in nanoseconds. A leap counts from the moment it can be seen, not from the next tick. */
  public long now() {
    Reading before = last;
    long nanos = timing.nanoTime();
    return nanos + before.leaped + before.leapUntil(nanos, timing.wallNanos());
  }

  /** Notes that the process runs, and tells how long it stood still if it did. Called by the heartbeat only. */
  Optional<Standstill> tick() {
    lock.lock();
    try {
      Reading before = last;
      long nanos;
      long wall;
      do {
        nanos = timing.nanoTime();
        wall = timing.wallNanos();
        // A standstill between both readings would look like a leap.
      } while (timing.nanoTime() - nanos > GAP);
      long leap = before.leapUntil(nanos, wall);
      Reading now = new Reading(nanos, wall, before.leaped + leap);
      last = now;
      long ticked = now.time() - before.time();
      if (ticked <= GAP) {
        return Optional.empty();
      }
      gaps.addLast(new Gap(before.time(), now.time()));
      if (gaps.size() > GAPS) {
        gaps.removeFirst();
      }
      return Optional.of(new Standstill(Duration.ofNanos(ticked), leap > 0));
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
          return later(gap.start, sent);
        }
      }
      // The gap may still be open: this thread can run before the heartbeat's does.
      long lastTick = last.time();
      return arrived - lastTick > GAP ? later(lastTick, sent) : arrived;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the process did not run at that time, as far as is remembered. */
  public boolean stoodStillAt(long time) {
    lock.lock();
    try {
      for (Gap gap : gaps) {
        if (time - gap.start >= 0 && gap.end - time >= 0) {
          return true;
        }
      }
    } finally {
      lock.unlock();
    }
    // The gap may still be open: the thread that asks can run before the heartbeat's does.
    long lastTick = last.time();
    long now = now();
    return time - lastTick >= 0 && now - time >= 0 && now - lastTick > GAP;
  }

  private static long later(long a, long b) {
    return a - b > 0 ? a : b;
  }

  /**
   * Both clocks at one tick.
   *
   * @param leaped the leaps until then
   */
  private record Reading(long nanos, long wall, long leaped) {

    long time() {
      return nanos + leaped;
    }

    /** How much further the wall clock has moved since than the monotonic one; zero when that is no leap. */
    long leapUntil(long laterNanos, long laterWall) {
      long leap = (laterWall - wall) - (laterNanos - nanos);
      return leap > LEAP ? leap : 0;
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
