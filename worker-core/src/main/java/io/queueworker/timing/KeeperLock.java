package io.queueworker.timing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that handlers share with the threads that keep leases alive, and that never lets the latter queue behind the former.
 *
 * <p>A plain lock hands itself to the longest waiter. If that is a virtual thread, and all carriers are taken by handlers that
 * compute, it cannot take the lock, and a platform thread behind it waits as long as they compute: longer than a lease. So a
 * virtual thread never joins the queue of this lock, it asks again every tenth of a millisecond; and a platform thread takes
 * the lock whenever it is free. A virtual thread that holds the lock runs on until it waits for something, so code under such a
 * lock takes no other lock that is held for long.
 */
public final class KeeperLock extends ReentrantLock {

  private static final long serialVersionUID = 1L;
  private static final long ASK_AGAIN_NANOS = 100_000;

  /** Looks before the first pause, some microseconds: what is done under these locks mostly takes less. */
  private static final int SPINS = 200;

  /** Takes the lock. An interrupt does not end the waiting and stays set. */
  @Override
  public void lock() {
    boolean taken = tryLock();
    for (int spins = SPINS; !taken && spins > 0; spins--) {
      Thread.onSpinWait();
      taken = !isLocked() && tryLock();
    }
    boolean interrupted = false;
    while (!taken) {
      // A set flag would turn the pauses into a spin.
      interrupted |= Thread.interrupted();
      if (Thread.currentThread().isVirtual()) {
        LockSupport.parkNanos(this, ASK_AGAIN_NANOS);
        taken = tryLock();
      } else {
        try {
          taken = tryLock(1, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
