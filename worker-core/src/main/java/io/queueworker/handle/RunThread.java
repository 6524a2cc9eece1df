package io.queueworker.handle;

import io.queueworker.timing.KeeperLock;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.WaitPoint;
import io.queueworker.timing.Timing.WorkerThread;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When the thread of a run may be interrupted: only while user code runs, never while the gate admits, commits or rolls back,
 * since an interrupt closes the socket that a virtual thread reads or writes.
 *
 * <pre>
 * WAITING ──attempt begins──► USER_CODE ◄──► ADMITTING
 *    ▲                          ▲  │ only here an interrupt is sent
 *    └──attempt over── FINISHING ◄─┘
 * </pre>
 *
 * <p>A run that is told to end while it is admitted gets the interrupt when user code goes on. Thread-safe; calls nobody while
 * it holds its lock.
 */
final class RunThread {

  private enum Phase {
    WAITING,
    USER_CODE,
    ADMITTING,
    FINISHING
  }

  private final Timing timing;
  private final ReentrantLock lock = new KeeperLock();
  private final WaitPoint wake;

  // All guarded by lock.
  private Phase phase = Phase.WAITING;
  private boolean told;
  private boolean lost;
  private long begunAt;
  private long phaseAt;
  private long toldAt;
  private long lostAt;
  private long wakes;
  private @Nullable WorkerThread thread;

  RunThread(Timing timing) {
    this.timing = timing;
    this.wake = timing.waitPoint(lock);
  }

  /** Sets the thread that {@link #interrupt} is for; it hears of one that came before. */
  void attach(WorkerThread started) {
    lock.lock();
    try {
      thread = started;
      interruptIfTold();
    } finally {
      lock.unlock();
    }
  }

  /** An attempt begins at this lease time, with user code. */
  void begin(long now) {
    lock.lock();
    try {
      told = false;
      begunAt = now;
      go(Phase.USER_CODE, now);
    } finally {
      lock.unlock();
    }
  }

  /** The gate admits: no interrupt is sent meanwhile, and one that came is cleared. */
  void admitting(long now) {
    leave(Phase.ADMITTING, now);
  }

  /** User code goes on. */
  void enter(long now) {
    lock.lock();
    try {
      go(Phase.USER_CODE, now);
      interruptIfTold();
    } finally {
      lock.unlock();
    }
  }

  /** User code ended, and the gate commits or rolls back: no interrupt is sent from now on, and one that came is cleared. */
  void finishing(long now) {
    leave(Phase.FINISHING, now);
  }

  /** The attempt is over. */
  void over(long now) {
    leave(Phase.WAITING, now);
  }

  private void leave(Phase next, long now) {
    lock.lock();
    try {
      if (phase != next) {
        go(next, now);
      }
      // Under the lock: an interrupt sent for user code must not hit what comes after it.
      clearInterrupt();
    } finally {
      lock.unlock();
    }
  }

  private void go(Phase next, long now) {
    phase = next;
    phaseAt = now;
  }

  /** Tells the attempt to end, once; false when there is none that could. */
  boolean interrupt(long now) {
    lock.lock();
    try {
      if (told || phase == Phase.WAITING || phase == Phase.FINISHING) {
        return false;
      }
      told = true;
      toldAt = now;
      interruptIfTold();
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void interruptIfTold() {
    if (told && phase == Phase.USER_CODE && thread != null) {
      thread.interrupt();
    }
  }

  /** Whether the attempt was told to end. */
  boolean wasTold() {
    lock.lock();
    try {
      return told;
    } finally {
      lock.unlock();
    }
  }

  /** How long the attempt has been going; zero when there is none. */
  long runningFor(long now) {
    lock.lock();
    try {
      return phase == Phase.WAITING ? 0 : now - begunAt;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether the attempt goes on although {@code grace} has passed since it was told to end, or, while it cannot be told, since
   * its lease was lost.
   */
  boolean isOverdue(long now, long grace) {
    lock.lock();
    try {
      if (phase == Phase.WAITING) {
        return false;
      }
      boolean deaf = lost && phase != Phase.USER_CODE && now - lostAt >= grace && now - phaseAt >= grace;
      return deaf || (told && now - toldAt >= grace);
    } finally {
      lock.unlock();
    }
  }

  /** Waits up to {@code nanos}, or until {@code enough} says so after a {@link #wake()}. */
  void sleep(long nanos, BooleanSupplier enough) {
    clearInterrupt();
    long until = timing.nanoTime() + nanos;
    // Asked without the lock, since it takes locks of others. The count is read first: a change after it is a wake.
    long seen = wakes();
    while (!enough.getAsBoolean() && awaitWake(seen, until)) {
      seen = wakes();
    }
  }

  private long wakes() {
    lock.lock();
    try {
      return wakes;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a wake after the first {@code seen}; false when time is up. */
  private boolean awaitWake(long seen, long until) {
    lock.lock();
    try {
      while (wakes == seen) {
        long left = until - timing.nanoTime();
        if (left <= 0) {
          return false;
        }
        wake.await(left);
      }
      return true;
    } catch (InterruptedException e) {
      // Only user code can have interrupted its own thread; the shorter wait does no harm.
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a {@link #sleep} whose condition has become true. */
  void wake() {
    lock.lock();
    try {
      wakes++;
      wake.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The lease was lost; also a {@link #wake()}. */
  void lost(long now) {
    lock.lock();
    try {
      lost = true;
      lostAt = now;
      wakes++;
      wake.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Clears a flag that user code may have left set, which would close the next socket it touches. */
  private static void clearInterrupt() {
    boolean ignored = Thread.interrupted();
  }
}
