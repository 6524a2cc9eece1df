package io.queueworker.spec;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.queueworker.testkit.simulation.SimulatedClock;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Circuit breakers in virtual time. */
final class Breakers {

  /** How long one stays open. */
  static final Duration PROBE_EVERY = Duration.ofSeconds(10);

  private Breakers() {}

  /** A breaker that opens when half of the last 20 handlers failed, of ten at least, and tries with three messages. */
  static CircuitBreaker breaker(Timing timing, UnaryOperator<CircuitBreakerConfig.Builder> more) {
    CircuitBreakerConfig.Builder config =
        CircuitBreakerConfig.custom()
            .slidingWindowSize(20)
            .minimumNumberOfCalls(10)
            .permittedNumberOfCallsInHalfOpenState(3)
            .waitDurationInOpenState(PROBE_EVERY)
            .clock(SimulatedClock.of(timing))
            .currentTimestampFunction(clock -> timing.nanoTime(), TimeUnit.NANOSECONDS);
    return CircuitBreaker.of("payments", more.apply(config).build());
  }
}
