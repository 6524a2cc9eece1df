package io.queueworker.testkit.simulation;

import org.jspecify.annotations.Nullable;

/** A simulation that did not end well; its message starts with the seed that brings the same run again. */
public final class SimulationFailure extends AssertionError {

  private static final long serialVersionUID = 1L;

  private final long seed;

  SimulationFailure(long seed, String what, @Nullable Throwable cause) {
    super("seed " + seed + ": " + what, cause);
    this.seed = seed;
  }

  /** The seed that brings the same run again. */
  public long seed() {
    return seed;
  }
}
