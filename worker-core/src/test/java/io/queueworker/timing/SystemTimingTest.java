package io.queueworker.timing;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.queueworker.timing.Timing.ThreadKind;
import io.queueworker.timing.Timing.ThreadPool;
import io.queueworker.timing.Timing.WaitPoint;
import io.queueworker.timing.Timing.WorkerThread;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

class SystemTimingTest {

  private final Timing timing = SystemTiming.instance();

  @Test
  void monotonic_time_does_not_go_back_and_random_numbers_stay_in_their_range() {
    long before = timing.nanoTime();
    for (int i = 0; i < 1000; i++) {
      assertThat(timing.random()).isGreaterThanOrEqualTo(0.0).isLessThan(1.0);
    }
    assertThat(timing.nanoTime() - before).isGreaterThanOrEqualTo(0);
  }

  @ParameterizedTest
  @EnumSource(ThreadKind.class)
  void a_thread_is_a_named_daemon_of_its_kind(ThreadKind kind) throws Exception {
    BlockingQueue<Thread> seen = new ArrayBlockingQueue<>(1);
    CountDownLatch end = new CountDownLatch(1);

    WorkerThread started =
        timing.start(
            kind,
            "worker-orders-x",
            () -> {
              seen.add(Thread.currentThread());
              awaitQuietly(end);
            });

    Thread thread = seen.poll(10, SECONDS);
    assertThat(thread.isVirtual()).isEqualTo(kind == ThreadKind.VIRTUAL);
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getName()).isEqualTo("worker-orders-x").isEqualTo(started.name());
    assertThat(started.isAlive()).isTrue();
    assertThat(started.isCurrent()).isFalse();
    end.countDown();
    thread.join();
    assertThat(started.isAlive()).isFalse();
  }

  @Test
  void a_thread_knows_itself_and_an_interrupt_reaches_it() throws Exception {
    CompletableFuture<WorkerThread> self = new CompletableFuture<>();
    CompletableFuture<Boolean> isCurrent = new CompletableFuture<>();
    CompletableFuture<String> ended = new CompletableFuture<>();

    WorkerThread started =
        timing.start(
            ThreadKind.VIRTUAL,
            "worker-orders-y",
            () -> {
              isCurrent.complete(self.join().isCurrent());
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                ended.complete("interrupted");
              }
            });
    self.complete(started);

    assertThat(isCurrent.get(10, SECONDS)).isTrue();
    started.interrupt();
    assertThat(ended.get(10, SECONDS)).isEqualTo("interrupted");
  }

  @Test
  void a_wait_ends_with_false_when_its_time_ran_out() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    WaitPoint change = timing.waitPoint(lock);
    lock.lock();
    try {
      assertThat(change.await(1)).isFalse();
      assertThat(change.await(-1)).isFalse();
    } finally {
      lock.unlock();
    }
  }

  @Test
  void a_wait_ends_with_true_when_it_is_signalled() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    WaitPoint change = timing.waitPoint(lock);
    CompletableFuture<Boolean> woken = new CompletableFuture<>();
    CountDownLatch holdsLock = new CountDownLatch(1);
    timing.start(
        ThreadKind.PLATFORM,
        "waiter",
        () -> {
          lock.lock();
          try {
            holdsLock.countDown();
            woken.complete(change.await(SECONDS.toNanos(60)));
          } catch (InterruptedException e) {
            woken.completeExceptionally(e);
          } finally {
            lock.unlock();
          }
        });
    assertThat(holdsLock.await(10, SECONDS)).isTrue();
    lock.lock(); // only free once the waiter waits
    try {
      change.signalAll();
    } finally {
      lock.unlock();
    }
    assertThat(woken.get(10, SECONDS)).isTrue();
  }

  @Test
  void a_wait_of_an_interrupted_thread_throws() {
    ReentrantLock lock = new ReentrantLock();
    WaitPoint change = timing.waitPoint(lock);
    lock.lock();
    try {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> change.await(SECONDS.toNanos(60))).isInstanceOf(InterruptedException.class);
    } finally {
      lock.unlock();
    }
  }

  @Test
  void a_pool_runs_its_tasks_in_order_on_named_daemons_and_finishes_what_is_queued_after_a_shutdown() throws Exception {
    ThreadPool pool = timing.pool("worker-orders-control", 1);
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(100);
    List<Integer> order = new CopyOnWriteArrayList<>();
    List<String> threads = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 100; i++) {
      int number = i;
      assertThat(
          pool.execute(
              () -> {
                awaitQuietly(go);
                order.add(number);
                threads.add(Thread.currentThread().getName() + Thread.currentThread().isDaemon());
                done.countDown();
              }))
          .isTrue();
    }

    pool.shutdown();
    assertThat(pool.execute(() -> order.add(-1))).as("a task after the shutdown").isFalse();
    go.countDown();

    assertThat(done.await(10, SECONDS)).isTrue();
    assertThat(order).hasSize(100).isSorted().doesNotContain(-1);
    assertThat(threads).containsOnly("worker-orders-control-1true");
  }

  @Test
  void a_pool_uses_no_more_threads_than_it_may() throws Exception {
    ThreadPool pool = timing.pool("two", 2);
    CountDownLatch both = new CountDownLatch(2);
    CountDownLatch done = new CountDownLatch(20);
    List<String> threads = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 20; i++) {
      pool.execute(
          () -> {
            threads.add(Thread.currentThread().getName());
            both.countDown();
            awaitQuietly(both); // ends only when two run side by side
            done.countDown();
          });
    }
    assertThat(done.await(10, SECONDS)).isTrue();
    assertThat(threads).contains("two-1", "two-2").allMatch(name -> name.equals("two-1") || name.equals("two-2"));
    pool.shutdown();
  }

  @Test
  void a_task_that_throws_an_error_is_logged_and_the_pool_goes_on() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger("io.queueworker");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      ThreadPool pool = timing.pool("failing", 1);
      CompletableFuture<String> next = new CompletableFuture<>();
      pool.execute(
          () -> {
            throw new NoClassDefFoundError("gone");
          });
      pool.execute(() -> next.complete(Thread.currentThread().getName()));

      assertThat(next.get(10, SECONDS)).as("the same thread went on").isEqualTo("failing-1");
      assertThat(lines.list)
          .anySatisfy(
              line -> {
                assertThat(line.getLevel()).isEqualTo(Level.ERROR);
                assertThat(line.getFormattedMessage()).startsWith("thread=failing-1 ");
                assertThat(line.getThrowableProxy().getMessage()).isEqualTo("gone");
              });
      pool.shutdown();
    } finally {
      logger.detachAppender(lines);
    }
  }

  @Test
  void a_pool_without_threads_is_refused() {
    assertThatThrownBy(() -> timing.pool("none", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pool(none, 0): threads must be at least 1");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(30, SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
