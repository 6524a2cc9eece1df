package io.queueworker.chaos;

import io.queueworker.testkit.chaos.Chaos;
import io.queueworker.testkit.chaos.ChaosFailure;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * The chaos seeds as something that a patched core can be asked for through types of the JDK alone: given the first seed, and
 * how the first failure among the next {@value #SEEDS} reads. Stateless.
 */
public final class ChaosHarness implements LongFunction<Optional<String>> {

  static final int SEEDS = 300;

  @Override
  public Optional<String> apply(long fromSeed) {
    return firstFailure(fromSeed, SEEDS);
  }

  /** How the first of these seeds that fails does so; empty when none does. */
  public static Optional<String> firstFailure(long fromSeed, int seeds) {
    try {
      Chaos.ofEverything().from(fromSeed).seeds(seeds).ignoringProperties().run();
      return Optional.empty();
    } catch (ChaosFailure failure) {
      return Optional.of(String.valueOf(failure.getMessage()));
    }
  }
}
