package io.queueworker.observe;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the percentiles and the bound are worth, on distributions whose percentiles are known. */
class EstimateTest {

  private static final int SEEDS = 1_000;
  private static final int SAMPLES = 1_000;

  /** How far the mean of so many estimates, each rounded to a bucket, may lie from another by chance. */
  private static final double CHANCE = 0.01;

  /**
   * Durations in seconds of which everything is known.
   *
   * @param name for the report
   * @param draw one duration
   * @param p99 the true one
   * @param mean the true one
   */
  record Distribution(String name, ToDoubleFunction<SplittableRandom> draw, double p99, double mean) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static final Distribution UNIFORM =
      new Distribution("uniform", random -> 0.1 + 9.9 * random.nextDouble(), 0.1 + 9.9 * 0.99, 5.05);
  private static final Distribution EXPONENTIAL =
      new Distribution("exponential", random -> -Math.log(1 - random.nextDouble()), Math.log(100), 1);
  private static final Distribution LOGNORMAL =
      new Distribution("lognormal", random -> Math.exp(random.nextGaussian()), Math.exp(2.3263479), Math.exp(0.5));

  /** 95 % take 150 to 250 ms, 5 % take 5 to 7 s: the p99 lies where four fifths of the slow ones are done. */
  private static final Distribution BIMODAL =
      new Distribution(
          "bimodal",
          random -> random.nextDouble() < 0.95 ? 0.15 + 0.1 * random.nextDouble() : 5 + 2 * random.nextDouble(),
          6.6,
          0.95 * 0.2 + 0.05 * 6);

  /** What is made of a run that was cut off. */
  private enum Treatment {
    /** It takes longer than that. */
    UNFINISHED,
    /** As if it had committed then. */
    AS_COMMITTED,
    /** As if it had not been. */
    IGNORED
  }

  static Stream<Arguments> distributionsAndSizes() {
    return Stream.of(UNIFORM, EXPONENTIAL, LOGNORMAL, BIMODAL)
        .flatMap(of -> Stream.of(299, SAMPLES).map(size -> argumentSet(of + ", " + size + " samples", of, size)));
  }

  static Stream<Distribution> longTails() {
    return Stream.of(EXPONENTIAL, LOGNORMAL);
  }

  static Stream<Distribution> all() {
    return Stream.of(UNIFORM, EXPONENTIAL, LOGNORMAL, BIMODAL);
  }

  @ParameterizedTest
  @MethodSource("distributionsAndSizes")
  void the_95_percent_bound_covers_the_true_p99_in_93_percent_of_samples_at_least(Distribution of, int size) {
    assertThat(coverage(of, seed -> complete(of, size, seed), d -> d.p99Bound().orElseThrow()))
        .isGreaterThanOrEqualTo(0.93);
  }

  @ParameterizedTest
  @MethodSource("longTails")
  void the_p99_itself_would_be_no_such_bound(Distribution of) {

    assertThat(coverage(of, seed -> complete(of, SAMPLES, seed), Durations::p99)).isBetween(0.4, 0.8);
  }

  @ParameterizedTest
  @MethodSource("all")
  void the_bound_covers_the_p99_also_when_5_percent_are_cut_off(Distribution of) {
    assertThat(
        coverage(
            of,
            seed -> closedAtRandom(of, seed, Treatment.UNFINISHED),
            d -> d.p99Bound().orElseThrow()))
        .isGreaterThanOrEqualTo(0.93);
    assertThat(closedAtRandom(of, 1, Treatment.UNFINISHED).samples()).isLessThan(SAMPLES);
  }

  @ParameterizedTest
  @MethodSource("all")
  void with_5_percent_cut_off_by_closes_the_p99_does_not_fall(Distribution of) {
    assertThat(cutOffByCloses(of)).isBetween(0.04, 0.055);
    assertThat(fall(of, Treatment.UNFINISHED)).isLessThan(CHANCE);
  }

