package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.SimulatedClock;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A circuit breaker over the handlers: while what they depend on is down, messages are kept and no receive count grows. */
class BreakerTest {

  private static final Duration VISIBILITY = Duration.ofSeconds(30);
  private static final Duration PROBE_EVERY = Duration.ofSeconds(10);

  /** What handlers depend on. */
  private static final class Dependency {
    boolean down;

    void call() {
      if (down) {
        throw new IllegalStateException("503 from the dependency");
      }
    }
  }

  private static CircuitBreaker breaker(Timing timing) {
    return breaker(timing, config -> config);
  }

  private static CircuitBreaker breaker(
      Timing timing, UnaryOperator<CircuitBreakerConfig.Builder> more) {
    return CircuitBreaker.of(
        "payments",
        more.apply(
            CircuitBreakerConfig.custom()
                .slidingWindowSize(20)
                .minimumNumberOfCalls(10)
                .permittedNumberOfCallsInHalfOpenState(3)
                .waitDurationInOpenState(PROBE_EVERY)
                .clock(SimulatedClock.of(timing))
                .currentTimestampFunction(clock -> timing.nanoTime(), TimeUnit.NANOSECONDS))
            .build());
  }

  private static WorkerBuilder<String> worker(Rig rig) {
    return rig.worker().pollWait(Duration.ofSeconds(1)).maxConcurrency(20);
  }

  @Seeds
  void a_dependency_that_is_down_for_ten_visibility_timeouts_costs_at_most_two_receives(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(VISIBILITY).maxReceiveCount(5);
          Dependency dependency = new Dependency();
          CircuitBreaker breaker = breaker(rig.timing);
          QueueWorker worker =
              worker(rig)
                  .circuitBreaker(breaker)
                  .handler(
                      delivery -> {
                        rig.timing.sleep(Duration.ofMillis(50));
                        dependency.call();
                      })
                  .start();
          rig.send(100);
          rig.awaitCount(Committed.class, 50);
          dependency.down = true;
          Map<String, Integer> before = counts(rig);
          for (int i = 0; i < 100; i++) {
            rig.send(3);
            rig.timing.advance(VISIBILITY.dividedBy(10));
          }
          dependency.down = false;
          Duration up = rig.timing.elapsed();
          int committed = rig.trail.count(Committed.class);
          rig.timing.await("a commit", () -> rig.trail.count(Committed.class) > committed, PROBE_EVERY.plusSeconds(2));
          rig.timing.await(
              "it receives again", () -> worker.health().pauses().isEmpty(), PROBE_EVERY.plusSeconds(2));
          assertThat(rig.timing.elapsed().minus(up)).isLessThan(PROBE_EVERY.plusSeconds(2));
          rig.awaitEmpty();
          assertThat(counts(rig)).allSatisfy(
              (id, count) -> assertThat(count - before.getOrDefault(id, 0)).as(id).isLessThanOrEqualTo(2));
          assertThat(rig.queue.deadLetters()).isEmpty();
          assertThat(rig.queue.deleted()).hasSize(400);
          assertThat(rig.trail.count(LeaseLost.class)).isZero();
          worker.close();
          rig.checkRulesFor(20);
        });
  }

  /** How often each message was received. */
  private static Map<String, Integer> counts(Rig rig) {
    Map<String, Integer> counts = new HashMap<>();
    rig.trail.of(Received.class).forEach(event -> counts.merge(event.messageId(), event.receiveCount(), Math::max));
    return counts;
  }
}
