package io.queueworker.spec;

import static io.queueworker.spec.Specs.calls;
import static io.queueworker.spec.Specs.steps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.FailureAction;
import io.queueworker.KeyFunction;
import io.queueworker.LeaseLostException;
import io.queueworker.LossReason;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.ClockGap;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.NotStarted;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.spec.Specs.Connection;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedCall;
import io.queueworker.testkit.simulation.SimulatedMachine;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What happens when a lease runs out although nobody gave it up: the process stood still, or the machine slept. */
class LapsedLeasesTest {

  private static final Duration LONG = Duration.ofMinutes(10);

  /** What a handler learned about the loss of its lease. */
  private static final class Told {
    final List<LossReason> reasons = new ArrayList<>();
    int checks;
  }

  private static SimulatedQueue orders(SimulatedTiming timing) {
    return SimulatedQueue.standard(timing, "orders").maxReceiveCount(5);
  }

  private static WorkerBuilder<String> worker(
      SimulatedMachine machine, SimulatedQueue queue, Trail trail, boolean fifo) {
    return QueueWorker.of(new Connection(queue.connect(machine), fifo))
        .workerId(machine.name())
        .inlineListener(trail)
        .timing(machine);
  }

  /** Freezes the worker's machine for a minute in the middle of a handler of 20 s, with this queue and gate. */
  private static void S14(long seed, boolean fifo, MemoryGate gate, Duration freeze, Judge judge) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          SimulatedMachine machine = timing.machine("frozen", Duration.ZERO);
          Told told = new Told();
          String id = queue.send("a");
          QueueWorker worker =
              worker(machine, queue, trail, fifo)
                  .once(
                      gate,
                      KeyFunction.messageId(),
                      (delivery, effects) -> {
                        effects.add("from receive " + delivery.receiveCount());
                        delivery.onLost(told.reasons::add);
                        timing.sleep(Duration.ofSeconds(20));
                        if (delivery.receiveCount() == 1 && !freeze.isZero()) {
                          assertThat(delivery.isHeld()).isFalse();
                          assertThatThrownBy(delivery::checkHeld).isInstanceOf(LeaseLostException.class);
                          told.checks++;
                        }
                      })
                  .start();
          timing.await("the handler", () -> trail.count(HandlerStarted.class) == 1, LONG);
          timing.advance(Duration.ofSeconds(2));
          if (!freeze.isZero()) {
            machine.freeze(freeze);
          }
          timing.await("the queue is empty", queue::isEmpty, LONG);
          worker.close();
          Invariants.check(trail, 64, queue);
          assertThat(gate.effects).hasSize(1);
          judge.judge(queue, trail, id, told);
        });
  }

  /** Looks at how a run ended. */
  private interface Judge {
    void judge(SimulatedQueue queue, Trail trail, String id, Told told);
  }

  private static void assertTold(SimulatedQueue queue, Trail trail, String id, Told told) {
    assertThat(told.reasons).containsExactly(LossReason.EXPIRED);
    assertThat(told.checks).isEqualTo(1);
    assertThat(trail.of(LeaseLost.class)).extracting(LeaseLost::reason).containsExactly(LossReason.EXPIRED);
    assertThat(trail.of(ClockGap.class)).isNotEmpty();
    // No extension and no release with the lapsed receipt.
    assertThat(queue.calls(CallKind.RELEASE)).isEmpty();
    assertThat(extensionsOfTheFirstReceive(queue, id)).isZero();
  }

  private static long extensionsOfTheFirstReceive(SimulatedQueue queue, String id) {
    return calls(queue, CallKind.EXTEND, id).stream()
        .flatMap(call -> call.entries().stream())
        .filter(entry -> entry.receive() == 1)
        .count();
  }

  @Seeds
  void S14_standard_queue_with_a_transactional_gate_the_work_is_committed_and_the_message_deleted(long seed) {
    MemoryGate gate = new MemoryGate(true);
    S14(
        seed,
        false,
        gate,
        Duration.ofMinutes(1),
        (queue, trail, id, told) -> {
          assertTold(queue, trail, id, told);
          assertThat(gate.effects).containsExactly("from receive 1");
          assertThat(steps(trail, id)).contains("LeaseLost", "Committed", "Deleted").doesNotContain("Failed");
          assertThat(trail.of(HandlerStarted.class)).hasSize(1);
        });
  }

  @Seeds
  void S14_standard_queue_with_a_gate_without_transactions_the_commit_is_refused(long seed) {
    refused(seed, false, new MemoryGate(false));
  }

  @Seeds
  void S14_fifo_queue_with_a_transactional_gate_the_commit_is_refused(long seed) {
    refused(seed, true, new MemoryGate(true));
  }

  @Seeds
  void S14_fifo_queue_with_a_gate_without_transactions_the_commit_is_refused(long seed) {
    refused(seed, true, new MemoryGate(false));
  }

  private static void refused(long seed, boolean fifo, MemoryGate gate) {
    S14(
        seed,
        fifo,
        gate,
        Duration.ofMinutes(1),
        (queue, trail, id, told) -> {
          assertTold(queue, trail, id, told);
          assertThat(gate.rollbacks).isEqualTo(1);
          assertThat(gate.effects).containsExactly("from receive 2");
          assertThat(trail.of(HandlerStarted.class)).hasSize(2);
        });
  }

  @ParameterizedTest(name = "seed {0}, fifo {1}, transactional {2}")
  @CsvSource({"1,false,true", "2,false,false", "3,true,true", "4,true,false"})
  void S14_without_the_standstill_nothing_is_lost(long seed, boolean fifo, boolean transactional) {
    MemoryGate gate = new MemoryGate(transactional);
    S14(
        seed,
        fifo,
        gate,
        Duration.ZERO,
        (queue, trail, id, told) -> {
          assertThat(told.reasons).isEmpty();
          assertThat(gate.effects).containsExactly("from receive 1");
          assertThat(steps(trail, id))
              .containsExactly("Received", "HandlerStarted", "HandlerReturned", "Committed", "Deleted");
        });
  }

  @Seeds
  void S14_standard_queue_without_a_gate_the_message_is_deleted_since_its_effect_has_happened(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          SimulatedMachine machine = timing.machine("frozen", Duration.ZERO);
          String id = queue.send("a");
          QueueWorker worker =
              worker(machine, queue, trail, false)
                  .handler(delivery -> timing.sleep(Duration.ofSeconds(20)))
                  .start();
          timing.await("the handler", () -> trail.count(HandlerStarted.class) == 1, LONG);
          machine.freeze(Duration.ofMinutes(1));
          timing.await("the queue is empty", queue::isEmpty, LONG);
          worker.close();
          Invariants.check(trail, 64, queue);
          assertThat(trail.of(HandlerStarted.class)).hasSize(1);
          assertThat(steps(trail, id)).contains("LeaseLost", "Committed", "Deleted");
          assertThat(queue.calls(CallKind.RELEASE)).isEmpty();
        });
  }

  @Seeds
  void S14_a_failing_handler_whose_lease_lapsed_releases_nothing_while_another_worker_has_the_message(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          SimulatedMachine frozen = timing.machine("frozen", Duration.ZERO);
          SimulatedMachine other = timing.machine("other", Duration.ofSeconds(7));
          String id = queue.send("a");
          QueueWorker first =
              worker(frozen, queue, trail, false)
                  .handler(
                      delivery -> {
                        timing.sleep(Duration.ofSeconds(20));
                        throw new IllegalStateException("not today");
                      })
                  .start();
          timing.await("the handler", () -> trail.count(HandlerStarted.class) == 1, LONG);
          frozen.freeze(Duration.ofMinutes(1));
          QueueWorker second =
              worker(other, queue, trail, false)
                  .handler(delivery -> timing.sleep(Duration.ofMinutes(2)))
                  .start();
          timing.await("the queue is empty", queue::isEmpty, LONG);
          first.close();
          second.close();
          Invariants.check(trail, 64, queue);
          assertThat(queue.calls(CallKind.RELEASE)).isEmpty();
          assertThat(calls(queue, CallKind.RECEIVE, id)).hasSize(2);
          assertThat(calls(queue, CallKind.DELETE, id)).extracting(SimulatedCall::machine).containsExactly("other");
        });
  }

  @Seeds
  void a_suspended_machine_counts_as_elapsed_time_although_its_monotonic_clock_stood_still(long seed) {
    leap(seed, (timing, machine) -> machine.suspend(Duration.ofMinutes(1)), true);
  }

  @Seeds
  void a_wall_clock_that_leaps_ahead_counts_as_elapsed_time(long seed) {
    leap(seed, (timing, machine) -> machine.leapWallClock(Duration.ofMinutes(1)), true);
  }

  @Seeds
  void a_wall_clock_that_is_set_back_or_adjusted_by_a_little_costs_no_lease(long seed) {
    leap(seed, (timing, machine) -> machine.leapWallClock(Duration.ofHours(-1)), false);
    leap(seed, (timing, machine) -> machine.leapWallClock(Duration.ofMillis(400)), false);
  }

  private static void leap(long seed, Jolt jolt, boolean costsTheLease) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          SimulatedMachine machine = timing.machine("sleeper", Duration.ZERO);
          String id = queue.send("a");
          QueueWorker worker =
              worker(machine, queue, trail, false)
                  .handler(delivery -> timing.sleep(Duration.ofSeconds(25)))
                  .start();
          timing.await("the handler", () -> trail.count(HandlerStarted.class) == 1, LONG);
          timing.advance(Duration.ofSeconds(3));
          jolt.hit(timing, machine);
          timing.await("the queue is empty", queue::isEmpty, LONG);
          worker.close();
          // The wall clock of a process may leap while the service's does not: then the message is still hidden.
          Invariants.check(trail, 64, queue);
          assertThat(trail.of(LeaseLost.class)).hasSize(costsTheLease ? 1 : 0);
          assertThat(trail.of(ClockGap.class)).hasSize(costsTheLease ? 1 : 0);
          assertThat(extensionsOfTheFirstReceive(queue, id)).isEqualTo(costsTheLease ? 0 : 1);
          assertThat(queue.calls(CallKind.RELEASE)).isEmpty();
        });
  }

  /** What happens to a machine's clocks. */
  private interface Jolt {
    void hit(SimulatedTiming timing, SimulatedMachine machine);
  }

  @Seeds
  void S18_a_batch_of_ten_with_one_permit_runs_each_once(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing).visibility(Duration.ofSeconds(3));
          Trail trail = Trail.in(timing);
          List<String> ids = queue.sendAll(Collections.nCopies(10, "a"));
          QueueWorker worker =
              worker(timing.home(), queue, trail, false)
                  .handler(delivery -> timing.sleep(Duration.ofSeconds(1)))
                  .maxConcurrency(1)
                  .start();
          timing.await("the queue is empty", queue::isEmpty, LONG);
          worker.close();
          Invariants.check(trail, 1, queue);
          assertThat(queue.entries(CallKind.RECEIVE)).isEqualTo(10);
          assertThat(queue.calls(CallKind.RECEIVE)).extracting(SimulatedCall::asked).containsOnly(1);
          for (String id : ids) {
            assertThat(steps(trail, id))
                .containsExactly("Received", "HandlerStarted", "HandlerReturned", "Committed", "Deleted");
          }
        });
  }

  @Seeds
  void S18_a_message_whose_lease_lapsed_before_its_handler_could_start_is_not_started(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          SimulatedMachine machine = timing.machine("frozen", Duration.ZERO);
          QueueWorker worker = worker(machine, queue, trail, false).handler(delivery -> {}).start();
          timing.advance(Duration.ofSeconds(1));
          machine.freeze(Duration.ofSeconds(32));
          String id = queue.send("a"); // the long poll under way brings it to a process that stands still
          timing.await("the queue is empty", queue::isEmpty, LONG);
          worker.close();
          Invariants.check(trail, 64, queue);
          assertThat(trail.of(Received.class, id).get(0).leaseLeft()).isZero();
          assertThat(trail.of(NotStarted.class, id)).extracting(NotStarted::reason).containsExactly(LossReason.EXPIRED);
          assertThat(steps(trail, id).subList(0, 3)).doesNotContain("HandlerStarted");
          assertThat(trail.of(HandlerStarted.class, id))
              .extracting(HandlerStarted::receiveCount)
              .containsExactly(2);
          assertThat(worker.health().inFlight()).isZero();
          assertThat(queue.calls(CallKind.RELEASE)).isEmpty();
        });
  }

  @Seeds
  void a_message_that_came_while_the_process_stood_still_counts_from_the_start_of_the_gap(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          SimulatedMachine machine = timing.machine("frozen", Duration.ZERO);
          QueueWorker worker =
              worker(machine, queue, trail, false)
                  .handler(delivery -> timing.sleep(Duration.ofMinutes(1)))
                  .start();
          timing.advance(Duration.ofSeconds(5));
          machine.freeze(Duration.ofSeconds(12));
          timing.advance(Duration.ofSeconds(2));
          String id = queue.send("a");
          timing.await("the queue is empty", queue::isEmpty, LONG);
          worker.close();
          Invariants.check(trail, 64, queue);
          // 30 s less 2 s of margin less the 12 s since the last sign of life, up to one tick more.
          assertThat(trail.of(Received.class, id)).singleElement().satisfies(
              received -> assertThat(received.leaseLeft())
                  .isBetween(Duration.ofMillis(15_700), Duration.ofSeconds(16)));
          assertThat(trail.of(LeaseLost.class)).isEmpty();
          assertThat(queue.deleted()).containsExactly(id);
        });
  }

  @Seeds
  void a_message_that_came_while_the_machine_slept_is_not_started_after_the_wake(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          SimulatedMachine machine = timing.machine("sleeper", Duration.ZERO);
          QueueWorker worker =
              worker(machine, queue, trail, false)
                  .handler(delivery -> timing.sleep(Duration.ofSeconds(10)))
                  .start();
          timing.advance(Duration.ofSeconds(5));
          machine.suspend(Duration.ofSeconds(40));
          String id = queue.send("a");
          timing.await("the queue is empty", queue::isEmpty, LONG);
          worker.close();
          Invariants.check(trail, 64, queue);
          assertThat(trail.of(HandlerStarted.class, id))
              .extracting(HandlerStarted::receiveCount)
              .containsExactly(2);
        });
  }

  @Seeds
  void a_release_that_the_process_could_not_send_in_time_is_not_sent_at_all(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          SimulatedMachine machine = timing.machine("frozen", Duration.ZERO);
          String id = queue.send("a");
          QueueWorker worker =
              worker(machine, queue, trail, false)
                  .handler(
                      delivery -> {
                        if (delivery.receiveCount() == 1) {
                          throw new IllegalStateException("not today");
                        }
                      })
                  .failurePolicy(
                      failure -> {
                        machine.freeze(Duration.ofMinutes(1));
                        return FailureAction.retryAfter(Duration.ZERO);
                      })
                  .start();
          timing.await("the queue is empty", queue::isEmpty, LONG);
          worker.close();
          Invariants.check(trail, 64, queue);
          assertThat(queue.calls(CallKind.RELEASE)).isEmpty();
          assertThat(steps(trail, id)).contains("LeaseLost", "Deleted");
        });
  }
}
