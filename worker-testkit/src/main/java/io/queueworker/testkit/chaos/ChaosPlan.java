package io.queueworker.testkit.chaos;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Everything that is decided about a run before it begins: its settings, and every disturbance. The same plan and the same
 * code give the same run. Immutable.
 *
 * @param seed which random choices the simulation makes
 * @param settings what stays the same
 * @param steps the disturbances; a plan without any must run as if nothing could go wrong
 */
public record ChaosPlan(long seed, ChaosSettings settings, List<ChaosStep> steps) {

  /** Copies the list. */
  public ChaosPlan {
    steps = List.copyOf(steps);
  }

  /** The plan of a seed, with gate, queue and numbers drawn too. */
  public static ChaosPlan draw(long seed) {
    return new PlanDraw(seed).plan();
  }

  /** The kinds of all disturbances that a plan can have, as {@link ChaosStep#kind()} names them. */
  public static List<String> kinds() {
    return StepDraw.kinds();
  }

  /** The same with other disturbances. */
  ChaosPlan withSteps(List<ChaosStep> other) {
    return new ChaosPlan(seed, settings, other);
  }

  /** Whether nothing is to go wrong, failing handlers included. */
  public boolean isCalm() {
    return steps.isEmpty();
  }

  /** Whether the library's own worlds have a circuit breaker over their handlers, one for each worker. */
  boolean hasBreaker() {
    return seed % 7 == 3;
  }

  /** Whether the library's own worlds have a rate limiter, one for each worker. */
  boolean hasLimiter() {
    return seed % 11 == 5;
  }

  /** Whether messages of a standard queue have groups, of each of which one is worked on at a time by each worker. */
  boolean hasGroupPlaces() {
    return seed % 13 == 4 && settings.queue() == QueueKind.STANDARD && !isCalm();
  }

  @Override
  public String toString() {
    return "seed " + seed + (hasBreaker() ? ", circuit breaker" : "") + (hasLimiter() ? ", rate limiter" : "")
        + (hasGroupPlaces() ? ", one at a time of each group" : "")
        + "\n  " + settings
        + steps.stream().map(step -> "\n  - " + step).collect(Collectors.joining());
  }
}
