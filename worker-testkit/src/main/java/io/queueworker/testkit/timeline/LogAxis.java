package io.queueworker.testkit.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A scale of durations from left to right on which each step multiplies. Immutable.
 *
 * @param left the place of the shortest
 * @param width how wide it is
 * @param fromMillis the shortest, above zero
 * @param toMillis the longest
 */
record LogAxis(double left, double width, double fromMillis, double toMillis) {

  private static final double LEAST_APART = 52;

  private static final List<Axis.Tick> ROUND =
      List.of(
          round(1, "1 ms"), round(3, "3 ms"), round(10, "10 ms"), round(30, "30 ms"), round(100, "100 ms"),
          round(300, "300 ms"), round(1_000, "1 s"), round(3_000, "3 s"), round(10_000, "10 s"),
          round(30_000, "30 s"), round(60_000, "1 min"), round(180_000, "3 min"), round(600_000, "10 min"),
          round(1_800_000, "30 min"), round(3_600_000, "1 h"), round(10_800_000, "3 h"), round(43_200_000, "12 h"));

  private static Axis.Tick round(double millis, String words) {
    return new Axis.Tick(millis, words);
  }

  /** The place of a duration, kept within the scale. */
  double x(double millis) {
    double share = Math.log(Math.max(millis, fromMillis) / fromMillis) / Math.log(toMillis / fromMillis);
    return left + width * Math.min(1, share);
  }

  /** The place of a duration. */
  double x(Duration duration) {
    return x(duration.toNanos() / 1e6);
  }

  /** Marks at round durations, none too close to the one before. */
  List<Axis.Tick> ticks() {
    List<Axis.Tick> all = new ArrayList<>();
    for (Axis.Tick round : ROUND) {
      boolean inside = round.x() >= fromMillis && round.x() <= toMillis;
      if (inside && (all.isEmpty() || x(round.x()) - all.getLast().x() >= LEAST_APART)) {
        all.add(new Axis.Tick(x(round.x()), round.words()));
      }
    }
    return all;
  }
}
