package io.queueworker.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * The results of one part. Immutable.
 *
 * @param part what was run
 * @param results those of each contender, by round
 */
record Summary(Part part, Map<String, List<Result>> results) {

  /** The values of a figure in the rounds in which it stands. */
  List<Double> values(String contender, Figure figure) {
    List<Double> values = new ArrayList<>();
    for (Result result : of(contender)) {
      if (result.stands() && result.figures().containsKey(figure)) {
        values.add(result.figures().get(figure));
      }
    }
    return values;
  }

  /**
   * Compared with the best reference of each round; a void figure of either side leaves the round out. Empty when one of
   * the two is zero or less in any round: a mean over the other rounds would hide that one.
   */
  Optional<Ratio> ratio(String contender, Figure figure) {
    return ratio(contender, figure, this::isReference);
  }

  /** Compared with the best peer of each round; empty when there is none, and for contenders that are none of ours. */
  Optional<Ratio> peerRatio(String contender, Figure figure) {
    return contender.startsWith("queueworker") ? ratio(contender, figure, Contenders::isPeer) : Optional.empty();
  }

  private Optional<Ratio> ratio(String contender, Figure figure, Predicate<String> references) {
    List<Double> ratios = new ArrayList<>();
    List<Result> own = of(contender);
    for (int round = 0; round < own.size(); round++) {
      OptionalDouble reference = best(references, figure, round);
      Double value = own.get(round).figures().get(figure);
      if (!own.get(round).stands() || value == null || reference.isEmpty()) {
        continue;
      }
      if (value <= 0 || reference.getAsDouble() <= 0) {
        return Optional.empty();
      }
      ratios.add(value / reference.getAsDouble());
    }
    return Ratio.of(ratios);
  }

  private OptionalDouble best(Predicate<String> references, Figure figure, int round) {
    OptionalDouble best = OptionalDouble.empty();
    for (String name : part.contenders()) {
      Result result = of(name).get(round);
      Double value = result.figures().get(figure);
      if (!references.test(name) || !result.stands() || value == null) {
        continue;
      }
      if (best.isEmpty() || figure.better(value, best.getAsDouble())) {
        best = OptionalDouble.of(value);
      }
    }
    return best;
  }

  /** Whether others are compared with this contender. */
  boolean isReference(String contender) {
    return contender.equals(part.reference())
        || (part.reference().endsWith("-") && contender.startsWith(part.reference()));
  }

  /** Why a contender's rounds count for nothing, each reason with its round. */
  List<String> doubts(String contender) {
    List<String> doubts = new ArrayList<>();
    List<Result> own = of(contender);
    for (int round = 0; round < own.size(); round++) {
      for (String doubt : own.get(round).doubts()) {
        doubts.add("round " + (round + 1) + ": " + doubt);
      }
    }
    return doubts;
  }

  private List<Result> of(String contender) {
    return results.getOrDefault(contender, List.of());
  }
}
