package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.queueworker.PauseReason;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Paused;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.observe.WorkerEvent.Resumed;
import io.queueworker.observe.WorkerEvent.UserCodeFailed;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A circuit breaker over the handlers: while what they depend on is down, messages are kept and no receive count grows. */
class BreakerTest {

  private static final Duration VISIBILITY = Duration.ofSeconds(30);
  private static final Duration PROBE_EVERY = Breakers.PROBE_EVERY;

  /** What handlers depend on. */
  private static final class Dependency {
    boolean down;

    void call() {
      if (down) {
        throw new IllegalStateException("503 from the dependency");
      }
    }
  }

  private static WorkerBuilder<String> worker(Rig rig) {
    return rig.worker().pollWait(Duration.ofSeconds(1)).maxConcurrency(20);
  }

  private static CircuitBreaker breaker(Rig rig) {
    return Breakers.breaker(rig.timing, config -> config);
  }

  /** How often each message was received. */
  private static Map<String, Integer> counts(Rig rig) {
    Map<String, Integer> counts = new HashMap<>();
    rig.trail.of(Received.class).forEach(event -> counts.merge(event.messageId(), event.receiveCount(), Math::max));
    return counts;
  }

  /** A worker under load whose dependency is down for ten visibility timeouts; gives by how much receive counts grew. */
  private static Map<String, Integer> outage(Rig rig, WorkerBuilder<String> builder, Dependency dependency) {
    rig.queue.visibility(VISIBILITY).maxReceiveCount(5);
    QueueWorker worker =
        builder.handler(
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
    int committed = rig.trail.count(Committed.class);
    Duration probe = PROBE_EVERY.plusSeconds(2);
    rig.timing.await("a commit", () -> rig.trail.count(Committed.class) > committed, probe);
    rig.timing.await("it receives again", () -> worker.health().pauses().isEmpty(), probe);
    rig.timing.await(
        "all is done",
        () -> rig.queue.deleted().size() + rig.queue.deadLetters().size() == 400,
        Duration.ofHours(1));
    Map<String, Integer> growth = counts(rig);
    before.forEach((id, count) -> growth.merge(id, -count, Integer::sum));
    worker.close();
    rig.checkRulesFor(20);
    return growth;
  }

  @Seeds
  void a_dependency_that_is_down_for_ten_visibility_timeouts_costs_at_most_two_receives(long seed) {
    Rig.run(
        seed,
        rig -> {
          Map<String, Integer> growth =
              outage(rig, worker(rig).circuitBreaker(breaker(rig)), new Dependency());
          assertThat(growth).allSatisfy((id, count) -> assertThat(count).as(id).isLessThanOrEqualTo(2));
          assertThat(rig.queue.deadLetters()).isEmpty();
          assertThat(rig.trail.count(LeaseLost.class)).isZero();
        });
  }

  @Seeds
  void without_a_breaker_the_same_outage_makes_dead_letters(long seed) {
    Rig.run(
        seed,
        rig -> {
          Map<String, Integer> growth = outage(rig, worker(rig), new Dependency());
          assertThat(growth.values()).anyMatch(count -> count > 2);
          assertThat(rig.queue.deadLetters()).isNotEmpty();
        });
  }

  @Seeds
  void while_it_is_open_nothing_is_received_and_what_is_in_flight_is_held(long seed) {
    Rig.run(
        seed,
        rig -> {
          Dependency dependency = new Dependency();
          dependency.down = true;
          CircuitBreaker breaker = breaker(rig);
          QueueWorker worker =
              worker(rig)
                  .circuitBreaker(breaker)
                  .handler(
                      delivery -> {
                        rig.timing.sleep(Duration.ofMillis(500));
                        dependency.call();
                      })
                  .start();
          rig.send(200);
          rig.awaitCount(Paused.class, 1);
          assertThat(worker.health().pauses()).containsOnlyKeys(PauseReason.BREAKER_OPEN);
          assertThat(worker.health().pauses().get(PauseReason.BREAKER_OPEN)).contains("payments").contains("OPEN");
          rig.timing.advance(Duration.ofSeconds(1));
          int receives = rig.queue.calls(CallKind.RECEIVE).size();
          int failed = rig.trail.count(Failed.class);
          assertThat(failed).as("those that opened it").isLessThan(10);
          assertThat(worker.health().inFlight()).isGreaterThanOrEqualTo(10);
          // One probe fails and opens it again.
          rig.timing.advance(PROBE_EVERY.plusSeconds(5));
          assertThat(breaker.getState()).isEqualTo(State.OPEN);
          assertThat(rig.queue.calls(CallKind.RECEIVE)).hasSize(receives);
          assertThat(rig.trail.count(Failed.class)).as("probes that fail are no failures").isEqualTo(failed);
          dependency.down = false;
          rig.awaitEmpty();
          assertThat(counts(rig).values()).allMatch(count -> count <= 2);
          assertThat(counts(rig).values().stream().filter(count -> count == 2)).hasSize(failed);
          assertThat(rig.trail.of(HeldBack.class)).extracting(HeldBack::reason).containsOnly(HoldReason.BREAKER_OPEN);
          assertThat(rig.trail.of(Paused.class)).extracting(Paused::reason).containsOnly(PauseReason.BREAKER_OPEN);
          assertThat(rig.trail.of(Resumed.class)).hasSize(rig.trail.count(Paused.class));
          assertThat(rig.trail.count(LeaseLost.class)).isZero();
          assertThat(worker.health().pauses()).isEmpty();
          worker.close();
          rig.checkRulesFor(20);
        });
  }

  @Seeds
  void with_nothing_held_a_half_open_breaker_lets_one_receive_bring_as_many_messages_as_there_are_probes(long seed) {
    Rig.run(
        seed,
        rig -> {
          CircuitBreaker breaker = breaker(rig);
          breaker.transitionToOpenState();
          rig.send(50);
          Dependency dependency = new Dependency();
          QueueWorker worker =
              worker(rig).circuitBreaker(breaker).handler(delivery -> dependency.call()).start();
          rig.timing.advance(PROBE_EVERY.minusSeconds(1));
          assertThat(rig.queue.calls(CallKind.RECEIVE)).isEmpty();
          assertThat(worker.health().pauses()).containsOnlyKeys(PauseReason.BREAKER_OPEN);
          rig.awaitEmpty();
          assertThat(rig.queue.calls(CallKind.RECEIVE).get(0).messageIds()).hasSize(3);
          assertThat(breaker.getState()).isEqualTo(State.CLOSED);
          worker.close();
          rig.checkRulesFor(20);
        });
  }

  @Seeds
  void a_half_open_breaker_waits_for_messages_and_closes_with_those_that_come(long seed) {
    Rig.run(
        seed,
        rig -> {
          CircuitBreaker breaker = breaker(rig);
          breaker.transitionToOpenState();
          QueueWorker worker = worker(rig).circuitBreaker(breaker).handler(delivery -> {}).start();
          rig.timing.advance(Duration.ofMinutes(5));
          assertThat(breaker.getState()).isEqualTo(State.HALF_OPEN);
          for (int i = 0; i < 3; i++) {
            rig.send(1);
            rig.timing.advance(Duration.ofSeconds(10));
          }
          assertThat(rig.queue.isEmpty()).isTrue();
          assertThat(breaker.getState()).isEqualTo(State.CLOSED);
          assertThat(worker.health().pauses()).isEmpty();
          worker.close();
          rig.checkRulesFor(20);
        });
  }

  @Seeds
  void a_message_that_may_not_start_is_released_with_the_users_delay_when_he_wants_that(long seed) {
    Rig.run(
        seed,
        rig -> {
          Duration delay = Duration.ofMinutes(2);
          Dependency dependency = new Dependency();
          dependency.down = true;
          CircuitBreaker breaker = breaker(rig);
          QueueWorker worker =
              rig.worker()
                  .maxConcurrency(40)
                  .circuitBreaker(breaker, delay)
                  .handler(delivery -> dependency.call())
                  .start();
          rig.send(10);
          rig.awaitCount(Paused.class, 1);
          rig.send(10);
          rig.timing.advance(Duration.ofMinutes(1));
          assertThat(worker.health().inFlight()).isZero();
          assertThat(rig.trail.of(HeldBack.class)).isEmpty();
          dependency.down = false;
          rig.awaitEmpty();
          assertThat(rig.trail.count(LeaseLost.class)).isZero();
          worker.close();
          rig.checkRulesFor(40);
        });
  }

  @Seeds
  void what_a_receive_brings_to_a_breaker_that_has_opened_meanwhile_is_released_or_held(long seed) {
    Duration delay = Duration.ofMinutes(2);
    for (boolean hold : new boolean[]{true, false}) {
      Rig.run(
          seed,
          rig -> {
            CircuitBreaker breaker = breaker(rig);
            WorkerBuilder<String> builder = rig.worker().handler(delivery -> {});
            QueueWorker worker =
                (hold ? builder.circuitBreaker(breaker) : builder.circuitBreaker(breaker, delay)).start();
            rig.timing.advance(Duration.ofSeconds(5));
            breaker.transitionToForcedOpenState();
            rig.timing.advance(Duration.ofSeconds(1));
            String id = rig.send(1).get(0);
            rig.timing.advance(Duration.ofSeconds(30));
            assertThat(rig.trail.count(HandlerStarted.class)).isZero();
            if (hold) {
              assertThat(rig.trail.of(HeldBack.class)).singleElement().extracting(HeldBack::reason)
                  .isEqualTo(HoldReason.BREAKER_OPEN);
              assertThat(worker.health().inFlight()).isEqualTo(1);
            } else {
              assertThat(rig.trail.of(Released.class)).singleElement().extracting(Released::delay).isEqualTo(delay);
              assertThat(worker.health().inFlight()).isZero();
            }
            breaker.transitionToClosedState();
            rig.awaitEmpty();
            assertThat(counts(rig)).containsExactlyEntriesOf(Map.of(id, hold ? 1 : 2));
            worker.close();
            rig.checkRules();
          });
    }
  }

  @Seeds
  void a_close_while_it_is_open_gives_back_what_is_held_and_waits_for_no_breaker(long seed) {
    Rig.run(
        seed,
        rig -> {
          Dependency dependency = new Dependency();
          dependency.down = true;
          CircuitBreaker breaker = breaker(rig);
          QueueWorker worker =
              worker(rig)
                  .circuitBreaker(breaker)
                  .handler(
                      delivery -> {
                        rig.timing.sleep(Duration.ofMillis(500));
                        dependency.call();
                      })
                  .start();
          rig.send(20);
          rig.awaitCount(Paused.class, 1);
          rig.timing.advance(Duration.ofSeconds(2));
          int held = worker.health().inFlight();
          assertThat(held).isGreaterThanOrEqualTo(10);
          Duration from = rig.timing.elapsed();
          worker.close();
          assertThat(rig.timing.elapsed().minus(from)).isLessThan(Duration.ofSeconds(2));
          rig.timing.advance(Duration.ofSeconds(11));
          assertThat(rig.queue.inFlight()).isEmpty();
          assertThat(rig.queue.visible()).hasSize(20).extracting(SimulatedMessage::receiveCount).containsOnly(1);
          rig.checkRulesFor(20);
        });
  }

  @Seeds
  void a_poison_message_alone_never_keeps_the_worker_from_receiving(long seed) {
    for (int concurrency : new int[]{1, 20}) {
      Rig.run(
          seed,
          rig -> {
            rig.queue.maxReceiveCount(4).anyOrder();
            CircuitBreaker breaker =
                Breakers.breaker(
                    rig.timing,
                    config -> config.slidingWindowSize(2).minimumNumberOfCalls(1)
                        .permittedNumberOfCallsInHalfOpenState(1));
            List<String> handled = new ArrayList<>();
            QueueWorker worker =
                rig.worker()
                    .pollWait(Duration.ofSeconds(1))
                    .maxConcurrency(concurrency)
                    .circuitBreaker(breaker)
                    .handler(
                        delivery -> {
                          if (delivery.body().equals("poison")) {
                            throw new IllegalArgumentException("always");
                          }
                          handled.add(delivery.id());
                        })
                    .start();
            String poison = rig.queue.send("poison");
            rig.awaitCount(Paused.class, 1);
            List<String> good = rig.send(100);
            rig.timing.await(
                "all others are done", () -> rig.queue.deleted().size() == 100, PROBE_EVERY.multipliedBy(30));
            assertThat(handled).containsExactlyInAnyOrderElementsOf(good);
            rig.timing.await("it is a dead letter", () -> !rig.queue.deadLetters().isEmpty(), Duration.ofHours(2));
            assertThat(rig.queue.deadLetters()).extracting(SimulatedMessage::id).containsExactly(poison);
            worker.close();
            rig.checkRulesFor(concurrency);
          });
    }
  }

  @Seeds
  void a_message_that_fails_in_every_round_of_probes_goes_to_the_failure_policy(long seed) {
    Rig.run(
        seed,
        rig -> {
          CircuitBreaker breaker =
              Breakers.breaker(rig.timing, config -> config.slidingWindowSize(1).minimumNumberOfCalls(1));
          rig.send(1);
          QueueWorker worker =
              worker(rig)
                  .circuitBreaker(breaker)
                  .handler(
                      delivery -> {
                        throw new IllegalArgumentException("always");
                      })
                  .start();
          rig.awaitCount(Failed.class, 1);
          assertThat(rig.trail.of(Failed.class).get(0).receiveCount()).isEqualTo(1);
          assertThat(rig.timing.elapsed()).as("three rounds").isGreaterThan(PROBE_EVERY.multipliedBy(3));
          rig.awaitCount(Failed.class, 2);
          assertThat(rig.timing.elapsed()).as("three more").isGreaterThan(PROBE_EVERY.multipliedBy(6));
          rig.awaitCount(Failed.class, 3);
          assertThat(rig.timing.elapsed()).as("as many as before").isGreaterThan(PROBE_EVERY.multipliedBy(12));
          worker.close();
          rig.checkRulesFor(20);
        });
  }

  @Seeds
  void a_breaker_that_is_forced_open_stops_the_worker_until_it_is_closed(long seed) {
    Rig.run(
        seed,
        rig -> {
          CircuitBreaker breaker = breaker(rig);
          breaker.transitionToForcedOpenState();
          rig.send(5);
          QueueWorker worker = worker(rig).circuitBreaker(breaker).handler(delivery -> {}).start();
          assertThat(worker.health().pauses()).containsOnlyKeys(PauseReason.BREAKER_OPEN);
          rig.timing.advance(Duration.ofHours(1));
          assertThat(rig.queue.calls(CallKind.RECEIVE)).isEmpty();
          breaker.transitionToClosedState();
          rig.awaitEmpty();
          worker.close();
          rig.checkRulesFor(20);
        });
  }

  @Seeds
  void a_breaker_that_is_switched_off_lets_everything_start_and_fail(long seed) {
    for (State state : Set.of(State.DISABLED, State.METRICS_ONLY)) {
      Rig.run(
          seed,
          rig -> {
            CircuitBreaker breaker = Breakers.breaker(rig.timing, config -> config.initialState(state));
            Dependency dependency = new Dependency();
            dependency.down = true;
            rig.send(30);
            QueueWorker worker =
                worker(rig).circuitBreaker(breaker).handler(delivery -> dependency.call()).start();
            rig.awaitCount(Failed.class, 60);
            assertThat(rig.trail.count(Paused.class) + rig.trail.count(HeldBack.class)).isZero();
            dependency.down = false;
            rig.awaitEmpty();
            worker.close();
            rig.checkRulesFor(20);
          });
    }
  }

  @Seeds
  void a_handler_that_began_before_it_opened_is_no_probe_when_it_ends(long seed) {
    Rig.run(
        seed,
        rig -> {
          CircuitBreaker breaker =
              Breakers.breaker(rig.timing, config -> config.permittedNumberOfCallsInHalfOpenState(1));
          rig.send(1);
          QueueWorker worker =
              worker(rig)
                  .circuitBreaker(breaker)
                  .handler(delivery -> rig.timing.sleep(Duration.ofMinutes(1)))
                  .start();
          rig.awaitCount(HandlerStarted.class, 1);
          breaker.transitionToOpenState();
          rig.awaitCount(Committed.class, 1);
          rig.timing.advance(Duration.ofSeconds(1));
          assertThat(breaker.getState()).isEqualTo(State.HALF_OPEN);
          assertThat(breaker.getMetrics().getNumberOfBufferedCalls()).isZero();
          assertThat(breaker.tryAcquirePermission()).isTrue();
          assertThat(breaker.tryAcquirePermission()).as("none was given back that it did not have").isFalse();
          worker.close();
          rig.checkRulesFor(20);
        });
  }

  @Seeds
  void a_predicate_of_the_breaker_that_throws_is_told_of_and_the_failure_decided_as_usual(long seed) {
    Rig.run(
        seed,
        rig -> {
          CircuitBreaker breaker =
              Breakers.breaker(
                  rig.timing,
                  config -> config.recordException(
                      thrown -> {
                        throw new IllegalStateException("broken predicate");
                      }));
          Dependency dependency = new Dependency();
          dependency.down = true;
          rig.send(5);
          QueueWorker worker =
              worker(rig).circuitBreaker(breaker).handler(delivery -> dependency.call()).start();
          rig.awaitCount(Failed.class, 5);
          assertThat(rig.trail.of(UserCodeFailed.class)).hasSizeGreaterThanOrEqualTo(5)
              .allSatisfy(e -> assertThat(e.where()).contains("circuit breaker"));
          dependency.down = false;
          rig.awaitEmpty();
          worker.close();
          rig.checkRulesFor(20);
        });
  }
}
