package io.queueworker.testkit.chaos;

import io.queueworker.testkit.chaos.ChaosStep.OnHandler;
import io.queueworker.testkit.chaos.ChaosStep.OnQueue;
import io.queueworker.testkit.chaos.ChaosStep.OnWorld;
import io.queueworker.testkit.chaos.ChaosStep.Upset;
import io.queueworker.testkit.simulation.CallKind;
import java.time.Duration;
import java.util.Set;

/**
 * Whether all that a plan brings about is what a worker has to bear without losing a lease: long handlers, one extension that
 * fails, and deletes that fail. Then every message is received once.
 *
 * @param plan the plan
 */
record Harmless(ChaosPlan plan) {

  /** By then every delete has got through. */
  private static final Duration LONG = Duration.ofMinutes(20);

  private static final Set<Trouble> FAILURES = Set.of(Trouble.FAIL, Trouble.THROTTLED, Trouble.ENTRY_RETRYABLE);

  /** Whether it is so; not for a plan without disturbances, which is judged more strictly. */
  boolean isHarmless() {
    long extensions =
        plan.steps().stream().filter(step -> step instanceof OnQueue one && one.call() == CallKind.EXTEND).count();
    return !plan.isCalm()
        && !plan.hasGroupPlaces()
        && plan.settings().twins() == 0
        && plan.settings().maxHold().compareTo(LONG) > 0
        && extensions <= 1
        && plan.steps().stream().allMatch(this::isHarmless);
  }

  private boolean isHarmless(ChaosStep step) {
    return switch (step) {
      case OnHandler one -> one.act() == Act.TAKES && fits(one.length());
      case OnQueue one -> FAILURES.contains(one.trouble())
          && (one.call() == CallKind.EXTEND || one.call() == CallKind.DELETE);
      case OnWorld one -> one.upset() == Upset.DELETE_DENIED;
      default -> false;
    };
  }

  private boolean fits(Duration length) {
    return length.multipliedBy(2).compareTo(plan.settings().maxProcessing()) < 0;
  }
}
