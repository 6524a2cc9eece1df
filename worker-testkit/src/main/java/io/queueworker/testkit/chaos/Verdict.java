package io.queueworker.testkit.chaos;

import java.util.List;
import java.util.Optional;

/**
 * How a run ended. Immutable but for its tally.
 *
 * @param plan what was run
 * @param breaches the rules that it broke, the first first
 * @param tally what happened in it
 * @param journal what happened, for people
 */
record Verdict(ChaosPlan plan, List<Breach> breaches, Tally tally, Journal journal) {

  /** The first rule that it broke. */
  Optional<Breach> first() {
    return breaches.stream().findFirst();
  }
}
