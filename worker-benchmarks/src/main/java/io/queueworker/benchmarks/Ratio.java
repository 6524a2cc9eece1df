package io.queueworker.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.statistics.interval.Interval;
import org.apache.commons.statistics.interval.NormalConfidenceInterval;

/**
 * How many times the reference of its round a contender's figure is, over the rounds. The mean is geometric, and the interval
 * comes from the logarithms by Student's t: twice as much and half as much are equally far from one.
 *
 * @param mean the geometric mean
 * @param low the lower end of the 95 percent interval; NaN with one round
 * @param high its upper end; NaN with one round
 * @param rounds how many rounds it is from
 */
record Ratio(double mean, double low, double high, int rounds) {

  private static final double ERROR_RATE = 0.05;

  /** Of the ratios of each round; empty when there are none. */
  static Optional<Ratio> of(List<Double> ratios) {
    if (ratios.isEmpty()) {
      return Optional.empty();
    }
    double[] logs = ratios.stream().mapToDouble(Math::log).toArray();
    double mean = 0;
    for (double log : logs) {
      mean += log / logs.length;
    }
    if (logs.length == 1) {
      return Optional.of(new Ratio(Math.exp(mean), Double.NaN, Double.NaN, 1));
    }
    double variance = 0;
    for (double log : logs) {
      variance += (log - mean) * (log - mean) / (logs.length - 1);
    }
    if (variance == 0) {
      return Optional.of(new Ratio(Math.exp(mean), Math.exp(mean), Math.exp(mean), logs.length));
    }
    Interval interval = NormalConfidenceInterval.MEAN.fromErrorRate(mean, variance, logs.length, ERROR_RATE);
    return Optional.of(
        new Ratio(
            Math.exp(mean), Math.exp(interval.getLowerBound()), Math.exp(interval.getUpperBound()), logs.length));
  }

  @Override
  public String toString() {
    return Double.isNaN(low)
        ? String.format(Locale.ROOT, "%.3f", mean)
        : String.format(Locale.ROOT, "%.3f [%.3f, %.3f]", mean, low, high);
  }
}
