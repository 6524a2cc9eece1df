package io.queueworker.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What one contender did in one round.
 *
 * @param figures what was measured
 * @param doubts why the figures count for nothing; empty when they stand
 */
record Result(Map<Figure, Double> figures, List<String> doubts) {

  Result {
    figures = figures.isEmpty() ? Map.of() : new EnumMap<>(figures);
    doubts = List.copyOf(doubts);
  }

  /** No figures, for this reason. */
  static Result failed(String why) {
    return new Result(Map.of(), List.of(why));
  }

  /** The same with another doubt. */
  Result doubted(String why) {
    List<String> more = new ArrayList<>(doubts);
    more.add(why);
    return new Result(figures, more);
  }

  /** Whether the figures stand. */
  boolean stands() {
    return doubts.isEmpty();
  }
}
