package io.queueworker.testkit.chaos;

import java.util.ArrayList;
import java.util.List;

/** Drops disturbances from a plan that fails as long as the same rule breaks without them. Stateless. */
final class Shrinking {

  private static final int MOST_RUNS = 200;

  private Shrinking() {}

  /** The same without messages that are sent twice, if that breaks the rule too. */
  private static Verdict sentOnce(Verdict failed, ChaosSetup setup, Rule rule) {
    ChaosPlan plan = failed.plan();
    Verdict tried = ChaosRun.of(new ChaosPlan(plan.seed(), plan.settings().sentOnce(), plan.steps()), setup);
    return breaks(tried, rule) ? tried : failed;
  }

  private static boolean breaks(Verdict verdict, Rule rule) {
    return verdict.first().filter(breach -> breach.rule() == rule).isPresent();
  }

  /** The failed run with as few disturbances as it takes to break the same rule. */
  static Verdict of(Verdict failed, ChaosSetup setup) {
    Rule rule = failed.breaches().get(0).rule();
    Verdict least = sentOnce(failed, setup, rule);
    int runs = 0;
    int size = Math.max(1, failed.plan().steps().size() / 2);
    while (size >= 1) {
      boolean dropped = false;
      for (int from = 0; from < least.plan().steps().size() && runs < MOST_RUNS;) {
        List<ChaosStep> rest = new ArrayList<>(least.plan().steps());
        rest.subList(from, Math.min(from + size, rest.size())).clear();
        Verdict tried = ChaosRun.of(least.plan().withSteps(rest), setup);
        runs++;
        if (breaks(tried, rule)) {
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