  @ParameterizedTest
  @MethodSource("longTails")
  void it_would_fall_if_runs_that_were_cut_off_counted_as_commits_or_not_at_all(Distribution of) {
    assertThat(fall(of, Treatment.AS_COMMITTED)).isGreaterThan(3 * CHANCE);
    assertThat(fall(of, Treatment.IGNORED)).isGreaterThan(3 * CHANCE);
  }

  @ParameterizedTest
  @MethodSource("all")
  void with_the_slowest_5_percent_cut_off_at_their_limit_the_p99_is_at_least_that(Distribution of) {
    for (long seed = 0; seed < 100; seed++) {
      double[] all = draw(of, SAMPLES, seed);
      double limit = Arrays.stream(all).sorted().skip(SAMPLES * 95L / 100).findFirst().orElseThrow();

      Durations durations = limited(all, limit, Treatment.UNFINISHED);

      Estimate uncut = limited(all, Double.MAX_VALUE, Treatment.UNFINISHED).p90();
      assertThat(durations.p90()).as("what the limit leaves alone").isEqualTo(uncut);
      assertThat(knowsItsLimit(durations, limit)).isTrue();
      assertThat(durations.p99Bound().orElseThrow().atLeast()).isTrue();
      assertThat(knowsItsLimit(limited(all, limit, Treatment.AS_COMMITTED), limit)).isFalse();
      assertThat(knowsItsLimit(limited(all, limit, Treatment.IGNORED), limit)).isFalse();
    }
  }

  @Test
  void runs_that_have_just_started_do_not_count_as_quick() {
    DurationHistogram histogram = new DurationHistogram(0);
    for (int i = 0; i < 300; i++) {
      histogram.record(SECONDS.toNanos(10), 0);
    }
    long[] justStarted = new long[300];

    Durations durations = histogram.snapshot(0, justStarted);

    assertThat(durations.p50()).isEqualTo(histogram.snapshot(0).p50());
    assertThat(durations.p99()).isEqualTo(histogram.snapshot(0).p99());
    assertThat(durations.running()).isEqualTo(300);
    assertThat(durations.samples()).as("they tell nothing about the p99").isEqualTo(300);
    assertThat(histogram.snapshot(0).running()).as("they are of the snapshot alone").isZero();
  }

  @Test
  void the_oldest_running_handler_is_the_longest() {
    DurationHistogram histogram = new DurationHistogram(0);
    histogram.record(SECONDS.toNanos(10), 0);

    Durations durations = histogram.snapshot(0, SECONDS.toNanos(5), SECONDS.toNanos(100), SECONDS.toNanos(20));

    assertThat(durations.max().atLeast()).isTrue();
    assertThat(durations.max().value().toMillis()).isBetween(99_000L, 100_000L);
    assertThat(durations.max().text()).startsWith("at least 1 min 4");
    assertThat(durations.p90()).isEqualTo(durations.max());
  }

  @Test
  void a_worker_whose_handlers_never_finish_says_so() {
    DurationHistogram histogram = new DurationHistogram(0);
    for (int i = 0; i < 299; i++) {
      histogram.cutOff(SECONDS.toNanos(3600), 0);
    }

    Durations durations = histogram.snapshot(0);

    assertThat(durations.count()).isZero();
    assertThat(durations.samples()).isEqualTo(299);
    assertThat(durations.p50()).isEqualTo(durations.max());
    assertThat(durations.p99Bound()).contains(durations.max());
    assertThat(durations.max().atLeast()).isTrue();
  }

