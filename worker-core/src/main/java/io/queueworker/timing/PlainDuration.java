package io.queueworker.timing;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** A duration as people write it: {@code 350 ms}, {@code 1.5 s}, {@code 4 min 10 s}, {@code 12 h}. Stateless. */
public final class PlainDuration {

  private static final long MINUTE = 60;
  private static final long HOUR = 3600;

  private PlainDuration() {}

  /**
   * The duration in words: milliseconds below a second, tenths of a second below a minute, whole seconds below an hour,
   * whole minutes above. Halves are rounded up; the same on every locale.
   */
  public static String text(Duration duration) {
    if (duration.isNegative()) {
      return "-" + text(duration.negated());
    }
    if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
      return duration.toMillis() + " ms";
    }
    if (duration.compareTo(Duration.ofMillis(59_950)) < 0) {
      BigDecimal tenths = BigDecimal.valueOf(duration.toMillis(), 3).setScale(1, RoundingMode.HALF_UP);
      return tenths.stripTrailingZeros().toPlainString() + " s";
    }
    long seconds = duration.plusMillis(500).toSeconds();
    if (seconds < HOUR) {
      return pair(seconds / MINUTE, "min", seconds % MINUTE, "s");
    }
    long minutes = (seconds + MINUTE / 2) / MINUTE;
    return pair(minutes / MINUTE, "h", minutes % MINUTE, "min");
  }

  private static String pair(long large, String largeUnit, long small, String smallUnit) {
    String whole = large + " " + largeUnit;
    return small == 0 ? whole : whole + " " + small + " " + smallUnit;
  }
}
