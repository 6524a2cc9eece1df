package io.queueworker.testkit.simulation;

import static io.queueworker.timing.Timing.ThreadKind.PLATFORM;
import static io.queueworker.timing.Timing.ThreadKind.VIRTUAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadPool;
import io.queueworker.timing.Timing.WaitPoint;
import io.queueworker.timing.Timing.WorkerThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class SimulatedTimingTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void a_day_passes_without_real_waiting_and_the_monotonic_clock_shows_it() {
    SimulatedTiming.run(
        1,
        timing -> {
          long before = timing.nanoTime();
          timing.sleep(Duration.ofDays(1));
          assertThat(timing.nanoTime() - before).isEqualTo(Duration.ofDays(1).toNanos());
        });
  }

  @Test
  void the_same_seed_gives_the_same_steps() {
    assertThat(steps(7)).hasSizeGreaterThan(50).isEqualTo(steps(7));
  }

  @Test
  void other_seeds_give_other_steps() {
    Set<List<Step>> different = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      different.add(steps(seed));
    }
    assertThat(different).hasSizeGreaterThan(10);
  }

  private static List<Step> steps(long seed) {
    List<Step> kept = new ArrayList<>();
    SimulatedTiming.run(
        seed,
        timing -> {
          List<Step> steps = timing.recordSteps();
          List<WorkerThread> threads = new ArrayList<>();
          for (int t = 0; t < 4; t++) {
            threads.add(timing.start(VIRTUAL, "walker-" + t, () -> walk(timing)));
          }
          timing.await(() -> threads.stream().noneMatch(WorkerThread::isAlive), MINUTE);
          kept.addAll(steps);
        });
    return kept;
  }

  private static void walk(SimulatedTiming timing) {
    for (int i = 0; i < 20; i++) {
      timing.advance(Duration.ofMillis((long) (timing.random() * 3)));
    }
  }

  @Test
  void some_of_fifty_seeds_finds_a_lost_update_and_some_does_not() {
    Set<Integer> results = new HashSet<>();
    for (int seed = 0; seed < 50; seed++) {
      results.add(twoIncrements(seed));
    }
    assertThat(results).containsExactlyInAnyOrder(1, 2);
  }

  private static int twoIncrements(long seed) {
    int[] counter = {0};
    SimulatedTiming.run(
        seed,
        timing -> {
          Runnable increment =
              () -> {
                timing.advance(Duration.ZERO);
                int read = counter[0];
                timing.advance(Duration.ZERO);
                counter[0] = read + 1;
              };
          WorkerThread one = timing.start(VIRTUAL, "one", increment);
          WorkerThread two = timing.start(VIRTUAL, "two", increment);
          timing.await(() -> !one.isAlive() && !two.isAlive(), MINUTE);
        });
    return counter[0];
  }

  @Test
  void a_started_thread_does_not_run_before_its_starter_waits() {
    SimulatedTiming.run(
        1,
        timing -> {
          boolean[] ran = {false};
          WorkerThread thread = timing.start(PLATFORM, "later", () -> ran[0] = true);
          assertThat(ran[0]).isFalse();
          assertThat(thread.isAlive()).isTrue();
          timing.await(() -> ran[0], MINUTE);
          timing.sleep(Duration.ZERO);
          assertThat(thread.isAlive()).isFalse();
        });
  }

  @Test
  void a_wait_ends_by_a_signal_with_true_and_by_time_with_false() {
    SimulatedTiming.run(
        1,
        timing -> {
          ReentrantLock lock = new ReentrantLock();
          WaitPoint point = timing.waitPoint(lock);
          List<Boolean> results = new ArrayList<>();
          timing.start(VIRTUAL, "waiter", () -> {
            results.add(await(lock, point, Duration.ofSeconds(10)));
            results.add(await(lock, point, Duration.ofSeconds(10)));
          });
          timing.sleep(Duration.ofSeconds(4));
          signal(lock, point);
          timing.await("both waits end", () -> results.size() == 2, MINUTE);
          assertThat(results).containsExactly(true, false);
          assertThat(timing.elapsed()).isEqualTo(Duration.ofSeconds(14));
        });
  }

  private static boolean await(ReentrantLock lock, WaitPoint point, Duration atMost) {
    lock.lock();
    try {
      return point.await(atMost.toNanos());
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    } finally {
      lock.unlock();
    }
  }

  private static void signal(ReentrantLock lock, WaitPoint point) {
    lock.lock();
    try {
      point.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Test
  void a_wait_gives_back_a_lock_that_is_held_twice() {
    SimulatedTiming.run(
        1,
        timing -> {
          ReentrantLock lock = new ReentrantLock();
          WaitPoint point = timing.waitPoint(lock);
          int[] held = {0};
          timing.start(VIRTUAL, "waiter", () -> {
            lock.lock();
            try {
              await(lock, point, MINUTE);
              held[0] = lock.getHoldCount();
            } finally {
              lock.unlock();
            }
          });
          timing.sleep(Duration.ofSeconds(1));
          signal(lock, point);
          timing.await(() -> held[0] == 1, MINUTE);
        });
  }

  @Test
  void a_wait_without_its_lock_is_refused() {
    SimulatedTiming.run(
        1,
        timing -> {
          WaitPoint point = timing.waitPoint(new ReentrantLock());
          assertThatThrownBy(() -> point.await(1)).isInstanceOf(IllegalMonitorStateException.class);
          assertThatThrownBy(point::signalAll).isInstanceOf(IllegalMonitorStateException.class);
        });
  }

  @Test
  void an_interrupt_ends_a_wait_and_clears_the_flag() {
    SimulatedTiming.run(
        1,
        timing -> {
          List<String> seen = new ArrayList<>();
          WorkerThread thread = timing.start(VIRTUAL, "sleeper", () -> {
            try {
              timing.sleep(Duration.ofHours(1));
            } catch (InterruptedException interrupted) {
              seen.add("interrupted at " + timing.elapsed() + ", flag " + Thread.currentThread().isInterrupted());
            }
          });
          timing.sleep(Duration.ofSeconds(5));
          thread.interrupt();
          timing.await(() -> !thread.isAlive(), MINUTE);
          assertThat(seen).containsExactly("interrupted at PT5S, flag false");
        });
  }

  @Test
  void an_interrupt_before_the_thread_runs_is_seen_as_a_flag_and_by_the_next_wait() {
    SimulatedTiming.run(
        1,
        timing -> {
          List<String> seen = new ArrayList<>();
          WorkerThread thread = timing.start(VIRTUAL, "early", () -> {
            seen.add("flag " + Thread.currentThread().isInterrupted());
            try {
              timing.sleep(Duration.ofHours(1));
            } catch (InterruptedException interrupted) {
              seen.add("thrown");
            }
          });
          thread.interrupt();
          timing.await(() -> !thread.isAlive(), MINUTE);
          assertThat(seen).containsExactly("flag true", "thrown");
          assertThat(timing.elapsed()).isZero();
        });
  }

  @Test
  void a_pool_runs_its_tasks_in_order_on_no_more_threads_than_it_has() {
    SimulatedTiming.run(
        3,
        timing -> {
          ThreadPool pool = timing.pool("control", 2);
          List<Integer> started = new ArrayList<>();
          Set<String> names = new HashSet<>();
          int[] running = {0, 0};
          for (int i = 0; i < 10; i++) {
            int task = i;
            assertThat(pool.execute(() -> {
              started.add(task);
              names.add(Thread.currentThread().getName());
              running[0]++;
              running[1] = Math.max(running[1], running[0]);
              timing.advance(Duration.ofSeconds(1));
              running[0]--;
            }))
                .isTrue();
          }
          pool.shutdown();
          assertThat(pool.execute(() -> started.add(99))).isFalse();
          timing.await(() -> started.size() == 10 && running[0] == 0, MINUTE);
          assertThat(started).isSorted();
          assertThat(running[1]).isEqualTo(2);
          assertThat(names).containsExactlyInAnyOrder("control-1", "control-2");
          assertThat(timing.elapsed()).isEqualTo(Duration.ofSeconds(5));
        });
  }

  @Test
  void a_deadlock_fails_with_the_seed_and_where_each_thread_waits() {
    assertThatThrownBy(
        () -> SimulatedTiming.run(
            42,
            timing -> {
              ReentrantLock lock = new ReentrantLock();
              lock.lock();
              timing.waitPoint(lock).await(Long.MAX_VALUE);
            }))
        .isInstanceOf(SimulationFailure.class)
        .hasMessageContaining("seed 42")
        .hasMessageContaining("nothing can ever run again")
        .hasMessageContaining("SimulatedTimingTest");
  }

  @Test
  void a_throwable_that_ends_a_thread_fails_the_run_although_the_body_is_content() {
    assertThatThrownBy(
        () -> SimulatedTiming.run(
            5,
            timing -> {
              timing.start(VIRTUAL, "bad", () -> {
                throw new StackOverflowError("boom");
              });
              timing.sleep(MINUTE);
            }))
        .hasMessageContaining("seed 5: thread 'bad' ended by")
        .hasRootCauseInstanceOf(StackOverflowError.class);
  }

  @Test
  void a_failing_body_fails_the_run_with_its_time_and_cause() {
    assertThatThrownBy(
        () -> SimulatedTiming.run(
            6,
            timing -> {
              timing.sleep(MINUTE);
              throw new java.io.IOException("body");
            }))
        .hasMessage("seed 6: at PT1M: java.io.IOException: body")
        .hasRootCauseInstanceOf(java.io.IOException.class);
  }

  @Test
  void threads_that_are_left_are_ended_with_the_body_even_when_they_catch_everything() {
    List<String> seen = new ArrayList<>();
    SimulatedTiming.run(
        1,
        timing -> {
          timing.start(VIRTUAL, "loop", () -> {
            while (true) {
              try {
                timing.advance(MINUTE);
              } catch (Throwable ignored) {
                seen.add("caught");
              }
            }
          });
          timing.start(VIRTUAL, "tidy", () -> {
            try {
              timing.advance(Duration.ofDays(1));
            } finally {
              seen.add("finally");
            }
          });
          timing.sleep(Duration.ofSeconds(1));
        });
    assertThat(seen).contains("finally").endsWith("finally");
  }

  @Test
  void a_loop_that_never_ends_fails_by_steps_and_one_that_waits_too_long_by_time() {
    SimulationLimits few = SimulationLimits.defaults().withSteps(1000).withVirtualTime(MINUTE);
    assertThatThrownBy(() -> SimulatedTiming.run(1, few, timing -> forever(timing, Duration.ZERO)))
        .hasMessageContaining("more than 1000 steps");
    assertThatThrownBy(() -> SimulatedTiming.run(1, few, timing -> forever(timing, Duration.ofSeconds(1))))
        .hasMessageContaining("virtual time passed PT1M");
  }

  private static void forever(SimulatedTiming timing, Duration pause) throws InterruptedException {
    while (true) {
      timing.sleep(pause);
    }
  }

  @Test
  void a_step_that_hangs_for_real_is_reported_with_its_stack() {
    SimulationLimits impatient = SimulationLimits.defaults().withRealTimePerStep(Duration.ofSeconds(1));
    assertThatThrownBy(() -> SimulatedTiming.run(1, impatient, timing -> new CountDownLatch(1).await()))
        .hasMessageContaining("of real time")
        .hasMessageContaining("CountDownLatch.await");
  }

  @Test
  void a_lock_that_somebody_keeps_while_waiting_elsewhere_is_reported() {
    assertThatThrownBy(
        () -> SimulatedTiming.run(
            1,
            timing -> {
              ReentrantLock lock = new ReentrantLock();
              WaitPoint point = timing.waitPoint(lock);
              timing.start(VIRTUAL, "waiter", () -> await(lock, point, Duration.ofSeconds(2)));
              timing.sleep(Duration.ofSeconds(1));
              lock.lock();
              timing.sleep(MINUTE);
            }))
        .hasMessageContaining("'waiter' cannot take its lock back");
  }

  @Test
  void an_awaited_condition_is_seen_in_its_moment_and_fails_in_words_when_it_never_comes() {
    SimulatedTiming.run(
        1,
        timing -> {
          boolean[] on = {false};
          timing.start(VIRTUAL, "blink", () -> {
            timing.advance(Duration.ofSeconds(3));
            on[0] = true;
            timing.advance(Duration.ZERO);
            on[0] = false;
          });
          timing.await("the lamp is on", () -> on[0], MINUTE);
          assertThat(on[0]).isTrue();
          assertThatThrownBy(() -> timing.await("the lamp is on again", () -> false, MINUTE))
              .isInstanceOf(AssertionError.class)
              .hasMessage("the lamp is on again did not come true within PT1M of virtual time");
        });
  }

  @Test
  void only_simulated_threads_may_wait() {
    SimulatedTiming[] escaped = new SimulatedTiming[1];
    SimulatedTiming.run(1, timing -> escaped[0] = timing);
    assertThatThrownBy(() -> escaped[0].sleep(MINUTE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is not simulated");
  }

  @Test
  void a_frozen_process_finds_its_timers_late() {
    SimulatedTiming.run(
        1,
        timing -> {
          List<Duration> ticks = ticking(timing, timing);
          timing.sleep(Duration.ofMillis(2500));
          timing.freeze(Duration.ofSeconds(10));
          timing.sleep(Duration.ofMillis(1));
          assertThat(ticks).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(12500));
        });
  }

  private static List<Duration> ticking(SimulatedTiming timing, Timing on) {
    List<Duration> ticks = new ArrayList<>();
    on.start(PLATFORM, "tick", () -> {
      while (true) {
        timing.advance(Duration.ofSeconds(1));
        ticks.add(timing.elapsed());
      }
    });
    return ticks;
  }

  @Test
  void a_frozen_machine_stands_still_while_others_go_on() {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedMachine a = timing.machine("a", Duration.ZERO);
          List<Duration> frozen = ticking(timing, a);
          List<Duration> running = ticking(timing, timing.machine("b", Duration.ZERO));
          timing.sleep(Duration.ofMillis(1500));
          a.freeze(Duration.ofMillis(5200));
          timing.sleep(Duration.ofMillis(6700));
          assertThat(frozen).containsExactly(Duration.ofSeconds(1), Duration.ofMillis(6700), Duration.ofMillis(7700));
          assertThat(running).hasSize(8);
        });
  }

  @Test
  void a_thread_that_freezes_its_own_machine_goes_on_after_the_freeze() {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedMachine a = timing.machine("a", Duration.ZERO);
          List<Duration> seen = new ArrayList<>();
          a.start(VIRTUAL, "self", () -> {
            a.freeze(Duration.ofSeconds(9));
            seen.add(timing.elapsed());
          });
          timing.await(() -> !seen.isEmpty(), MINUTE);
          assertThat(seen).containsExactly(Duration.ofSeconds(9));
        });
  }

  @Test
  void a_killed_machine_runs_no_further_statement_and_no_finally() {
    List<String> seen = new ArrayList<>();
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedMachine a = timing.machine("a", Duration.ZERO);
          WorkerThread waiting = a.start(VIRTUAL, "waiting", () -> {
            try {
              timing.advance(Duration.ofSeconds(2));
              seen.add("went on");
            } finally {
              seen.add(timing.isOver() ? "ended with the simulation" : "finally");
            }
          });
          a.start(VIRTUAL, "killer", () -> {
            timing.advance(Duration.ofSeconds(1));
            a.kill();
            seen.add("survived");
          });
          timing.sleep(MINUTE);
          assertThat(seen).isEmpty();
          assertThat(waiting.isAlive()).isFalse();
          assertThatThrownBy(() -> a.freeze(MINUTE)).hasMessageContaining("was killed");
        });
    assertThat(seen).containsExactly("ended with the simulation");
  }

  @Test
  void machines_have_clocks_of_their_own() {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedMachine ahead = timing.machine(Duration.ofHours(2));
          assertThat(Duration.between(timing.now(), ahead.now())).isEqualTo(Duration.ofHours(2));
          long nanos = timing.nanoTime();
          timing.leapWallClock(Duration.ofHours(2));
          assertThat(timing.nanoTime()).isEqualTo(nanos);
          assertThat(timing.now()).isEqualTo(ahead.now());
        });
  }

  @Test
  void a_suspended_machine_loses_monotonic_time_and_its_waits_last_as_long_by_its_own_clock() {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedMachine laptop = timing.machine("laptop", Duration.ZERO);
          List<Duration> ticks = ticking(timing, laptop);
          timing.sleep(Duration.ofMillis(500));
          long nanos = laptop.nanoTime();
          java.time.Instant wall = laptop.now();
          laptop.suspend(Duration.ofHours(1));
          timing.sleep(Duration.ofHours(1));
          assertThat(laptop.nanoTime()).isEqualTo(nanos);
          assertThat(Duration.between(wall, laptop.now())).isEqualTo(Duration.ofHours(1));
          timing.sleep(Duration.ofMillis(600));
          assertThat(ticks).containsExactly(Duration.ofHours(1).plusSeconds(1));
        });
  }

  @Test
  void two_suspensions_that_overlap_lose_the_time_that_passed_and_no_more() {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedMachine laptop = timing.machine("laptop", Duration.ZERO);
          List<Duration> ticks = ticking(timing, laptop);
          timing.sleep(Duration.ofMillis(500));
          long nanos = laptop.nanoTime();
          laptop.suspend(Duration.ofSeconds(3));
          timing.sleep(Duration.ofSeconds(1));
          laptop.suspend(Duration.ofSeconds(40));
          timing.sleep(Duration.ofSeconds(1));
          laptop.suspend(Duration.ofSeconds(5));
          timing.sleep(Duration.ofSeconds(39));
          assertThat(laptop.nanoTime()).isEqualTo(nanos);
          timing.sleep(Duration.ofMillis(600));
          assertThat(ticks).containsExactly(Duration.ofSeconds(42));
        });
  }

  @Test
  void fifty_thousand_steps_of_a_simulation_end() {
    SimulatedTiming.run(
        1,
        timing -> {
          int[] turns = {0};
          for (int t = 0; t < 50; t++) {
            timing.start(VIRTUAL, "t" + t, () -> {
              for (int i = 0; i < 1000; i++) {
                timing.advance(Duration.ofMillis(1));
                turns[0]++;
              }
            });
          }
          timing.await(() -> turns[0] == 50_000, MINUTE);
          assertThat(timing.elapsed()).isEqualTo(Duration.ofSeconds(1));
        });
  }
}
