package io.queueworker.testkit.simulation;

import java.time.Duration;

/**
 * Bounds that turn a runaway simulation into a failure.
 *
 * @param virtualTime how far virtual time may move, above zero
 * @param steps how often the running thread may change, at least 1
 * @param realTimePerStep how long one step may take by the real clock before it counts as hung, above zero
 */
public record SimulationLimits(Duration virtualTime, long steps, Duration realTimePerStep) {

  /** Refuses values outside their ranges. */
  public SimulationLimits {
    if (virtualTime.isNegative() || virtualTime.isZero()) {
      throw new IllegalArgumentException("virtualTime = " + virtualTime + ": give a time above zero");
    }
    if (steps < 1) {
      throw new IllegalArgumentException("steps = " + steps + ": give 1 or more");
    }
    if (realTimePerStep.isNegative() || realTimePerStep.isZero()) {
      throw new IllegalArgumentException("realTimePerStep = " + realTimePerStep + ": give a time above zero");
    }
  }

  /** 30 days of virtual time, 5 million steps, 60 seconds of real time per step. */
  public static SimulationLimits defaults() {
    return new SimulationLimits(Duration.ofDays(30), 5_000_000, Duration.ofSeconds(60));
  }

  /** The same bounds with another one on virtual time. */
  public SimulationLimits withVirtualTime(Duration virtualTime) {
    return new SimulationLimits(virtualTime, steps, realTimePerStep);
  }

  /** The same bounds with another one on steps. */
  public SimulationLimits withSteps(long steps) {
    return new SimulationLimits(virtualTime, steps, realTimePerStep);
  }

  /** The same bounds with another one on the real time of a step. */
  public SimulationLimits withRealTimePerStep(Duration realTimePerStep) {
    return new SimulationLimits(virtualTime, steps, realTimePerStep);
  }
}
