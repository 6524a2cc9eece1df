package io.queueworker.testkit.chaos;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.queueworker.WorkerBuilder;
import io.queueworker.testkit.simulation.SimulatedClock;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Workers whose handlers need more than a lease to start: a circuit breaker's permission, a rate's, in some seeds. Stateless. */
final class ChaosStarts {

  private ChaosStarts() {}

  /** A worker as the plan says. */
  static WorkerBuilder<String> of(ChaosWorld at) {
    WorkerBuilder<String> worker = at.worker();
    ChaosPlan plan = at.world().plan();
    if (plan.hasBreaker() && plan.seed() % 2 == 0) {
      worker.circuitBreaker(breaker(at), Duration.ofSeconds(3));
    } else if (plan.hasBreaker()) {
      worker.circuitBreaker(breaker(at));
    }
    if (plan.hasLimiter()) {
      worker.rateLimiter(limiter(at.timing()));
    }
    if (plan.hasGroupPlaces()) {
      worker.maxConcurrencyPerGroup(1);
    }
    return worker;
  }

  /** One that a single failure opens. */
  private static CircuitBreaker breaker(ChaosWorld at) {
    return CircuitBreaker.of(
        at.workerName(),
        CircuitBreakerConfig.custom()
            .slidingWindowSize(4)
            .minimumNumberOfCalls(1)
            .permittedNumberOfCallsInHalfOpenState(1)
            .waitDurationInOpenState(Duration.ofSeconds(2))
            .slowCallDurationThreshold(Duration.ofHours(1))
            .clock(SimulatedClock.of(at.timing()))
            .currentTimestampFunction(clock -> at.timing().nanoTime(), TimeUnit.NANOSECONDS)
            .build());
  }

  private static RateLimiter limiter(Timing timing) {
    return RateLimiter.of(
        "chaos",
        RateLimiterConfig.custom()
            .limitForPeriod(2)
            .limitRefreshPeriod(Duration.ofMillis(100))
            .timeoutDuration(Duration.ofSeconds(1))
            .build(),
        timing::nanoTime);
  }
}
