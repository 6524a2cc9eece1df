package io.queueworker.testkit.timeline;

import java.time.Duration;
import java.util.Locale;

/** Numbers in words. Stateless. */
final class Plain {

  private Plain() {}

  /** Seconds to the hundredth. */
  static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%,.2f s", nanos / 1e9);
  }

  /** Seconds to the hundredth. */
  static String seconds(Duration duration) {
    return seconds(duration.toNanos());
  }

  /** Such as {@code 1 run} and {@code 2 runs}. */
  static String count(long count, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
  }

  /** A share from 0 to 1 as percent, with as many digits as it needs. */
  static String percent(double share) {
    double percent = share * 100;
    if (percent == 0 || percent >= 10 || percent == Math.rint(percent)) {
      return String.format(Locale.ROOT, "%.0f %%", percent);
    }
    return percent < 0.05 ? "below 0.1 %" : String.format(Locale.ROOT, "%.1f %%", percent);
  }
}
