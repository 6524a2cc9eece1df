package io.queueworker.settle;

import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseClock;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadPool;
import io.queueworker.timing.Timing.WaitPoint;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Settles messages whose fate is decided: gathers deletes and releases into calls and has them sent on the control pool.
 *
 * <p>One task of that pool does the gathering; it does no I/O. Thread-safe; {@link #delete} and {@link #release} do not block.
 */
public final class Settler {

  private final Timing timing;
  private final LeaseClock clock;
  private final ThreadPool pool;
  private final SettleCalls calls;
  private final BooleanSupplier permitsShort;

  private final ReentrantLock lock = new ReentrantLock();
  private final WaitPoint changed;

  // All guarded by lock.
  private final CallBatch deletes;
  private final CallBatch releases;
  private int open;
  private int deleteCalls;
  private boolean flushing;
  private boolean stopped;

  /**
   * @param pool the control pool, in which one task stays until {@link #stop()}
   * @param deleteBatch deletes per call at most
   * @param releaseBatch releases per call at most
   * @param linger how long a delete waits for others
   * @param permitsShort whether a receive waits for permits, so that gathering costs throughput
   */
  public Settler(
      Timing timing,
      LeaseClock clock,
      ThreadPool pool,
      SettleCalls calls,
      int deleteBatch,
      int releaseBatch,
      Duration linger,
      BooleanSupplier permitsShort) {
    this.timing = timing;
    this.clock = clock;
    this.pool = pool;
    this.calls = calls;
    this.permitsShort = permitsShort;
    this.deletes = new CallBatch(deleteBatch, linger.toNanos());
    this.releases = new CallBatch(releaseBatch, 0);
    this.changed = timing.waitPoint(lock);
  }

  /** Starts to gather. */
  public void start() {
    pool.execute(this::gather);
  }

  /** Deletes the message of a lease, after the commit; {@code permit} gives its permit back. */
  public void delete(Lease lease, long committedAt, Runnable permit) {
    lock.lock();
    try {
      open++;
      deletes.add(new Settlement(lease, Duration.ZERO, committedAt, permit), clock.now());
      if (flushing || deletes.wantsLook() || permitsShort.getAsBoolean()) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets the message of a lease become visible after {@code delay}; {@code permit} gives its permit back. Not ours any
   * more means that nothing is sent.
   */
  public void release(Lease lease, Duration delay, Runnable permit) {
    long now = clock.now();
    Settlement settlement = new Settlement(lease, delay, now, permit);
    lock.lock();
    try {
      open++;
    } finally {
      lock.unlock();
    }
    if (!lease.releasing(now, () -> queueRelease(settlement))) {
      calls.tooLate(settlement);
      closeOne();
    }
  }

  private void queueRelease(Settlement settlement) {
    lock.lock();
    try {
      releases.add(settlement, clock.now());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Sends what waits at once: a receive has run short of permits. Quick. */
  public void hurry() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void gather() {
    lock.lock();
    try {
      while (!stopped) {
        if (!sendNext()) {
          long now = clock.now();
          changed.await(Math.max(1, Math.min(deletes.untilNext(now), releases.untilNext(now))));
        }
      }
    } catch (InterruptedException e) {
      // Nobody has a reason to interrupt this thread; deletes must not end with it.
      if (!stopped) {
        pool.execute(this::gather);
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean sendNext() {
    long now = clock.now();
    List<Settlement> released = releases.take(now, true);
    if (!released.isEmpty()) {
      pool.execute(() -> sendReleases(released));
      return true;
    }
    boolean hurry = flushing || (deleteCalls == 0 && permitsShort.getAsBoolean());
    List<Settlement> call = deletes.take(now, hurry);
    if (call.isEmpty()) {
      return false;
    }
    deleteCalls++;
    pool.execute(() -> sendDeletes(call));
    return true;
  }

  private void sendDeletes(List<Settlement> call) {
    List<SettleCalls.Retry> retries = calls.delete(call);
    lock.lock();
    try {
      deleteCalls--;
      open -= call.size() - retries.size();
      retries.forEach(retry -> deletes.retry(retry.settlement(), retry.at()));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void sendReleases(List<Settlement> call) {
    List<SettleCalls.Retry> retries = calls.release(call);
    lock.lock();
    try {
      open -= call.size() - retries.size();
      retries.forEach(retry -> releases.retry(retry.settlement(), retry.at()));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void closeOne() {
    lock.lock();
    try {
      open--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Sends everything without gathering from now on, and waits up to {@code nanos} until all is answered. */
  public int flush(long nanos) throws InterruptedException {
    lock.lock();
    try {
      flushing = true;
      changed.signalAll();
      long until = timing.nanoTime() + nanos;
      for (long left = nanos; open > 0 && left > 0; left = until - timing.nanoTime()) {
        changed.await(left);
      }
      return open;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the gathering; what still waits is not sent. */
  public void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
