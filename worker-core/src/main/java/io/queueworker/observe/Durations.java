package io.queueworker.observe;

import java.time.Duration;
import java.util.Optional;

/**
 * How long runs took from lease start to commit, over the last hour. A figure is at most one percent above the true one,
 * and zero when there were no runs. Runs that did not finish count as ones that take longer than they did so far, so a
 * percentile that only they could tell is an {@linkplain Estimate#atLeast() at least}.
 *
 * <p>Immutable and thread-safe.
 */
public final class Durations {

  /** With fewer samples there is no {@link #p99Bound()}: the largest of 298 misses the p99 more often than once in 20. */
  public static final int ENOUGH_SAMPLES = P99Bound.ENOUGH_SAMPLES;

  private final long committed;
  private final long cutOff;
  private final long running;
  private final long failed;
  private final long suppressed;
  private final SurvivalCurve curve;
  private final Estimate p99;
  private final long samples;
  private final Optional<Duration> delete;

  /** The figures of a sum of windows, to whose unfinished runs those that go on were added. */
  Durations(DurationWindow sum, long cutOff) {
    this.committed = sum.committed.getTotalCount();
    this.cutOff = cutOff;
    this.running = sum.unfinished.getTotalCount() - cutOff;
    this.failed = sum.failed;
    this.suppressed = sum.suppressed;
    this.curve = new SurvivalCurve(sum.committed, sum.unfinished, DurationWindow.LONGEST_MILLIS);
    this.p99 = curve.within(0.99);
    this.samples = curve.samples(0.99);
    this.delete =
        sum.deletes.getTotalCount() == 0
            ? Optional.empty()
            : Optional.of(Duration.ofMillis(sum.deletes.getValueAtPercentile(99)));
  }

  /** Runs that committed. */
  public long count() {
    return committed;
  }

  /** Runs that were told to end, or lost their lease, and ended without a commit. */
  public long cutOff() {
    return cutOff;
  }

  /** Runs that go on now. */
  public long running() {
    return running;
  }

  /** Attempts that failed by themselves; in no other figure. */
  public long failed() {
    return failed;
  }

  /** Redeliveries of what was done before; in no other figure but {@link #delete()}. */
  public long suppressed() {
    return suppressed;
  }

  /** How many finished runs would tell as much about the p99; runs that ended early, or have just begun, count for less. */
  public long samples() {
    return samples;
  }

  /** Half of the runs take at most this long. */
  public Estimate p50() {
    return curve.within(0.5);
  }

  /** Nine in ten take at most this long. */
  public Estimate p90() {
    return curve.within(0.9);
  }

  /** 99 in a hundred take at most this long. */
  public Estimate p99() {
    return p99;
  }

  /** 999 in a thousand take at most this long. */
  public Estimate p999() {
    return curve.within(0.999);
  }

  /** The longest, unfinished ones included. */
  public Estimate max() {
    return curve.longest();
  }

  /**
   * What the true p99 does not exceed with 95 % confidence, whatever the distribution; empty below {@value
   * #ENOUGH_SAMPLES} {@link #samples()}. When it is an "at least", the unfinished runs allow for no bound.
   */
  public Optional<Estimate> p99Bound() {
    if (samples < ENOUGH_SAMPLES) {
      return Optional.empty();
    }
    return Optional.of(curve.within(1 - (P99Bound.rankFromTop(samples) - 1) / (double) samples));
  }

  /** 99 in a hundred deletes were confirmed this long after the commit, batching and retries included; empty before the first. */
  public Optional<Duration> delete() {
    return delete;
  }

  /** The share of runs, 0 to 1, that take longer than this. */
  public double shareLongerThan(Duration time) {
    return curve.longerThan(time);
  }

  /** How many times a run is extended on average, when it is at every multiple of {@code interval} that it outlasts. */
  public double meanExtensions(Duration interval) {
    double sum = 0;
    Duration longest = max().value();
    for (Duration at = interval; at.compareTo(longest) < 0; at = at.plus(interval)) {
      sum += shareLongerThan(at);
    }
    return sum;
  }
}
