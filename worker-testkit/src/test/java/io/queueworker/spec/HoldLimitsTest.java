package io.queueworker.spec;

import static io.queueworker.spec.Specs.calls;
import static io.queueworker.spec.Specs.steps;
import static io.queueworker.spec.Specs.visibilities;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.FailureAction;
import io.queueworker.KeyFunction;
import io.queueworker.LossReason;
import io.queueworker.MessageHandler;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.HandlerStuck;
import io.queueworker.observe.WorkerEvent.HandlerUnstuck;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import io.queueworker.observe.WorkerEvent.Interrupted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.observe.WorkerEvent.UserCodeFailed;
import io.queueworker.queue.EntryResult;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedCall;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a message is held at most, and who ends it: the service's cap, the worker's limits, the user's condition. */
class HoldLimitsTest {

  private static final Duration CAP = Duration.ofHours(12);
  private static final Duration LONG = Duration.ofMinutes(10);

  private static SimulatedQueue orders(SimulatedTiming timing) {
    return SimulatedQueue.standard(timing, "orders").maxReceiveCount(5);
  }

  private static WorkerBuilder<String> worker(
      SimulatedTiming timing, SimulatedQueue queue, Trail trail, MessageHandler<String> handler) {
    return QueueWorker.of(queue.connect()).handler(handler).inlineListener(trail).timing(timing);
  }

  private static void finish(SimulatedTiming timing, SimulatedQueue queue, Trail trail, QueueWorker worker) {
    timing.await("the queue is empty", queue::isEmpty, Duration.ofHours(30));
    worker.close();
    Invariants.check(trail, 64, queue);
  }

  /** Every extension stayed below the service's cap, counted from the arrival of the receive. */
  private static void assertBelowTheCap(SimulatedQueue queue, String id) {
    Duration received = calls(queue, CallKind.RECEIVE, id).get(0).arrivedAt().orElseThrow();
    for (SimulatedCall call : queue.calls(CallKind.EXTEND)) {
      for (SimulatedCall.Entry entry : call.entries()) {
        if (entry.receive() == 1) {
          Duration end = call.arrivedAt().orElseThrow().minus(received).plus(entry.visibility());
          assertThat(end).as("the hold that %s asks for", call).isLessThanOrEqualTo(CAP);
        }
      }
    }
  }

  @ParameterizedTest(name = "visibility {0} s")
  @ValueSource(ints = {60, 600, 7_200})
  void S3_no_extension_asks_for_more_than_the_cap_leaves_and_the_loss_is_told_once(int visibility) {
    SimulatedTiming.run(
        visibility,
        timing -> {
          SimulatedQueue queue = orders(timing).visibility(Duration.ofSeconds(visibility));
          Trail trail = Trail.in(timing);
          List<LossReason> told = new ArrayList<>();
          String id = queue.send("a");
          QueueWorker worker =
              worker(
                  timing,
                  queue,
                  trail,
                  delivery -> {
                    delivery.onLost(told::add);
                    timing.sleep(delivery.receiveCount() == 1 ? CAP.minusSeconds(1) : Duration.ofMinutes(1));
                  })
                  .maxProcessingTime(CAP.minusSeconds(11))
                  .maxHold(CAP.minusSeconds(10))
                  .start();
          timing.await("the loss", () -> told.size() == 1, CAP);
          Duration heldFor = timing.elapsed();
          assertThat(heldFor).isBetween(CAP.minusSeconds(30), CAP);
          finish(timing, queue, trail, worker);
          assertBelowTheCap(queue, id);
          assertThat(told).containsExactly(LossReason.OVERTIME);
          assertThat(trail.count(Extended.class)).isGreaterThan(5);
          assertThat(queue.calls(CallKind.EXTEND))
              .allMatch(call -> call.entries().stream().allMatch(HoldLimitsTest::done));
        });
  }

  private static boolean done(SimulatedCall.Entry entry) {
    return entry.result().orElseThrow() instanceof EntryResult.Done;
  }

