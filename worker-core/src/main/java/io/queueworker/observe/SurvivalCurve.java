package io.queueworker.observe;

import java.time.Duration;
import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The share of runs that take longer than a given time, estimated by Kaplan and Meier over histogram buckets.
 *
 * <p>A run that has not finished says only that it takes longer than it has taken so far: it counts among the runs that
 * might still have committed up to that time, and drops out without a commit. So it makes nothing look quick, and the runs
 * that outlast it take over its weight. In one bucket commits come first.
 *
 * <p>The estimate assumes that what ended a run early did not depend on how long it would still have taken, as with a time
 * limit or a close.
 *
 * <p>Immutable.
 */
final class SurvivalCurve {

  /** Above the rounding errors of a product over all buckets, below one run in 10^8. */
  private static final double ROUNDING = 1e-9;

  private final long largestMillis;

  /** The buckets in which runs committed, by their upper ends, ascending. */
  private final long[] millis;

  /** By bucket, the share of runs that take longer. */
  private final double[] longer;

  /** By bucket, how many finished runs would tell as much about the share before its commits; and about the share at the end. */
  private final double[] samples;

  /** The longest that any run has taken so far. */
  private final Estimate longest;

  /**
   * The curve of these runs.
   *
   * @param committed the durations of runs that committed, in milliseconds
   * @param unfinished how long the others took until they were cut off or looked at; a histogram with the same buckets
   * @param largestMillis no duration is called longer than this
   */
  SurvivalCurve(Histogram committed, Histogram unfinished, long largestMillis) {
    this.largestMillis = largestMillis;
    long left = committed.getTotalCount() + unfinished.getTotalCount();
    long[] ends = new long[64];
    double[] shares = new double[64];
    double[] sizes = new double[64];
    double variance = 0; // of the share, divided by its square: Greenwood's formula
    int count = 0;
    double share = 1;
    long before = -1;
    for (HistogramIterationValue bucket : committed.recordedValues()) {
      long end = bucket.getValueIteratedTo();
      // Commits come first: the unfinished runs of this bucket are still at risk.
      long below = committed.lowestEquivalentValue(end) - 1;
      left -= countBetween(unfinished, before + 1, below);
      before = below;
      long commits = bucket.getCountAtValueIteratedTo();
      if (count + 1 == ends.length) {
        ends = Arrays.copyOf(ends, 2 * ends.length);
        shares = Arrays.copyOf(shares, 2 * shares.length);
        sizes = Arrays.copyOf(sizes, 2 * sizes.length);
      }
      sizes[count] = samples(share, variance, left);
      share *= 1 - (double) commits / left;
      variance += commits / ((double) left * (left - commits));
      left -= commits;
      ends[count] = end;
      shares[count] = share;
      count++;
    }
    sizes[count] = samples(share, variance, left);
    this.millis = Arrays.copyOf(ends, count);
    this.longer = Arrays.copyOf(shares, count);
    this.samples = Arrays.copyOf(sizes, count + 1);
    this.longest = longest(committed, unfinished);
  }

  /** The size of the sample without early ends that would give this share this variance: a binomial one has (1 - s) / (s n). */
  private static double samples(double share, double variance, long left) {
    return variance == 0 ? left : (1 - share) / (share * variance);
  }

  private static long countBetween(Histogram histogram, long least, long most) {
    return least > most ? 0 : histogram.getCountBetweenValues(least, most);
  }

  private Estimate longest(Histogram committed, Histogram unfinished) {
    if (unfinished.getTotalCount() > 0 && unfinished.getMaxValue() >= lastBucketStart(committed)) {
      // The lower end of its bucket: a run must not be called longer than it was.
      return Estimate.atLeast(duration(unfinished.lowestEquivalentValue(unfinished.getMaxValue())));
    }
    return Estimate.exactly(duration(millis.length == 0 ? 0 : millis[millis.length - 1]));
  }

  private static long lastBucketStart(Histogram committed) {
    return committed.getTotalCount() == 0 ? 0 : committed.lowestEquivalentValue(committed.getMaxValue());
  }

  /** The time within which this share of the runs, 0 to 1, has committed. */
  Estimate within(double share) {
    int at = bucketOf(share);
    return at == millis.length ? longest : Estimate.exactly(duration(millis[at]));
  }

  /**
   * How many finished runs would tell as much about {@link #within}. With none that ended early, it is the number of runs.
   * Source: Greenwood's formula for the variance of a Kaplan-Meier estimate.
   */
  long samples(double share) {
    return (long) (samples[bucketOf(share)] + 1e-3);
  }

  private int bucketOf(double share) {
    double outside = 1 - share + ROUNDING;
    int at = 0;
    while (at < millis.length && longer[at] > outside) {
      at++;
    }
    return at;
  }

  /** The longest that a run takes. */
  Estimate longest() {
    return longest;
  }

  /** The share of runs that take longer than this; beyond the longest seen, what is known of it. */
  double longerThan(Duration time) {
    int at = Arrays.binarySearch(millis, time.toMillis());
    int last = at >= 0 ? at : -at - 2;
    return last < 0 ? 1 : Math.max(0, longer[last]);
  }

  private Duration duration(long value) {
    // For a bucket that holds the largest, its upper end lies beyond what was recorded.
    return Duration.ofMillis(Math.min(largestMillis, value));
  }
}
