package io.queueworker.testkit.simulation;

/**
 * Thrown from a simulated thread's wait to end that thread when its simulation is over. It is no failure.
 *
 * <p>Immutable.
 */
final class Unwound extends Error {

  private static final long serialVersionUID = 1L;

  /** It has no stack trace. */
  Unwound() {
    super("the simulation is over", null, false, false);
  }
}
