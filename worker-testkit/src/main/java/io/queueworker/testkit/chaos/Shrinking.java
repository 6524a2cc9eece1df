package io.queueworker.testkit.chaos;

import java.util.ArrayList;
import java.util.List;

/** Drops disturbances from a plan that fails as long as the same rule breaks without them. Stateless. */
final class Shrinking {

  private static final int MOST_RUNS = 200;

  private Shrinking() {}

  /** The failed run with as few disturbances as it takes to break the same rule. */
  static Verdict of(Verdict failed, ChaosSetup setup) {
    Rule rule = failed.breaches().get(0).rule();
    Verdict least = failed;
    int runs = 0;
    int size = Math.max(1, failed.plan().steps().size() / 2);
    while (size >= 1) {
      boolean dropped = false;
      for (int from = 0; from < least.plan().steps().size() && runs < MOST_RUNS;) {
        List<ChaosStep> rest = new ArrayList<>(least.plan().steps());
        rest.subList(from, Math.min(from + size, rest.size())).clear();
        Verdict tried = ChaosRun.of(least.plan().withSteps(rest), setup);
        runs++;
        if (tried.first().filter(breach -> breach.rule() == rule).isPresent()) {
          least = tried;
          dropped = true;
        } else {
          from += size;
        }
      }
      size = size > 1 ? size / 2 : dropped ? 1 : 0;
    }
    return least;
  }
}
