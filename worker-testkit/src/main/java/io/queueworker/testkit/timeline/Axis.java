package io.queueworker.testkit.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A scale of time from left to right. Immutable.
 *
 * @param left the place of zero
 * @param width how wide the length is
 * @param lengthNanos how long it is, above zero
 */
record Axis(double left, double width, long lengthNanos) {

  private static final int MOST_TICKS = 11;
  private static final double[] STEPS =
      {
        1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2,
        5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 604800
      };

  /**
   * A mark on the scale.
   *
   * @param x its place
   * @param words the time
   */
  record Tick(double x, String words) {}

  /** The place of a time, kept within the scale. */
  double x(long nanos) {
    double share = Math.clamp((double) nanos / lengthNanos, 0.0, 1.0);
    return left + width * share;
  }

  /** Marks at round times. */
  List<Tick> ticks() {
    double length = lengthNanos / 1e9;
    double step = STEPS[STEPS.length - 1];
    for (int i = STEPS.length - 1; i >= 0 && length / STEPS[i] <= MOST_TICKS; i--) {
      step = STEPS[i];
    }
    List<Tick> all = new ArrayList<>();
    for (int i = 0; i * step <= length * (1 + 1e-9) && i <= MOST_TICKS; i++) {
      all.add(new Tick(x(Math.round(i * step * 1e9)), words(i * step, step)));
    }
    return all;
  }

  private static String words(double seconds, double step) {
    if (step >= 3600) {
      return number(seconds / 3600) + " h";
    }
    if (step >= 60) {
      return number(seconds / 60) + " min";
    }
    return step >= 0.1 || seconds == 0 ? number(seconds) + " s" : number(seconds * 1000) + " ms";
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.3f", value);
    return text.replaceAll("0+$", "").replaceAll("\\.$", "");
  }
}
