package io.queueworker.spec;

import static io.queueworker.spec.Specs.steps;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.FailureAction;
import io.queueworker.KeyFunction;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.gate.Admission;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.observe.WorkerEvent.Closed;
import io.queueworker.observe.WorkerEvent.CutShort;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.ExtendSent;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedMachine;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import io.queueworker.timing.Timing.ThreadKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that stands still between two steps of one message; chaos seeds found these. */
class StandstillsTest {

  private static final Duration LONG = Duration.ofMinutes(30);

  private static WorkerBuilder<String> worker(SimulatedMachine machine, SimulatedQueue queue, Trail trail) {
    return QueueWorker.of(queue.connect(machine)).inlineListener(trail).timing(machine);
  }

  /** A gate that can tell nothing, and at which the machine stands still for a minute. */
  private record StandstillAtGate(SimulatedMachine machine) implements IdempotencyGate<String> {

    @Override
    public void open() {}

    @Override
    public boolean transactional() {
      return false;
    }

    @Override
    public Admission<String> admit(GateKey key, AttemptInfo attempt) {
      if (attempt.receiveCount() == 1) {
        machine.freeze(Duration.ofMinutes(1));
      }
      return new Admission.Uncertain<>("nobody knows");
    }
  }

  @Seeds
  void a_message_that_was_lost_at_the_gate_is_not_also_rejected(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").maxReceiveCount(2);
          Trail trail = Trail.in(timing);
          SimulatedMachine machine = timing.machine("frozen", Duration.ZERO);
          String id = queue.send("a");
          QueueWorker worker =
              worker(machine, queue, trail)
                  .once(new StandstillAtGate(machine), KeyFunction.messageId(), (delivery, nothing) -> {})
                  .start();
          timing.await("the dead letter", () -> queue.deadLetters().size() == 1, LONG);
          worker.close();
          Invariants.check(trail, 64, queue);
          assertThat(trail.of(LeaseLost.class, id)).hasSize(1);
          assertThat(steps(trail, id)).endsWith("Received", "EffectUncertain", "Rejected", "Deleted")
              .containsOnlyOnce("Rejected");
          assertThat(worker.health().inFlight()).isZero();
        });
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void no_beat_follows_a_delete_that_was_told_of(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders");
          Trail trail = Trail.in(timing);
          SimulatedMachine machine = timing.machine("frozen", Duration.ZERO);
          String id = queue.send("a");
          QueueWorker worker =
              worker(machine, queue, trail)
                  .handler(delivery -> timing.sleep(Duration.ofSeconds(14)))
                  .inlineListener(
                      (context, event) -> {
                        if (event instanceof Deleted) {
                          // Past the beat that is due at 15 s, and within the lease.
                          machine.freeze(Duration.ofSeconds(5));
                        }
                      })
                  .start();
          timing.await("the delete", () -> trail.count(Deleted.class) == 1, LONG);
          timing.advance(Duration.ofMinutes(1));
          worker.close();
          Invariants.check(trail, 64, queue);
          assertThat(queue.deleted()).containsExactly(id);
          assertThat(trail.of(ExtendSent.class, id)).isEmpty();
        });
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void nothing_is_sent_once_the_queue_is_closed(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders");
          Trail trail = Trail.in(timing);
          SimulatedMachine machine = timing.machine("frozen", Duration.ZERO);
          queue.sendAll(List.of("a", "b"));
          QueueWorker worker =
              worker(machine, queue, trail)
                  .handler(delivery -> timing.sleep(Duration.ofHours(1)))
                  .inlineListener(
                      (context, event) -> {
                        if (event instanceof CutShort) {
                          // Past the end of the close, with the releases just about to be sent.
                          machine.freeze(Duration.ofSeconds(7));
                        }
                      })
                  .start();
          timing.await("the handlers", () -> trail.count(HandlerStarted.class) == 2, LONG);
          machine.start(ThreadKind.PLATFORM, "closer", () -> worker.close(Duration.ofSeconds(6)));
          timing.await("the close", () -> trail.count(Closed.class) == 1, LONG);
          timing.advance(Duration.ofMinutes(1));
          assertThat(queue.violations()).isEmpty();
          assertThat(trail.of(InternalError.class)).isEmpty();
          assertThat(trail.of(CutShort.class)).isNotEmpty();
        });
  }

  /** A late receive brings a message whose handler, without its lease, still runs here: it is not released beside it. */
  @Seeds
  void a_late_receive_does_not_release_a_message_beside_its_handler(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").visibility(Duration.ofSeconds(10));
          Trail trail = Trail.in(timing);
          SimulatedMachine machine = timing.machine("frozen", Duration.ZERO);
          String id = queue.send("a");
          QueueWorker worker =
              worker(machine, queue, trail)
                  .handler(delivery -> timing.sleep(Duration.ofSeconds(30)))
                  .heartbeat(false)
                  .start();
          timing.await("the handler", () -> trail.count(HandlerStarted.class) == 1, LONG);
          timing.advance(Duration.ofSeconds(2));
          worker.close(Duration.ofSeconds(60));
          assertThat(trail.of(Received.class, id)).hasSize(2);
          assertThat(queue.calls(CallKind.RELEASE)).isEmpty();
          assertThat(steps(trail, id)).contains("LeaseLost", "LeftForRedrive", "Committed", "Deleted");
          Invariants.check(trail, 64, queue);
        });
  }

  @Seeds
  void a_failed_message_is_not_released_while_a_second_receive_of_it_is_worked_on(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders");
          queue.settings().duplicates(1);
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          QueueWorker worker =
              worker(timing.home(), queue, trail)
                  .failurePolicy(failure -> FailureAction.retryAfter(Duration.ofSeconds(5)))
                  .handler(
                      delivery -> {
                        if (delivery.receiveCount() == 1) {
                          timing.await("a second receive", () -> trail.count(Received.class) == 2, LONG);
                          throw new IllegalStateException("not today");
                        }
                        queue.settings().duplicates(0);
                        timing.sleep(Duration.ofSeconds(8));
                      })
                  .start();
          timing.await("the queue is empty", queue::isEmpty, LONG);
          worker.close();
          assertThat(trail.of(HandlerStarted.class, id)).extracting(HandlerStarted::receiveCount).containsExactly(1, 2);
          assertThat(queue.calls(CallKind.RELEASE)).isEmpty();
          assertThat(queue.trespasses()).isEmpty();
          Invariants.check(trail, 64, queue);
        });
  }
}