  @Seeds
  void S3_the_error_of_the_cap_ends_the_heartbeat_of_that_lease_and_is_told_once(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          List<LossReason> told = new ArrayList<>();
          queue.onCall(
              CallKind.EXTEND,
              call -> call.sentAt().compareTo(Duration.ofMinutes(5)) > 0
                  ? Fault.everyEntry(
                      new EntryResult.Lost(
                          "Total VisibilityTimeout for the message is beyond the limit [43200 seconds]"))
                  : Fault.none());
          String id = queue.send("a");
          QueueWorker worker =
              worker(
                  timing,
                  queue,
                  trail,
                  delivery -> {
                    delivery.onLost(told::add);
                    timing.sleep(delivery.receiveCount() == 1 ? LONG : Duration.ofSeconds(1));
                  })
                  .maxConcurrency(1)
                  .start();
          finish(timing, queue, trail, worker);
          assertThat(told).containsExactly(LossReason.REFUSED);
          assertThat(trail.of(LeaseLost.class, id)).hasSize(1);
          List<SimulatedCall> extensions = calls(queue, CallKind.EXTEND, id);
          assertThat(extensions.stream().filter(call -> call.sentAt().compareTo(Duration.ofMinutes(5)) > 0)).hasSize(1);
        });
  }

  @ParameterizedTest(name = "wish of {0} s after {1} s")
  @CsvSource({"43200,0", "43200,1", "43200,7200", "40000,7200", "43200,40000"})
  void S12_a_wish_is_clamped_to_what_the_cap_leaves(int wish, int after) {
    SimulatedTiming.run(
        after + 1,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          QueueWorker worker =
              worker(
                  timing,
                  queue,
                  trail,
                  delivery -> {
                    timing.sleep(Duration.ofSeconds(after));
                    delivery.extendTo(Duration.ofSeconds(wish));
                    timing.sleep(Duration.ofSeconds(2));
                    delivery.checkHeld();
                  })
                  .maxProcessingTime(CAP.minusMinutes(6))
                  .start();
          finish(timing, queue, trail, worker);
          assertBelowTheCap(queue, id);
          List<Duration> asked = visibilities(queue, CallKind.EXTEND, id);
          long left = CAP.minusMinutes(5).toSeconds() - after;
          assertThat(asked.get(asked.size() - 1).toSeconds()).isBetween(Math.min(wish, left) - 10L,
              Math.min(wish, left) + 3L);
          assertThat(queue.calls(CallKind.EXTEND))
              .allMatch(call -> call.entries().stream().allMatch(HoldLimitsTest::done));
          assertThat(trail.of(LeaseLost.class)).isEmpty();
          assertThat(calls(queue, CallKind.RECEIVE, id)).hasSize(1);
        });
  }

  @Seeds
  void S12_a_retry_delay_is_clamped_to_what_the_cap_leaves(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          QueueWorker worker =
              worker(
                  timing,
                  queue,
                  trail,
                  delivery -> {
                    if (delivery.receiveCount() == 1) {
                      timing.sleep(Duration.ofMinutes(30));
                      throw new IllegalStateException("not today");
                    }
                  })
                  .failurePolicy(failure -> FailureAction.retryAfter(Duration.ofDays(2)))
                  .start();
          finish(timing, queue, trail, worker);
          assertThat(queue.calls(CallKind.RELEASE))
              .singleElement()
              .satisfies(
                  call -> assertThat(call.entries().get(0).visibility())
                      .isBetween(CAP.minusMinutes(31), CAP.minusMinutes(30)));
          assertThat(trail.of(Released.class, id)).hasSize(1);
        });
  }

  @Seeds
  void a_message_is_given_up_when_it_was_held_for_maxHold(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          MemoryGate gate = new MemoryGate(true);
          List<LossReason> told = new ArrayList<>();
          gate.inProgress = 4; // some seconds are gone before the handler starts
          String id = queue.send("a");
          QueueWorker worker =
              QueueWorker.of(queue.connect())
                  .once(
                      gate,
                      KeyFunction.messageId(),
                      (delivery, effects) -> {
                        delivery.onLost(told::add);
                        timing.sleep(Duration.ofSeconds(59));
                      })
                  .maxProcessingTime(Duration.ofMillis(59_900))
                  .maxHold(Duration.ofMinutes(1))
                  .inlineListener(trail)
                  .timing(timing)
                  .start();
          timing.await("the loss", () -> trail.count(LeaseLost.class) == 1, LONG);
          assertThat(timing.elapsed()).isBetween(Duration.ofMinutes(1), Duration.ofSeconds(61));
          finish(timing, queue, trail, worker);
          assertThat(told).containsExactly(LossReason.MAX_HOLD);
          assertThat(trail.of(HeldBack.class, id).stream().filter(held -> held.reason() == HoldReason.IN_PROGRESS))
              .hasSize(4);
          // The last beat asked for no more than maxHold left.
          Duration received = calls(queue, CallKind.RECEIVE, id).get(0).arrivedAt().orElseThrow();
          for (SimulatedCall call : queue.calls(CallKind.EXTEND)) {
            assertThat(call.arrivedAt().orElseThrow().minus(received).plus(call.entries().get(0).visibility()))
                .isLessThan(Duration.ofSeconds(64));
          }
        });
  }

  @Seeds
  void a_handler_that_reports_progress_is_kept_and_one_that_stops_reporting_loses_its_message(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          List<LossReason> told = new ArrayList<>();
          List<Duration> stoppedAt = new ArrayList<>();
          String id = queue.send("a");
          QueueWorker worker =
              worker(
                  timing,
                  queue,
                  trail,
                  delivery -> {
                    delivery.onLost(told::add);
                    for (int i = 0; i < 20; i++) {
                      timing.sleep(Duration.ofSeconds(8));
                      delivery.progress();
                    }
                    delivery.checkHeld();
                    stoppedAt.add(timing.elapsed());
                    if (delivery.receiveCount() == 1) {
                      timing.sleep(Duration.ofSeconds(25));
                      throw new IllegalStateException("woke up at last");
                    }
                  })
                  .stallTimeout(Duration.ofSeconds(10))
                  .start();
          timing.await("the loss", () -> trail.count(LeaseLost.class) == 1, LONG);
          assertThat(timing.elapsed().minus(stoppedAt.get(0)))
              .isBetween(Duration.ofSeconds(10), Duration.ofMillis(10_500));
          finish(timing, queue, trail, worker);
          assertThat(told).containsExactly(LossReason.STALLED);
          assertThat(queue.calls(CallKind.RELEASE)).isEmpty();
          assertThat(trail.of(HandlerStarted.class, id)).hasSize(2);
        });
  }

  @Seeds
  void a_message_is_given_up_when_keepAliveWhile_turns_false(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          List<LossReason> told = new ArrayList<>();
          String id = queue.send("a");
          QueueWorker worker =
              worker(
                  timing,
                  queue,
                  trail,
                  delivery -> {
                    delivery.onLost(told::add);
                    timing.sleep(delivery.receiveCount() == 1 ? Duration.ofSeconds(200) : Duration.ofSeconds(1));
                    delivery.checkHeld();
                  })
                  .keepAliveWhile(
                      delivery -> delivery.body().equals("a") && timing.elapsed().compareTo(Duration.ofSeconds(70)) < 0)
                  .start();
          timing.await("the loss", () -> trail.count(LeaseLost.class) == 1, LONG);
          assertThat(timing.elapsed()).isBetween(Duration.ofSeconds(70), Duration.ofSeconds(86));
          finish(timing, queue, trail, worker);
          assertThat(told).containsExactly(LossReason.GIVEN_UP);
          assertThat(queue.calls(CallKind.RELEASE)).isEmpty();
          assertThat(queue.deleted()).containsExactly(id);
        });
  }

  @Seeds
  void a_keepAliveWhile_that_throws_or_hangs_costs_no_lease(long seed) {
    for (boolean hangs : List.of(true, false)) {
      SimulatedTiming.run(
          seed,
          timing -> {
            SimulatedQueue queue = orders(timing);
            Trail trail = Trail.in(timing);
            queue.sendAll(Collections.nCopies(8, "a"));
            QueueWorker worker =
                worker(timing, queue, trail, delivery -> timing.sleep(Duration.ofSeconds(100)))
                    .keepAliveWhile(
                        delivery -> {
                          if (hangs) {
                            timing.advance(Duration.ofMinutes(30));
                          }
                          throw new IllegalStateException("no answer");
                        })
                    .start();
            finish(timing, queue, trail, worker);
            assertThat(trail.of(LeaseLost.class)).isEmpty();
            assertThat(trail.of(HandlerStarted.class)).hasSize(8);
            assertThat(trail.of(UserCodeFailed.class).isEmpty()).isEqualTo(hangs);
          });
    }
  }

  @Seeds
  void S59_a_handler_that_ignores_its_interrupt_keeps_its_permit_and_no_second_run_starts_beside_it(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          List<Integer> running = new ArrayList<>();
          String id = queue.send("a");
          QueueWorker worker =
              worker(
                  timing,
                  queue,
                  trail,
                  delivery -> {
                    running.add(delivery.receiveCount());
                    assertThat(running).hasSize(1);
                    if (delivery.receiveCount() == 1) {
                      ignoringInterrupts(timing, Duration.ofMinutes(2));
                    }
                    running.clear();
                    if (delivery.receiveCount() == 1) {
                      throw new IllegalStateException("too late");
                    }
                  })
                  .maxProcessingTime(Duration.ofSeconds(10))
                  .maxConcurrency(5)
                  .start();
          timing.await("the handler is stuck", () -> trail.count(HandlerStuck.class) == 1, LONG);
          HandlerStuck stuck = trail.of(HandlerStuck.class, id).get(0);
          assertThat(stuck.running()).isBetween(Duration.ofSeconds(11), Duration.ofSeconds(12));
          assertThat(worker.health().stuck()).containsExactly(stuck.thread());
          assertThat(stuck.thread()).contains(id);
          assertThat(worker.health().inFlight()).isEqualTo(1);
          timing.await("the redelivery waits", () -> trail.count(HeldBack.class) > 0, LONG);
          timing.advance(Duration.ofSeconds(40));
          assertThat(trail.of(HeldBack.class)).allMatch(held -> held.reason() == HoldReason.EARLIER_RUN);
          assertThat(worker.health().inFlight()).isEqualTo(2);
          assertThat(trail.count(HandlerStarted.class)).isEqualTo(1);
          finish(timing, queue, trail, worker);
          assertThat(trail.of(Interrupted.class)).containsExactly(new Interrupted(id, 1, LossReason.OVERTIME));
          assertThat(trail.of(LeaseLost.class)).extracting(LeaseLost::reason).containsExactly(LossReason.OVERTIME);
          assertThat(trail.count(HandlerUnstuck.class)).isEqualTo(1);
          assertThat(worker.health().stuck()).isEmpty();
          assertThat(worker.health().inFlight()).isZero();
          assertThat(trail.of(HandlerStarted.class)).extracting(HandlerStarted::receiveCount).containsExactly(1, 2);
          assertThat(queue.calls(CallKind.RELEASE)).isEmpty();
          assertThat(calls(queue, CallKind.RECEIVE, id)).hasSize(2);
        });
  }

  @Seeds
  void S59_with_one_permit_a_stuck_handler_lets_nothing_else_start(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          queue.sendAll(List.of("a", "b"));
          QueueWorker worker =
              worker(
                  timing,
                  queue,
                  trail,
                  delivery -> {
                    if (delivery.body().equals("a")) {
                      ignoringInterrupts(timing, Duration.ofMinutes(1));
                    }
                  })
                  .maxProcessingTime(Duration.ofSeconds(10))
                  .maxConcurrency(1)
                  .start();
          timing.await("the handler is stuck", () -> trail.count(HandlerStuck.class) == 1, LONG);
          timing.advance(Duration.ofSeconds(40));
          assertThat(queue.calls(CallKind.RECEIVE)).hasSize(1);
          finish(timing, queue, trail, worker);
          // Without a gate what returned late has happened: its redelivery is not run again.
          assertThat(trail.of(HandlerStarted.class)).hasSize(2);
        });
  }

  @Seeds
  void S59_a_handler_that_ends_on_its_interrupt_is_not_stuck(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          QueueWorker worker =
              worker(
                  timing,
                  queue,
                  trail,
                  delivery -> timing.sleep(delivery.receiveCount() == 1 ? LONG : Duration.ofSeconds(1)))
                  .maxProcessingTime(Duration.ofSeconds(10))
                  .start();
          finish(timing, queue, trail, worker);
          assertThat(steps(trail, id))
              .containsExactly(
                  "Received", "HandlerStarted", "LeaseLost", "Interrupted", "Failed",
                  "Received", "HandlerStarted", "HandlerReturned", "Committed", "Deleted");
          assertThat(trail.count(HandlerStuck.class)).isZero();
        });
  }

  private static void ignoringInterrupts(SimulatedTiming timing, Duration length) {
    Duration until = timing.elapsed().plus(length);
    while (timing.elapsed().compareTo(until) < 0) {
      try {
        timing.sleep(until.minus(timing.elapsed()));
      } catch (InterruptedException ignored) {
        // That is what this handler does wrong.
      }
    }
  }
}
