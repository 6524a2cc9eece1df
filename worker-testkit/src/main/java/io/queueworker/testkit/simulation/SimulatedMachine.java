package io.queueworker.testkit.simulation;

import io.queueworker.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One machine of a simulation: a {@link Timing} with clocks of its own, whose threads can be stopped for a while or for
 * good while those of other machines go on.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time.
 */
public final class SimulatedMachine implements Timing {

  /** The wall clock at the start of a simulation, but for a machine's own offset. */
  static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final Scheduler scheduler;
  private final String name;
  private final long nanoOrigin;
  private Duration wallOffset;
  private long nanoLag;
  private long suspendedUntil;
  private boolean frozen;
  private boolean killed;
  private @Nullable Timer thaw;

  SimulatedMachine(Scheduler scheduler, String name, Duration wallOffset) {
    this.scheduler = scheduler;
    this.name = name;
    this.wallOffset = wallOffset;
    this.nanoOrigin = origin(scheduler);
  }

  /** Monotonic clocks start anywhere, now and then shortly before they overflow: code must compare by subtraction. */
  private static long origin(Scheduler scheduler) {
    return switch (scheduler.draws.nextInt(3)) {
      case 0 -> 0;
      case 1 -> Long.MAX_VALUE - Duration.ofSeconds(scheduler.draws.nextInt(1, 120)).toNanos();
      default -> scheduler.draws.nextLong();
    };
  }

  /** The name given to it. */
  public String name() {
    return name;
  }

  @Override
  public long nanoTime() {
    return nanoOrigin + scheduler.time.elapsed() - nanoLag;
  }

  @Override
  public Instant now() {
    return START.plusNanos(scheduler.time.elapsed()).plus(wallOffset);
  }

  @Override
  public double random() {
    return scheduler.draws.nextDouble();
  }

  @Override
  public WaitPoint waitPoint(ReentrantLock lock) {
    return new SimWaitPoint(scheduler, lock);
  }

  @Override
  public WorkerThread start(ThreadKind kind, String name, Runnable body) {
    return scheduler.start(this, name, body);
  }

  @Override
  public ThreadPool pool(String name, int threads) {
    return new SimPool(scheduler, this, name, threads);
  }

  /**
   * Stops every thread of this machine for {@code length} while both its clocks go on, as a long collection or a stopped
   * process does. Its timers fire late. When one of its own threads calls this, the call returns after that time;
   * otherwise at once. A machine that is frozen already stays so at least that long.
   */
  public void freeze(Duration length) {
    requireUsable("freeze");
    Timer pending = thaw;
    long nanos = nanosOf(length);
    if (pending != null && pending.at() >= scheduler.time.elapsed() + nanos) {
      return;
    }
    scheduler.time.cancel(pending);
    frozen = true;
    thaw = scheduler.time.after(nanos, this::thaw);
    scheduler.hold(this);
  }

  /** Ends a freeze early; nothing when it is not frozen. */
  public void thaw() {
    scheduler.time.cancel(thaw);
    thaw = null;
    if (frozen && !killed) {
      frozen = false;
      scheduler.unhold(this);
    }
  }

  /**
   * Stops every thread of this machine for {@code length} and its monotonic clock with them, as a suspended laptop or a
   * migrated virtual machine does. Its wall clock shows the lost time afterwards. Returns like {@link #freeze}, and is no
   * longer either when two overlap.
   */
  public void suspend(Duration length) {
    requireUsable("suspend");
    long now = scheduler.time.elapsed();
    long longer = Math.max(0, now + nanosOf(length) - Math.max(now, suspendedUntil));
    suspendedUntil = Math.max(now, suspendedUntil) + longer;
    nanoLag += longer;
    scheduler.postponeWaits(this, longer);
    freeze(length);
  }

  /** Moves this machine's wall clock, also back, without its monotonic one. */
  public void leapWallClock(Duration by) {
    wallOffset = wallOffset.plus(by);
  }

  /**
   * Ends this machine as a crash does: none of its threads runs another statement, and no {@code finally}, while the
   * simulation lasts. When one of its own threads calls this, the call does not return.
   */
  public void kill() {
    requireUsable("kill");
    scheduler.time.cancel(thaw);
    thaw = null;
    killed = true;
    scheduler.hold(this);
  }

  /** Whether it was killed. */
  public boolean isKilled() {
    return killed;
  }

  /** Whether its threads stand still now, for a while or for good. */
  public boolean isHalted() {
    return frozen || killed;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  private void requireUsable(String what) {
    if (killed) {
      throw new IllegalStateException(what + ": machine '" + name + "' was killed; make a new one for a restart");
    }
  }

  private static long nanosOf(Duration length) {
    if (length.isNegative()) {
      throw new IllegalArgumentException(length + " is negative: give zero or more");
    }
    return length.toNanos();
  }

  @Override
  public String toString() {
    return "SimulatedMachine[" + name + "]";
  }
}
