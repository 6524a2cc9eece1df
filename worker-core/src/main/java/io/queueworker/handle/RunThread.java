package io.queueworker.handle;

import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.WaitPoint;
import io.queueworker.timing.Timing.WorkerThread;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When the thread of a run may be interrupted: only while user code runs, never during a commit, since an interrupt closes
 * the socket that a virtual thread reads or writes.
 *
 * <pre>
 * WAITING ──handler starts──► RUNNING ──handler ended──► ENDING ──held and tried again──► WAITING
 *                                └─ only here an interrupt is sent; one that lost the race is cleared first
 * </pre>
 *
 * <p>Thread-safe.
 */
final class RunThread {

  private final Timing timing;
  private final ReentrantLock lock = new ReentrantLock();
  private final WaitPoint wake;
  private boolean running;
  private boolean interrupted;
  private long runningSince;
  private long interruptedAt;
  private @Nullable WorkerThread thread;

  RunThread(Timing timing) {
    this.timing = timing;
    this.wake = timing.waitPoint(lock);
  }

  /** Sets the thread that {@link #interrupt} is for. Until then there is none to interrupt. */
  void attach(WorkerThread started) {
    lock.lock();
    try {
      thread = started;
    } finally {
      lock.unlock();
    }
  }

  /** The handler starts at this lease time. */
  void running(long now) {
    lock.lock();
    try {
      runningSince = now;
      running = true;
      interrupted = false;
    } finally {
      lock.unlock();
    }
  }

  /** The handler ended: no interrupt comes from now on, and one that came is cleared. True when one had come. */
  boolean ending() {
    lock.lock();
    try {
      running = false;
      clearInterrupt();
      return interrupted;
    } finally {
      lock.unlock();
    }
  }

  /** Interrupts the handler if it runs and was not interrupted before. */
  boolean interrupt(long now) {
    lock.lock();
    try {
      if (!running || interrupted || thread == null) {
        return false;
      }
      interrupted = true;
      interruptedAt = now;
      thread.interrupt();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** How long the handler has been running; zero when it is not. */
  long runningFor(long now) {
    lock.lock();
    try {
      return running ? now - runningSince : 0;
    } finally {
      lock.unlock();
    }
  }

  /** How long the handler has been running on after an interrupt; zero when it is not. */
  long interruptedFor(long now) {
    lock.lock();
    try {
      return running && interrupted ? now - interruptedAt : 0;
    } finally {
      lock.unlock();
    }
  }

  /** Waits up to {@code nanos}, or until {@code enough} says so after a {@link #wake()}. */
  void sleep(long nanos, BooleanSupplier enough) {
    clearInterrupt();
    lock.lock();
    try {
      long until = timing.nanoTime() + nanos;
      for (long left = nanos; left > 0 && !enough.getAsBoolean(); left = until - timing.nanoTime()) {
        wake.await(left);
      }
    } catch (InterruptedException e) {
      // Only user code can have interrupted its own thread; the shorter wait does no harm.
    } finally {
      lock.unlock();
    }
  }

  /** Ends a {@link #sleep} whose condition has become true. */
  void wake() {
    lock.lock();
    try {
      wake.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Clears a flag that user code may have left set, which would close the next socket it touches. */
  static void clearInterrupt() {
    boolean ignored = Thread.interrupted();
  }
}
