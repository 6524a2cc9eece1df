package io.queueworker.testkit.simulation;

import io.queueworker.timing.Timing;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * The wall clock of a simulation or of one of its machines, for what takes a clock of the JDK, such as a circuit breaker:
 *
 * <pre>{@code
 * CircuitBreakerConfig.custom()
 *     .clock(SimulatedClock.of(timing))
 *     .currentTimestampFunction(clock -> timing.nanoTime(), TimeUnit.NANOSECONDS)
 * }</pre>
 *
 * <p>Immutable; as thread-safe as the timing it reads.
 */
public final class SimulatedClock extends Clock {

  private final Timing timing;
  private final ZoneId zone;

  private SimulatedClock(Timing timing, ZoneId zone) {
    this.timing = timing;
    this.zone = zone;
  }

  /** The clock of a timing, in UTC. */
  public static SimulatedClock of(Timing timing) {
    return new SimulatedClock(timing, ZoneOffset.UTC);
  }

  @Override
  public Instant instant() {
    return timing.now();
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  @Override
  public Clock withZone(ZoneId other) {
    return new SimulatedClock(timing, other);
  }
}
