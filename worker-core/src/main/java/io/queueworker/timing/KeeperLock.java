package io.queueworker.timing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that handlers share with the threads that keep leases alive, and that never lets the latter queue behind the former.
 *
 * <p>A plain lock hands itself to the longest waiter. If that is a virtual thread, and all carriers are taken by handlers that
 * compute, it cannot take the lock, and a platform thread behind it waits as long as they compute: longer than a lease. Here a
 * platform thread does not stay in line; it asks again every millisecond and takes the lock whenever it is free. A virtual
 * thread that holds the lock cannot be stopped in this way as long as it waits for nothing meanwhile, so code under such a
 * lock takes no other lock that is held for long.
 */
public final class KeeperLock extends ReentrantLock {

  private static final long serialVersionUID = 1L;

  /** Takes the lock. An interrupt does not end the waiting and stays set. */
  @Override
  public void lock() {
    if (tryLock()) {
      return;
    }
    if (Thread.currentThread().isVirtual()) {
      super.lock();
      return;
    }
    boolean interrupted = false;
    while (true) {
      try {
        if (tryLock(1, TimeUnit.MILLISECONDS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
