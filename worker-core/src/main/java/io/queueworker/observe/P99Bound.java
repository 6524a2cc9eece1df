package io.queueworker.observe;

/**
 * The rank of the sample that lies above the true p99 with 95 % confidence, whatever the distribution.
 *
 * <p>Of {@code n} samples, the number that exceed the true p99 is binomial with probability 0.01. The {@code k}-th largest
 * lies at or above the p99 unless fewer than {@code k} exceed it, so the largest {@code k} for which that has a
 * probability of at most 0.05 is taken. Source: order statistics, as in Conover, Practical Nonparametric Statistics,
 * "Confidence interval for a quantile".
 *
 * <p>Stateless.
 */
final class P99Bound {

  /** With fewer samples not even the largest bounds the p99: 0.99^299 is just below 0.05, 0.99^298 above. */
  static final int ENOUGH_SAMPLES = 299;

  private static final double EXCEEDS = 0.01;
  private static final double MISS = 0.05;
  private static final double NORMAL_95 = 1.6449;

  /** Above this many samples the sum would underflow, and the normal distribution is exact enough. */
  private static final long MOST_SUMMED = 50_000;

  private P99Bound() {}

  /** The rank from the top, at least 1, of so many samples; they must be {@link #ENOUGH_SAMPLES} or more. */
  static long rankFromTop(long samples) {
    if (samples > MOST_SUMMED) {
      double deviation = Math.sqrt(samples * EXCEEDS * (1 - EXCEEDS));
      return (long) Math.floor(samples * EXCEEDS - NORMAL_95 * deviation);
    }
    double probability = Math.pow(1 - EXCEEDS, (double) samples); // that none exceeds it
    double fewer = probability; // that at most rank - 1 do
    long rank = 1;
    while (true) {
      probability *= (samples - rank + 1) / (double) rank * EXCEEDS / (1 - EXCEEDS);
      fewer += probability;
      if (fewer > MISS) {
        return rank;
      }
      rank++;
    }
  }
}
