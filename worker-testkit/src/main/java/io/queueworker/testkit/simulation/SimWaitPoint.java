package io.queueworker.testkit.simulation;

import io.queueworker.testkit.simulation.SimThread.Wake;
import io.queueworker.timing.Timing.WaitPoint;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** A condition of one lock in virtual time. Not thread-safe: used by the thread that holds the baton and the lock. */
final class SimWaitPoint implements WaitPoint {

  private final Scheduler scheduler;
  private final ReentrantLock lock;
  private final Set<SimThread> waiters = new LinkedHashSet<>();

  SimWaitPoint(Scheduler scheduler, ReentrantLock lock) {
    this.scheduler = scheduler;
    this.lock = lock;
  }

  @Override
  public boolean await(long nanos) throws InterruptedException {
    requireHeld();
    SimThread self = scheduler.self();
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    int holds = release();
    waiters.add(self);
    Wake wake;
    try {
      wake = scheduler.block(self, nanos);
    } finally {
      waiters.remove(self);
      acquire(self, holds);
    }
    if (wake == Wake.INTERRUPTED) {
      throw new InterruptedException();
    }
    return wake == Wake.SIGNALLED;
  }

  @Override
  public void signalAll() {
    requireHeld();
    for (SimThread waiter : List.copyOf(waiters)) {
      waiters.remove(waiter);
      scheduler.wake(waiter, Wake.SIGNALLED);
    }
  }

  private void requireHeld() {
    if (!lock.isHeldByCurrentThread()) {
      throw new IllegalMonitorStateException("hold the wait point's lock when calling it");
    }
  }

  private int release() {
    int holds = lock.getHoldCount();
    for (int i = 0; i < holds; i++) {
      lock.unlock();
    }
    return holds;
  }

  private void acquire(SimThread self, int holds) {
    // No other thread runs now. Whoever holds the lock waits for something else, and would make this one hang for real.
    for (int i = 0; i < holds; i++) {
      if (!lock.tryLock()) {
        if (scheduler.isStopping()) {
          self.abandon();
        }
        // A plain exception would be hidden by the caller's own unlock, which must fail now.
        scheduler
            .fail("'" + self.name() + "' cannot take its lock back: another thread waits elsewhere while it holds it");
        self.unwind();
      }
    }
  }
}
