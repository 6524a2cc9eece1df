package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.queueworker.PauseReason;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Paused;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.observe.WorkerEvent.Resumed;
import io.queueworker.patched.PatchedCore;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.SimulatedMessage;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A rate limiter in virtual time: handlers start no faster than it permits, and receives bring no more than can start. */
class RateTest {

  /** A limiter on the simulation's clock. */
  static RateLimiter limiter(Timing timing, int permissions, Duration period) {
    return RateLimiter.of(
        "calls",
        RateLimiterConfig.custom()
            .limitForPeriod(permissions)
            .limitRefreshPeriod(period)
            .timeoutDuration(Duration.ofMinutes(1))
            .build(),
        timing::nanoTime);
  }

  @Seeds
  void handlers_start_at_the_rate_and_receives_bring_only_what_can_start_soon(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(200);
          QueueWorker worker =
              rig.worker()
                  .rateLimiter(limiter(rig.timing, 10, Duration.ofSeconds(1)))
                  .handler(delivery -> {})
                  .start();
          rig.timing.advance(Duration.ofSeconds(10));
          assertThat(worker.health().pauses()).containsOnlyKeys(PauseReason.RATE_LIMITED);
          assertThat(worker.health().pauses().get(PauseReason.RATE_LIMITED)).contains("calls").contains("10");
          rig.awaitEmpty();
          List<Long> starts =
              rig.trail.entries().stream().filter(entry -> entry.event() instanceof HandlerStarted)
                  .map(entry -> entry.context().nanoTime()).toList();
          assertThat(starts).hasSize(200);
          for (int i = 20; i < starts.size(); i++) {
            assertThat(starts.get(i) - starts.get(i - 20)).as("twenty starts, from one period into the next but one")
                .isGreaterThanOrEqualTo(Duration.ofSeconds(1).toNanos());
          }
          assertThat(rig.timing.elapsed()).as("no permission is wasted").isLessThan(Duration.ofSeconds(24));
          assertThat(RatedRun.mostWaiting(rig)).isLessThanOrEqualTo(30);
          assertThat(rig.trail.of(Received.class)).allMatch(received -> received.receiveCount() == 1);
          rig.timing.advance(Duration.ofMinutes(1));
          assertThat(rig.trail.of(Paused.class)).as("told once, however often it paced").hasSize(1);
          assertThat(rig.trail.of(Resumed.class)).hasSize(1);
          assertThat(worker.health().pauses()).isEmpty();
          worker.close();
          rig.checkRules();
        });
  }

  @Test
  void receives_that_the_rate_did_not_pace_would_hoard() throws Exception {
    PatchedCore unpaced =
        PatchedCore.with("io.queueworker.receive.Pacing", "return Math.clamp(left, 0, batch);", "return batch;");
    assertThat(new RatedRun().call()).isLessThanOrEqualTo(30);
    assertThat((Integer) unpaced.create(RatedRun.class, Callable.class).call()).isGreaterThanOrEqualTo(60);
  }

  @Seeds
  void messages_that_wait_for_the_rate_are_under_lease_and_go_back_with_a_close(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(Duration.ofSeconds(5));
          RateLimiter limiter = limiter(rig.timing, 1, Duration.ofSeconds(50));
          // Someone else takes the permission that the receive was for.
          QueueWorker worker =
              rig.worker()
                  .pollWait(Duration.ofSeconds(1))
                  .rateLimiter(limiter)
                  .inlineListener((context, event) -> {
                    if (event instanceof Received) {
                      limiter.reservePermission();
                    }
                  })
                  .handler(delivery -> {})
                  .start();
          rig.send(1);
          rig.awaitCount(HeldBack.class, 1);
          rig.timing.advance(Duration.ofSeconds(20));
          assertThat(rig.trail.of(HeldBack.class)).extracting(HeldBack::reason).containsOnly(HoldReason.RATE_LIMITED);
          assertThat(rig.trail.count(HandlerStarted.class) + rig.trail.count(LeaseLost.class)).isZero();
          Duration from = rig.timing.elapsed();
          worker.close();
          assertThat(rig.timing.elapsed().minus(from)).isLessThan(Duration.ofSeconds(3));
          rig.timing.advance(Duration.ofSeconds(11));
          assertThat(rig.queue.visible()).singleElement().extracting(SimulatedMessage::receiveCount).isEqualTo(1);
          rig.checkRules();
        });
  }

  @Seeds
  void a_breaker_that_opens_while_a_message_waits_for_the_rate_keeps_it_from_starting(long seed) {
    Rig.run(
        seed,
        rig -> {
          RateLimiter limiter = limiter(rig.timing, 1, Duration.ofSeconds(50));
          CircuitBreaker breaker = Breakers.breaker(rig.timing, config -> config);
          QueueWorker worker =
              rig.worker()
                  .rateLimiter(limiter)
                  .circuitBreaker(breaker)
                  .inlineListener((context, event) -> {
                    if (event instanceof Received) {
                      limiter.reservePermission();
                    }
                  })
                  .handler(delivery -> {})
                  .start();
          rig.send(1);
          rig.awaitCount(HeldBack.class, 1);
          breaker.transitionToForcedOpenState();
          rig.timing.advance(Duration.ofMinutes(2));
          assertThat(rig.trail.count(HandlerStarted.class)).isZero();
          assertThat(rig.trail.of(HeldBack.class)).extracting(HeldBack::reason)
              .containsExactly(HoldReason.RATE_LIMITED, HoldReason.BREAKER_OPEN);
          breaker.transitionToClosedState();
          rig.awaitEmpty();
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void an_attempt_that_did_not_come_to_its_handler_costs_no_second_permission(long seed) {
    Rig.run(
        seed,
        rig -> {
          MemoryGate gate = new MemoryGate(true);
          gate.inProgress = 6;
          RateLimiter limiter = limiter(rig.timing, 100, Duration.ofHours(1));
          rig.send(1);
          QueueWorker worker =
              rig.worker()
                  .rateLimiter(limiter)
                  .once(gate, delivery -> delivery.body(), (delivery, effects) -> effects.add(delivery.body()))
                  .start();
          rig.awaitEmpty();
          assertThat(rig.trail.count(HeldBack.class)).isEqualTo(6);
          assertThat(limiter.getMetrics().getAvailablePermissions()).isEqualTo(99);
          worker.close();
          rig.checkRules();
        });
  }
}
