package io.queueworker.spec;

import static io.queueworker.spec.HealthReceivingTest.kinds;
import static io.queueworker.spec.HealthReceivingTest.rest;
import static io.queueworker.spec.HealthReceivingTest.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.queueworker.Health.Status;
import io.queueworker.HealthReason.Kind;
import io.queueworker.QueueWorker;
import io.queueworker.RejectException;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Rejected;
import io.queueworker.queue.MessageQueue;
import io.queueworker.spec.HoldingTest.FragileGate;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedQueue;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What health says of leases, handlers, settlements and listeners, and when it stops saying so. */
class HealthWorkTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static void assertUp(QueueWorker worker) {
    assertThat(worker.health().reasons()).isEmpty();
    assertThat(worker.health().status()).isEqualTo(Status.UP);
  }

  @Seeds
  void beats_that_do_not_succeed_are_late_until_one_does(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(MINUTE).onCall(CallKind.EXTEND, call -> Fault.unavailable());
          rig.send(1);
          QueueWorker worker =
              rig.worker().pollWait(SECOND).handler(delivery -> rig.timing.sleep(Duration.ofMinutes(3))).start();
          rig.timing.advance(Duration.ofSeconds(29));
          assertThat(worker.health().beatsLate()).isZero();
          rig.timing.advance(Duration.ofSeconds(5));
          assertUp(worker);
          assertThat(worker.health().beatsLate()).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(5));

          rig.timing.advance(Duration.ofSeconds(5));
          assertThat(kinds(worker)).containsExactly(Kind.BEATS_LATE);
          assertThat(worker.health().status()).isEqualTo(Status.DEGRADED);
          assertThat(words(worker, Kind.BEATS_LATE)).startsWith("1 extensions are late, the latest by ");

          rig.queue.onCall(CallKind.EXTEND, call -> Fault.none());
          rig.timing.advance(Duration.ofSeconds(3));
          assertUp(worker);
          assertThat(worker.health().beatsLate()).isZero();
          rig.awaitEmpty();
          assertUp(worker);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void a_lost_lease_is_told_of_for_five_minutes_unless_it_was_given_up_on_purpose(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(MINUTE);
          List<String> kept = new ArrayList<>();
          QueueWorker worker =
              rig.worker()
                  .pollWait(SECOND)
                  .keepAliveWhile(delivery -> !delivery.body().equals("left") || !kept.add("asked"))
                  .handler(delivery -> {
                    if (delivery.receiveCount() == 1) {
                      rig.timing.sleep(Duration.ofSeconds(80));
                    }
                  })
                  .start();
          rig.queue.send("left");
          rig.awaitCount(LeaseLost.class, 1);
          assertUp(worker);

          rig.timing.advance(MINUTE.multipliedBy(3));
          rig.queue.onCall(CallKind.EXTEND, call -> Fault.unavailable());
          String id = rig.queue.send("lost");
          rig.awaitCount(LeaseLost.class, 2);
          assertThat(kinds(worker)).containsExactly(Kind.LEASES_LOST);
          assertThat(worker.health().status()).isEqualTo(Status.DEGRADED);
          assertThat(words(worker, Kind.LEASES_LOST)).startsWith("1 leases were lost since").contains(id)
              .contains("ran out before an extension succeeded");

          rig.timing.advance(Duration.ofSeconds(295));
          assertThat(kinds(worker)).containsExactly(Kind.LEASES_LOST);
          rig.timing.advance(Duration.ofSeconds(6));
          assertUp(worker);
          worker.close();
        });
  }

  @Seeds
  void stuck_handlers_degrade_it_and_take_it_down_when_they_hold_every_permit(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(Duration.ofMinutes(30)); // they come again after the test
          QueueWorker worker =
              rig.worker()
                  .pollWait(SECOND)
                  .maxConcurrency(2)
                  .maxProcessingTime(Duration.ofSeconds(10))
                  .handler(delivery -> rest(rig, Duration.ofMinutes(8)))
                  .start();
          String first = rig.queue.send("0");
          rig.timing.advance(Duration.ofSeconds(15));
          assertThat(kinds(worker)).containsExactly(Kind.LEASES_LOST, Kind.HANDLERS_STUCK);
          assertThat(words(worker, Kind.HANDLERS_STUCK)).startsWith("1 of 2 permits").contains(first);
          assertThat(worker.health().status()).isEqualTo(Status.DEGRADED);

          rig.queue.send("1");
          rig.timing.advance(Duration.ofSeconds(20));
          assertThat(kinds(worker)).first().isEqualTo(Kind.HANDLERS_STUCK);
          assertThat(words(worker, Kind.HANDLERS_STUCK)).startsWith("2 of 2 permits").contains("restart");
          assertThat(worker.health().status()).isEqualTo(Status.DOWN);

          rig.timing.advance(Duration.ofMinutes(9));
          assertUp(worker);
          worker.close();
        });
  }

  @Seeds
  void a_gate_that_is_away_degrades_until_it_is_back(long seed) {
    Rig.run(
        seed,
        rig -> {
          FragileGate gate = new FragileGate();
          gate.away = true;
          rig.send(1);
          QueueWorker worker =
              rig.worker()
                  .pollWait(SECOND)
                  .once(gate, delivery -> delivery.body(), (delivery, effects) -> effects.add(delivery.body()))
                  .start();
          rig.timing.advance(Duration.ofMinutes(5));
          assertThat(kinds(worker)).containsExactly(Kind.GATE_UNAVAILABLE);
          assertThat(words(worker, Kind.GATE_UNAVAILABLE)).contains("connection refused");
          assertThat(worker.health().status()).isEqualTo(Status.DEGRADED);

          gate.away = false;
          rig.awaitEmpty();
          assertUp(worker);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void a_breaker_that_is_not_closed_degrades_until_it_is(long seed) {
    Rig.run(
        seed,
        rig -> {
          CircuitBreaker breaker = Breakers.breaker(rig.timing, config -> config);
          QueueWorker worker = rig.worker().circuitBreaker(breaker).handler(delivery -> {}).start();
          rig.timing.advance(SECOND);
          assertUp(worker);
          assertThat(worker.health().breaker()).contains("circuit breaker payments is CLOSED");

          breaker.transitionToForcedOpenState();
          rig.timing.advance(Duration.ofMinutes(5));
          assertThat(kinds(worker)).containsExactly(Kind.BREAKER_OPEN);
          assertThat(words(worker, Kind.BREAKER_OPEN)).contains("payments is FORCED_OPEN");
          assertThat(worker.health().status()).isEqualTo(Status.DEGRADED);

          breaker.transitionToClosedState();
          rig.timing.advance(SECOND);
          assertUp(worker);
          worker.close();
        });
  }

  @Seeds
  void deletes_that_fail_for_ten_seconds_degrade_until_one_succeeds(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.onCall(CallKind.DELETE, call -> Fault.unavailable());
          rig.send(1);
          QueueWorker worker = rig.worker().pollWait(SECOND).handler(delivery -> {}).start();
          rig.timing.advance(Duration.ofSeconds(8));
          assertUp(worker);
          rig.timing.advance(Duration.ofSeconds(10));
          assertThat(kinds(worker)).containsExactly(Kind.DELETES_FAIL);
          assertThat(words(worker, Kind.DELETES_FAIL)).contains("deletes in a row failed");
          assertThat(worker.health().status()).isEqualTo(Status.DEGRADED);

          rig.queue.onCall(CallKind.DELETE, call -> Fault.none());
          rig.awaitEmpty();
          rig.timing.advance(SECOND); // for the answer
          assertUp(worker);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void rejects_that_fail_for_ten_seconds_degrade_until_one_succeeds(long seed) {
    Rig.run(
        seed,
        rig -> {
          SimulatedQueue dead = rig.queue.deadLetterQueue().orElseThrow();
          dead.onCall(CallKind.SEND, call -> Fault.unavailable());
          rig.send(1);
          QueueWorker worker =
              rig.worker()
                  .pollWait(SECOND)
                  .handler(delivery -> {
                    throw new RejectException("cannot be handled");
                  })
                  .start();
          rig.timing.advance(Duration.ofSeconds(40));
          assertThat(kinds(worker)).containsExactly(Kind.REJECTS_FAIL);
          assertThat(words(worker, Kind.REJECTS_FAIL)).contains("sends to the dead-letter queue in a row failed");
          assertThat(worker.health().status()).isEqualTo(Status.DEGRADED);

          dead.onCall(CallKind.SEND, call -> Fault.none());
          rig.awaitCount(Rejected.class, 1);
          assertUp(worker);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void a_listener_that_misses_events_degrades_until_it_has_caught_up(long seed) {
    Rig.run(
        seed,
        rig -> {
          List<WorkerEvent> heard = new ArrayList<>();
          QueueWorker worker =
              rig.worker()
                  .pollWait(SECOND)
                  .listener(
                      (context, event) -> {
                        if (heard.isEmpty()) {
                          rest(rig, Duration.ofMinutes(30));
                        }
                        heard.add(event);
                      })
                  .handler(delivery -> {})
                  .start();
          rig.send(500);
          rig.timing.advance(MINUTE);
          assertUp(worker);
          rig.send(2_500);
          rig.timing.advance(MINUTE);
          assertThat(kinds(worker)).containsExactly(Kind.EVENTS_DROPPED);
          assertThat(words(worker, Kind.EVENTS_DROPPED)).contains("HealthWorkTest");
          assertThat(worker.health().status()).isEqualTo(Status.DEGRADED);

          rig.timing.advance(Duration.ofMinutes(30));
          assertUp(worker);
          worker.close();
        });
  }

  @Seeds
  void a_bug_of_the_library_is_told_of_for_five_minutes(long seed) {
    Rig.run(
        seed,
        rig -> {
          boolean[] broken = {false};
          MessageQueue queue = rig.queue.connect();
          MessageQueue breaking =
              (MessageQueue) Proxy.newProxyInstance(
                  MessageQueue.class.getClassLoader(),
                  new Class<?>[]{MessageQueue.class},
                  (proxy, method, arguments) -> {
                    try {
                      Object answer = method.invoke(queue, arguments);
                      boolean breaks = broken[0] && method.getName().equals("receive");
                      broken[0] &= !breaks;
                      return breaks ? null : answer;
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  });
          QueueWorker worker =
              QueueWorker.of(breaking).timing(rig.threads).pollWait(SECOND).handler(delivery -> {}).start();
          rig.timing.advance(SECOND);
          assertUp(worker);
          broken[0] = true;
          rig.timing.advance(Duration.ofSeconds(3));
          assertThat(kinds(worker)).containsExactly(Kind.INTERNAL_ERROR);
          assertThat(words(worker, Kind.INTERNAL_ERROR)).contains("1 times").contains("poll");
          assertThat(worker.health().status()).isEqualTo(Status.DEGRADED);

          rig.timing.advance(Duration.ofMinutes(5));
          assertUp(worker);
          worker.close();
        });
  }
}
