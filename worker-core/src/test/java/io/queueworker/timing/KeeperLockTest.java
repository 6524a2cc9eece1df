package io.queueworker.timing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

@SuppressWarnings("LockNotBeforeTry") // The lock is held across what the test waits for.
class KeeperLockTest {

  @Test
  void a_virtual_thread_waits_for_the_lock_without_standing_in_line() throws InterruptedException {
    assertThat(standsInLine(new KeeperLock())).isFalse();
  }

  @Test
  void with_a_plain_lock_it_would_stand_in_line() throws InterruptedException {
    assertThat(standsInLine(new ReentrantLock())).isTrue();
  }

  @Test
  void an_interrupt_stays_set_and_the_lock_is_taken_all_the_same() throws InterruptedException {
    for (Thread.Builder kind : new Thread.Builder[]{Thread.ofVirtual(), Thread.ofPlatform().daemon(true)}) {
      KeeperLock lock = new KeeperLock();
      boolean[] seen = new boolean[2];
      lock.lock();
      Thread other =
          kind.start(
              () -> {
                lock.lock();
                seen[0] = lock.isHeldByCurrentThread();
                seen[1] = Thread.currentThread().isInterrupted();
                lock.unlock();
              });
      awaitWaiting(other);
      other.interrupt();
      lock.unlock();
      other.join();
      assertThat(seen).containsExactly(true, true);
    }
  }

  @Test
  void the_holder_may_take_it_again() {
    KeeperLock lock = new KeeperLock();
    lock.lock();
    lock.lock();
    assertThat(lock.getHoldCount()).isEqualTo(2);
  }

  private static boolean standsInLine(ReentrantLock lock) throws InterruptedException {
    CountDownLatch taken = new CountDownLatch(1);
    lock.lock();
    Thread virtual =
        Thread.ofVirtual()
            .start(
                () -> {
                  lock.lock();
                  lock.unlock();
                  taken.countDown();
                });
    awaitWaiting(virtual);
    boolean inLine = lock.hasQueuedThread(virtual);
    lock.unlock();
    assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();
    return inLine;
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }
}
