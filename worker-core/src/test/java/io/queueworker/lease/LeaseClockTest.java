package io.queueworker.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** How lease time moves when the process stands still or the machine sleeps. */
class LeaseClockTest {

  private static final Duration JUST_A_GAP = Duration.ofMillis(500).plusNanos(1);

  private final Clocks clocks = new Clocks();
  private final LeaseClock clock = new LeaseClock(clocks);
  private final long start = clock.now();

  private long since() {
    return (clock.now() - start) / 1_000_000;
  }

  private void both(long millis) {
    clocks.nanos += millis * 1_000_000;
    clocks.wall = clocks.wall.plusMillis(millis);
  }

  @Test
  void a_leap_of_the_wall_clock_counts_at_once_and_once() {
    both(100);
    clocks.wall = clocks.wall.plusSeconds(60);
    assertThat(since()).isEqualTo(60_100);
    assertThat(clock.tick()).hasValueSatisfying(gap -> {
      assertThat(gap.slept()).isTrue();
      assertThat(gap.length()).isEqualTo(Duration.ofMillis(60_100));
    });
    assertThat(since()).isEqualTo(60_100);
    both(250);
    assertThat(clock.tick()).isEmpty();
    assertThat(since()).isEqualTo(60_350);
  }

  @Test
  void a_wall_clock_that_is_set_back_or_a_little_ahead_changes_nothing() {
    clocks.wall = clocks.wall.minusSeconds(3_600);
    both(250);
    assertThat(clock.tick()).isEmpty();
    clocks.wall = clocks.wall.plusMillis(900);
    both(250);
    assertThat(clock.tick()).isEmpty();
    assertThat(since()).isEqualTo(500);
  }

  @Test
  void a_second_between_the_clocks_is_no_leap_and_more_is() {
    clocks.wall = clocks.wall.plusSeconds(1);
    assertThat(since()).isZero();
    clocks.wall = clocks.wall.plusNanos(1);
    assertThat(since()).isEqualTo(1_000);
  }

  @Test
  void half_a_second_between_ticks_is_no_gap_and_more_is() {
    both(500);
    long late = clock.now();
    assertThat(clock.anchor(start, late)).as("half a second after the last tick").isEqualTo(late);
    assertThat(clock.tick()).isEmpty();
    both(500);
    clocks.nanos++;
    assertThat(clock.anchor(start, clock.now())).isEqualTo(late);
    assertThat(clock.tick()).hasValueSatisfying(gap -> {
      assertThat(gap.slept()).isFalse();
      assertThat(gap.length()).isEqualTo(JUST_A_GAP);
    });
  }

  @Test
  void the_process_stood_still_within_a_gap_also_while_the_heartbeat_has_yet_to_notice_it() {
    both(250);
    assertThat(clock.tick()).isEmpty();
    long lastTick = clock.now();
    both(10_000);
    long deadline = clock.now() - 1;

    assertThat(clock.stoodStillAt(deadline)).isTrue();
    assertThat(clock.stoodStillAt(lastTick - 1)).isFalse();
    assertThat(clock.stoodStillAt(clock.now())).isTrue();
    assertThat(clock.stoodStillAt(clock.now() + 1)).as("a time that has yet to come").isFalse();
    assertThat(clock.tick()).isPresent();
    assertThat(clock.stoodStillAt(deadline)).isTrue();
    assertThat(clock.stoodStillAt(lastTick)).isTrue();
    assertThat(clock.stoodStillAt(lastTick - 1)).isFalse();
    both(250);
    assertThat(clock.stoodStillAt(clock.now())).isFalse();
  }

  @Test
  void a_call_that_is_sent_when_a_gap_ends_has_none() {
    both(10_000);
    clock.tick();
    long end = clock.now();
    both(100);
    assertThat(clock.anchor(end, clock.now())).isEqualTo(clock.now());
    assertThat(clock.anchor(end - 1, clock.now())).isEqualTo(end - 1);
  }

  @Test
  void a_standstill_between_the_readings_of_both_clocks_is_no_sleep_of_the_machine() {
    both(100);
    clocks.beforeWall = () -> both(10_000);
    assertThat(clock.tick()).hasValueSatisfying(gap -> {
      assertThat(gap.slept()).isFalse();
      assertThat(gap.length()).isEqualTo(Duration.ofMillis(10_100));
    });
    assertThat(since()).isEqualTo(10_100);
  }

  @Test
  void the_last_64_gaps_are_remembered() {
    for (int i = 0; i < 64; i++) {
      both(1_000);
      clock.tick();
    }
    assertThat(clock.anchor(start, clock.now())).isEqualTo(start);
    both(1_000);
    clock.tick();
    assertThat(clock.anchor(start, clock.now()) - start).isEqualTo(Duration.ofSeconds(1).toNanos());
  }

  @Test
  void a_lease_that_came_across_a_gap_counts_from_the_gap_s_start_but_not_from_before_its_call() {
    both(250);
    clock.tick();
    long lastTick = clock.now();
    both(10_000);
    long arrived = clock.now();
    assertThat(clock.anchor(start, arrived)).isEqualTo(lastTick);
    assertThat(clock.anchor(arrived - 5, arrived)).isEqualTo(arrived - 5);
    assertThat(clock.tick()).isPresent();
    assertThat(clock.anchor(start, arrived)).isEqualTo(lastTick);
    both(100);
    assertThat(clock.anchor(arrived + 1, clock.now())).isEqualTo(clock.now());
  }

  /** Clocks that a test moves. */
  private static final class Clocks implements Timing {
    long nanos = Long.MAX_VALUE - 1_000_000;
    Instant wall = Instant.parse("2030-01-01T00:00:00Z");

    /** What happens, once, before the wall clock is read. */
    Runnable beforeWall = () -> {};

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public Instant now() {
      Runnable action = beforeWall;
      beforeWall = () -> {};
      action.run();
      return wall;
    }

    @Override
    public double random() {
      throw new UnsupportedOperationException();
    }

    @Override
    public WaitPoint waitPoint(ReentrantLock lock) {
      throw new UnsupportedOperationException();
    }

    @Override
    public WorkerThread start(ThreadKind kind, String name, Runnable body) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ThreadPool pool(String name, int threads) {
      throw new UnsupportedOperationException();
    }
  }
}
