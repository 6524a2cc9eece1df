package io.queueworker.examples.chaos;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Something to do once, to the first worker that reports a step, on the thread that reads the report: so it comes within a
 * millisecond of the step. Thread-safe.
 */
final class Trap {

  /** What is done. */
  interface Strike {
    /** Says whether it was done; if not, the trap waits for the next. */
    boolean on(WorkerProcess worker);
  }

  private final Step step;
  private final Strike strike;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // All guarded by lock.
  private boolean striking;
  private boolean sprung;
  private boolean removed;

  Trap(Step step, Strike strike) {
    this.step = step;
    this.strike = strike;
  }

  /** Springs, if the report is of its step and it is still set. */
  void heard(WorkerProcess worker, Report report) {
    if (report.step() != step || !claim()) {
      return;
    }
    boolean done = false;
    try {
      done = strike.on(worker);
    } finally {
      struck(done);
    }
  }

  private boolean claim() {
    lock.lock();
    try {
      if (striking || sprung || removed) {
        return false;
      }
      striking = true;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void struck(boolean done) {
    lock.lock();
    try {
      striking = false;
      sprung = done;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until it has sprung, and removes it when that takes longer. Says whether it has. */
  boolean await(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long left = atMost.toNanos();
      // A strike under way is waited for however long it takes: its harm is not to be done twice.
      while (!sprung && (left > 0 || striking)) {
        if (left > 0) {
          left = changed.awaitNanos(left);
        } else {
          changed.await();
        }
      }
      removed = true;
      return sprung;
    } finally {
      lock.unlock();
    }
  }
}
