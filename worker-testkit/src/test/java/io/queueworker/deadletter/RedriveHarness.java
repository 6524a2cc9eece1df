package io.queueworker.deadletter;

import java.util.Optional;
import java.util.function.BiFunction;

/** Runs a scenario by its name over a few seeds and gives the first failure, for a patched copy of the library. Stateless. */
final class RedriveHarness implements BiFunction<String, Integer, Optional<String>> {

  @Override
  public Optional<String> apply(String scenario, Integer seeds) {
    for (long seed = 1; seed <= seeds; seed++) {
      try {
        RedriveScenario.valueOf(scenario).run(seed);
      } catch (Throwable failure) {
        return Optional.of("seed " + seed + ": " + failure + " " + failure.getCause());
      }
    }
    return Optional.empty();
  }
}
