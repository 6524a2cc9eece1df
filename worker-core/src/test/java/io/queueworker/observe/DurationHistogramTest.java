package io.queueworker.observe;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.queueworker.DuplicateCause;
import io.queueworker.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationHistogramTest {

  private static final long START = Long.MAX_VALUE - MINUTES.toNanos(5); // a monotonic clock may wrap

  private final DurationHistogram histogram = new DurationHistogram(START);

  @Test
  void S19_slow_samples_of_the_past_do_not_dominate_the_p99() {
    record(100, Duration.ofSeconds(60), START);
    long later = START + MINUTES.toNanos(61);

    record(10_000, Duration.ofSeconds(1), later);

    Durations durations = histogram.snapshot(later);
    assertThat(durations.count()).isEqualTo(10_000);
    assertClose(durations.p99(), Duration.ofSeconds(1));
    assertClose(durations.p999(), Duration.ofSeconds(1));
    assertClose(durations.max(), Duration.ofSeconds(1));
  }

  @Test
  void S19_the_same_samples_inside_one_hour_do_count() {
    record(100, Duration.ofSeconds(60), START);
    long later = START + MINUTES.toNanos(49);

    record(5_000, Duration.ofSeconds(1), later);

    Durations durations = histogram.snapshot(later);
    assertThat(durations.count()).isEqualTo(5_100);
    assertClose(durations.p50(), Duration.ofSeconds(1));
    assertClose(durations.p99(), Duration.ofSeconds(60));
    assertClose(durations.max(), Duration.ofSeconds(60));
  }

  @Test
  void S19_what_was_cut_off_long_ago_does_not_count_either() {
    histogram.cutOff(HOURS.toNanos(1), START);
    histogram.failed(START);
    histogram.onEvent(
        new EventContext("orders", "w1", Instant.EPOCH, START),
        new WorkerEvent.Deleted("m1", 1, Duration.ofSeconds(1)));
    long later = START + MINUTES.toNanos(61);

    record(100, Duration.ofSeconds(1), later);

    Durations durations = histogram.snapshot(later);
    assertClose(durations.max(), Duration.ofSeconds(1));
    assertThat(durations.cutOff()).isZero();
    assertThat(durations.failed()).isZero();
    assertThat(durations.delete()).isEmpty();
  }

  @Test
  void a_sample_is_forgotten_after_an_hour_also_when_nothing_follows() {
    record(1, Duration.ofSeconds(5), START);

    assertThat(histogram.snapshot(START + MINUTES.toNanos(60) - 1).count()).isEqualTo(1);
    assertThat(histogram.snapshot(START + MINUTES.toNanos(60)).count()).isZero();
  }

  @Test
  void an_empty_histogram_says_zero() {
    Durations durations = histogram.snapshot(START);

    assertThat(List.of(durations.p50(), durations.p90(), durations.p99(), durations.p999(), durations.max()))
        .containsOnly(Estimate.exactly(Duration.ZERO));
    assertThat(durations.count()).isZero();
    assertThat(durations.samples()).isZero();
    assertThat(durations.p99Bound()).isEmpty();
    assertThat(durations.delete()).isEmpty();
  }

  @Test
  void the_length_of_a_window_can_be_set() {
    DurationHistogram quick = new DurationHistogram(0, Duration.ofSeconds(1));
    quick.record(SECONDS.toNanos(1), 0);

    assertThat(quick.snapshot(SECONDS.toNanos(5)).count()).isEqualTo(1);
    assertThat(quick.snapshot(SECONDS.toNanos(6)).count()).isZero();
  }

  @Test
  void a_thread_that_is_an_hour_late_changes_nothing_in_the_window_that_took_its_place() {
    long later = START + MINUTES.toNanos(60);
    record(1, Duration.ofSeconds(1), later);

    record(1, Duration.ofHours(1), START);

    Durations durations = histogram.snapshot(later);
    assertThat(durations.count()).isEqualTo(1);
    assertClose(durations.max(), Duration.ofSeconds(1));
  }

  @Test
  void a_sample_from_just_before_the_start_is_kept() {
    record(1, Duration.ofSeconds(1), START - 1);

    assertThat(histogram.snapshot(START).count()).isEqualTo(1);
  }

  @Test
  void durations_beyond_the_range_count_at_its_ends() {
    histogram.record(-5, START);
    histogram.record(0, START);
    assertThat(histogram.snapshot(START).max()).isEqualTo(Estimate.exactly(Duration.ofMillis(1)));

    histogram.record(HOURS.toNanos(100), START);
    histogram.record(Long.MAX_VALUE, START);
    assertThat(histogram.snapshot(START).count()).isEqualTo(4);
    assertThat(histogram.snapshot(START).max()).isEqualTo(Estimate.exactly(Duration.ofHours(24)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void no_figure_is_off_by_more_than_two_percent(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] millis = new long[20_000];
    for (int i = 0; i < millis.length; i++) {
      millis[i] = Math.round(Math.exp(random.nextDouble(0, Math.log((double) HOURS.toMillis(12))))); // 1 ms to 12 h, log-uniform
      histogram.record(Duration.ofMillis(millis[i]).toNanos(), START);
    }
    Arrays.sort(millis);

    Durations durations = histogram.snapshot(START);

    assertThat(durations.count()).isEqualTo(millis.length);
    assertClose(durations.p50(), Duration.ofMillis(millis[10_000 - 1]));
    assertClose(durations.p90(), Duration.ofMillis(millis[18_000 - 1]));
    assertClose(durations.p99(), Duration.ofMillis(millis[19_800 - 1]));
    assertClose(durations.p999(), Duration.ofMillis(millis[19_980 - 1]));
    assertClose(durations.max(), Duration.ofMillis(millis[20_000 - 1]));
  }

  @Test
  void as_a_listener_it_takes_its_samples_from_commits_alone() {
    EventContext context = new EventContext("orders", "w1", Instant.EPOCH, START);
    histogram.onEvent(context, new WorkerEvent.Committed("m1", 1, Duration.ofSeconds(3)));
    histogram.onEvent(context, new WorkerEvent.HandlerReturned("m1", 1, Duration.ofSeconds(9)));
    histogram.onEvent(context,
        new WorkerEvent.Suppressed("m2", 2, Optional.empty(), EveryEvent.diagnosis(DuplicateCause.UNKNOWN)));
    histogram.onEvent(
        context, new WorkerEvent.Failed("m3", 1, Failure.Stage.HANDLE, new IllegalStateException(), "tried again"));

    histogram.onEvent(context, new WorkerEvent.Deleted("m1", 1, Duration.ofMillis(120)));
    histogram.failed(START);

    Durations durations = histogram.snapshot(START);
    assertThat(durations.count()).isEqualTo(1);
    assertClose(durations.max(), Duration.ofSeconds(3));
    assertThat(durations.suppressed()).isEqualTo(1);
    assertThat(durations.failed()).as("told by the run, not by the event").isEqualTo(1);
    assertThat(durations.delete()).contains(Duration.ofMillis(120));
  }

  @Test
  void samples_of_many_threads_all_count() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      long now = START + MINUTES.toNanos(10L * (i % 6)); // threads that disagree about the window
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int sample = 0; sample < 5_000; sample++) {
                      histogram.record(SECONDS.toNanos(1), now);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(histogram.snapshot(START + MINUTES.toNanos(50)).count()).isEqualTo(40_000);
  }

  private void record(int times, Duration duration, long now) {
    for (int i = 0; i < times; i++) {
      histogram.record(duration.toNanos(), now);
    }
  }

  private static void assertClose(Estimate actual, Duration expected) {
    assertThat(actual.atLeast()).isFalse();
    assertThat((double) actual.value().toNanos()).isCloseTo((double) expected.toNanos(),
        within(expected.toNanos() * 0.02));
  }
}
