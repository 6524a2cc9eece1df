package io.queueworker.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.timing.SetClock;
import io.queueworker.timing.SystemTiming;
import io.queueworker.timing.Timing;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class PermitsTest {

  private final Permits permits = new Permits(new SetClock(), 15);

  @Test
  void as_many_are_taken_as_are_free_up_to_the_wish() {
    assertThat(permits.acquire(10, 0)).isEqualTo(10);
    assertThat(permits.acquire(10, 0)).isEqualTo(5);
    assertThat(permits.free()).isZero();
    assertThat(permits.used()).isEqualTo(15);
    permits.release(15);
    assertThat(permits.used()).isZero();
  }

  @Test
  void a_receive_that_finds_less_than_it_wants_says_so_and_only_then() {
    int[] told = new int[1];
    permits.onShort(
        () -> {
          // Who is told must see that somebody waits.
          assertThat(permits.areShort()).isTrue();
          told[0]++;
        });
    permits.acquire(10, 0);
    assertThat(told[0]).isZero();
    assertThat(permits.areShort()).isFalse();
    permits.acquire(10, 0);
    assertThat(told[0]).isEqualTo(1);
    assertThat(permits.areShort()).as("nobody waits any more").isFalse();
  }

  @Test
  void none_are_given_once_closed() {
    permits.close();
    assertThat(permits.acquire(10, 0)).isZero();
    assertThat(permits.used()).isZero();
  }

  @Test
  void a_message_that_waits_for_others_takes_no_room_until_its_turn_comes() {
    permits.acquire(15, 0);
    Permit first = permits.permit();
    Permit second = permits.permit();
    second.park();
    second.park();
    assertThat(permits.free()).isEqualTo(1);
    assertThat(permits.parked()).isEqualTo(1);
    assertThat(permits.acquire(10, 0)).as("what it left is another's").isEqualTo(1);

    second.takeAgain();
    second.takeAgain();
    assertThat(permits.parked()).isZero();
    assertThat(permits.free()).as("until the one before it is settled").isEqualTo(-1);
    first.giveBack();
    first.giveBack();
    assertThat(permits.free()).isZero();
    second.giveBack();
    assertThat(permits.free()).isEqualTo(1);
  }

  @Test
  void a_message_that_goes_back_without_a_turn_gives_nothing_back() {
    permits.acquire(2, 0);
    Permit waiting = permits.permit();
    waiting.park();
    waiting.giveBack();
    waiting.takeAgain();
    assertThat(permits.parked()).isZero();
    assertThat(permits.used()).isEqualTo(1);
  }

  @Test
  void a_receive_to_which_another_was_quicker_waits_as_one_that_is_short() throws Exception {
    AtomicInteger waits = new AtomicInteger();
    AtomicInteger unseen = new AtomicInteger();
    SeenWaits timing = new SeenWaits();
    Permits contested = new Permits(timing, 10);
    timing.onWait = () -> {
      waits.incrementAndGet();
      unseen.addAndGet(contested.areShort() ? 0 : 1);
    };
    Callable<Integer> receives = () -> {
      int taken = 0;
      for (int i = 0; i < 100_000; i++) {
        int some = contested.acquire(10, 0);
        contested.release(some);
        taken += some;
      }
      return taken;
    };
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      for (Future<Integer> taken : pool.invokeAll(List.of(receives, receives))) {
        assertThat(taken.get()).isEqualTo(1_000_000);
      }
    }
    assertThat(unseen).as("of " + waits + " waits").hasValue(0);
  }

  @Test
  void a_receive_that_waits_is_woken_for_the_first_permit_and_for_enough_and_not_for_each() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    SeenWaits timing = new SeenWaits();
    Permits contested = new Permits(timing, 10);
    contested.acquire(10, 0);
    timing.onWait = waits::countDown;
    try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
      Future<Integer> taken = pool.submit(() -> contested.acquire(10, Long.MAX_VALUE / 2));
      waits.await();
      for (int i = 0; i < 10; i++) {
        contested.release(1);
      }
      assertThat(taken.get()).isEqualTo(10);
    }
    assertThat(timing.signals).hasValue(2);
  }

  /** Real waiting, of which a test hears. */
  private static final class SeenWaits implements Timing {
    private final Timing real = SystemTiming.instance();
    final AtomicInteger signals = new AtomicInteger();
    Runnable onWait = () -> {};

    @Override
    public long nanoTime() {
      return real.nanoTime();
    }

    @Override
    public Instant now() {
      return real.now();
    }

    @Override
    public double random() {
      return real.random();
    }

    @Override
    public WaitPoint waitPoint(ReentrantLock lock) {
      WaitPoint changed = real.waitPoint(lock);
      return new WaitPoint() {
        @Override
        public boolean await(long nanos) throws InterruptedException {
          onWait.run();
          return changed.await(nanos);
        }

        @Override
        public void signalAll() {
          signals.incrementAndGet();
          changed.signalAll();
        }
      };
    }

    @Override
    public WorkerThread start(ThreadKind kind, String name, Runnable body) {
      return real.start(kind, name, body);
    }

    @Override
    public ThreadPool pool(String name, int threads) {
      return real.pool(name, threads);
    }
  }
}