  /** By hand: after 1 s three of four are left, after 3 s one of two of those, so 3/8; the one cut off at 2 s drops out. */
  @Test
  void the_share_that_takes_longer_is_the_one_of_Kaplan_and_Meier() {
    DurationHistogram histogram = new DurationHistogram(0);
    histogram.record(SECONDS.toNanos(1), 0);
    histogram.cutOff(SECONDS.toNanos(2), 0);
    histogram.record(SECONDS.toNanos(3), 0);

    Durations durations = histogram.snapshot(0, SECONDS.toNanos(4));

    assertThat(durations.shareLongerThan(Duration.ZERO)).isEqualTo(1);
    assertThat(durations.shareLongerThan(Duration.ofMillis(1_500))).isCloseTo(0.75, within(1e-9));
    assertThat(durations.shareLongerThan(Duration.ofMillis(2_500))).isCloseTo(0.75, within(1e-9));
    assertThat(durations.shareLongerThan(Duration.ofMillis(3_500))).isCloseTo(0.375, within(1e-9));
    assertThat(durations.shareLongerThan(Duration.ofHours(1))).isCloseTo(0.375, within(1e-9));
    assertThat(durations.meanExtensions(Duration.ofMillis(1_500))).as("at 1.5 s and 3 s").isCloseTo(1.5, within(1e-9));
  }

  private static double coverage(
      Distribution of, Function<Long, Durations> sample, Function<Durations, Estimate> bound) {
    int covered = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      // An "at least" claims no bound: it covers only by what it says.
      covered += seconds(bound.apply(sample.apply(seed))) >= of.p99() ? 1 : 0;
    }
    return covered / (double) SEEDS;
  }

  /** By which share the mean p99 is lower than if nothing had been cut off. */
  private static double fall(Distribution of, Treatment treatment) {
    double uncut = 0;
    double cut = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      uncut += seconds(complete(of, SAMPLES, seed).p99());
      cut += seconds(closedAtRandom(of, seed, treatment).p99());
    }
    return 1 - cut / uncut;
  }

  private static double cutOffByCloses(Distribution of) {
    long cutOff = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      cutOff += closedAtRandom(of, seed, Treatment.UNFINISHED).cutOff();
    }
    return cutOff / (double) (SEEDS * SAMPLES);
  }

  private static Durations complete(Distribution of, int size, long seed) {
    return limited(draw(of, size, seed), Double.MAX_VALUE, Treatment.UNFINISHED);
  }

  /** Each run meets a close at a moment that has nothing to do with it, and one in twenty before its commit. */
  private static Durations closedAtRandom(Distribution of, long seed, Treatment treatment) {
    DurationHistogram histogram = new DurationHistogram(0);
    SplittableRandom closes = new SplittableRandom(seed + SEEDS);
    for (double took : draw(of, SAMPLES, seed)) {
      double close = -Math.log(1 - closes.nextDouble()) * 19 * of.mean();
      add(histogram, took, close, treatment);
    }
    return histogram.snapshot(0);
  }

  private static Durations limited(double[] all, double limit, Treatment treatment) {
    DurationHistogram histogram = new DurationHistogram(0);
    for (double took : all) {
      add(histogram, took, limit, treatment);
    }
    return histogram.snapshot(0);
  }

  private static void add(DurationHistogram histogram, double took, double limit, Treatment treatment) {
    long nanos = (long) (Math.min(took, limit) * 1e9);
    if (took < limit || treatment == Treatment.AS_COMMITTED) {
      histogram.record(nanos, 0);
    } else if (treatment == Treatment.UNFINISHED) {
      histogram.cutOff(nanos, 0);
    }
  }

  private static double[] draw(Distribution of, int size, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] all = new double[size];
    for (int i = 0; i < size; i++) {
      all[i] = of.draw().applyAsDouble(random);
    }
    return all;
  }

  /** Whether the p99 is not below the limit, one percent aside, and does not pass for more than a lower limit. */
  private static boolean knowsItsLimit(Durations durations, double limit) {
    return durations.p99().atLeast() && seconds(durations.p99()) >= limit * 0.99;
  }

  private static double seconds(Estimate estimate) {
    return estimate.value().toNanos() / 1e9;
  }
}
