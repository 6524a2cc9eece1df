package io.queueworker.spec;

import static io.queueworker.spec.Specs.calls;
import static io.queueworker.spec.Specs.steps;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.FailureAction;
import io.queueworker.MessageHandler;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.DeleteFailed;
import io.queueworker.observe.WorkerEvent.ExtendSent;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.queue.EntryResult;
import io.queueworker.spec.Specs.Connection;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedCall;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** Leases on a service whose extensions replace the receipt, and which knows neither batches of them nor a delay of zero. */
class ReplacedReceiptsTest {

  private static final Duration LONG = Duration.ofMinutes(10);

  private static WorkerBuilder<String> worker(
      SimulatedTiming timing, Connection queue, Trail trail, MessageHandler<String> handler) {
    return QueueWorker.of(queue)
        .handler(handler)
        .drainTimeout(Duration.ofSeconds(40))
        .inlineListener(trail)
        .timing(timing);
  }

  private static void finish(
      SimulatedTiming timing, SimulatedQueue queue, Connection connection, Trail trail, QueueWorker worker) {
    timing.await("the queue is empty", queue::isEmpty, Duration.ofHours(2));
    worker.close();
    Invariants.check(trail, 64, queue);
    assertThat(connection.overlaps).isEmpty();
  }

  private static boolean allDone(List<SimulatedCall> calls) {
    return calls.stream()
        .flatMap(call -> call.entries().stream())
        .allMatch(entry -> entry.result().orElseThrow() instanceof EntryResult.Done);
  }

  @Seeds
  void long_handlers_are_kept_by_single_beats_and_deleted_with_the_newest_receipt(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.smqLike(timing, "orders").maxReceiveCount(5);
          Trail trail = Trail.in(timing);
          Connection connection = new Connection(queue.connect(), false);
          List<String> ids = queue.sendAll(Collections.nCopies(20, "a"));
          QueueWorker worker =
              worker(
                  timing,
                  connection,
                  trail,
                  delivery -> timing.sleep(Duration.ofMillis(60_000 + (long) (timing.random() * 60_000))))
                  .start();
          finish(timing, queue, connection, trail, worker);
          assertThat(queue.calls(CallKind.EXTEND)).allMatch(call -> call.asked() == 1);
          assertThat(allDone(queue.calls(CallKind.EXTEND))).isTrue();
          assertThat(allDone(queue.calls(CallKind.DELETE))).isTrue();
          for (String id : ids) {
            assertThat(calls(queue, CallKind.EXTEND, id)).hasSizeBetween(3, 8);
            assertThat(steps(trail, id))
                .containsExactly("Received", "HandlerStarted", "HandlerReturned", "Committed", "Deleted");
          }
        });
  }

  @Seeds
  void a_delete_waits_for_the_beat_that_is_under_way_and_uses_what_it_brings(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.smqLike(timing, "orders").maxReceiveCount(5);
          Trail trail = Trail.in(timing);
          Connection connection = new Connection(queue.connect(), false);
          queue.nextCall(CallKind.EXTEND, Fault.delayReply(Duration.ofSeconds(2)));
          String id = queue.send("a");
          QueueWorker worker =
              worker(
                  timing,
                  connection,
                  trail,
                  delivery -> timing.await("a beat is sent", () -> trail.count(ExtendSent.class) == 1, LONG))
                  .start();
          finish(timing, queue, connection, trail, worker);
          assertThat(calls(queue, CallKind.DELETE, id)).hasSize(1);
          assertThat(allDone(queue.calls(CallKind.DELETE))).isTrue();
          assertThat(trail.of(DeleteFailed.class)).isEmpty();
          assertThat(trail.of(LeaseLost.class)).isEmpty();
        });
  }

  @Seeds
  void a_delete_that_has_to_be_repeated_is_kept_under_beats_and_never_beside_one(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.smqLike(timing, "orders").maxReceiveCount(5);
          Trail trail = Trail.in(timing);
          Connection connection = new Connection(queue.connect(), false);
          queue.onCall(
              CallKind.DELETE,
              call -> call.sentAt().compareTo(Duration.ofSeconds(100)) < 0 ? Fault.unavailable() : Fault.none());
          queue.sendAll(Collections.nCopies(5, "a"));
          QueueWorker worker =
              worker(timing, connection, trail, delivery -> timing.sleep(Duration.ofSeconds(5))).start();
          finish(timing, queue, connection, trail, worker);
          assertThat(trail.of(HandlerStarted.class)).hasSize(5);
          assertThat(trail.of(DeleteFailed.class)).isNotEmpty().allMatch(failed -> failed.retryIn().isPresent());
          assertThat(queue.entries(CallKind.RECEIVE)).isEqualTo(5);
        });
  }

  @Seeds
  void a_release_without_delay_becomes_the_shortest_that_the_service_knows(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.smqLike(timing, "orders").maxReceiveCount(5);
          Trail trail = Trail.in(timing);
          Connection connection = new Connection(queue.connect(), false);
          String id = queue.send("a");
          QueueWorker worker =
              worker(
                  timing,
                  connection,
                  trail,
                  delivery -> {
                    timing.sleep(Duration.ofSeconds(50));
                    if (delivery.receiveCount() == 1) {
                      throw new IllegalStateException("not today");
                    }
                  })
                  .failurePolicy(failure -> FailureAction.retryAfter(Duration.ZERO))
                  .start();
          finish(timing, queue, connection, trail, worker);
          assertThat(queue.calls(CallKind.RELEASE))
              .singleElement()
              .satisfies(
                  call -> assertThat(call.entries().get(0).visibility()).isEqualTo(Duration.ofSeconds(1)));
          assertThat(allDone(queue.calls(CallKind.RELEASE))).isTrue();
          assertThat(trail.of(HandlerStarted.class, id)).hasSize(2);
        });
  }

  @Seeds
  void a_beat_whose_answer_is_lost_takes_the_receipt_with_it_and_so_the_lease(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.smqLike(timing, "orders").maxReceiveCount(5);
          Trail trail = Trail.in(timing);
          Connection connection = new Connection(queue.connect(), false);
          queue.nextCall(CallKind.EXTEND, Fault.loseReply());
          String id = queue.send("a");
          QueueWorker worker =
              worker(timing, connection, trail, delivery -> timing.sleep(Duration.ofSeconds(35))).start();
          timing.await("the queue is empty", queue::isEmpty, LONG);
          worker.close();
          assertThat(trail.of(LeaseLost.class)).hasSize(1);
          assertThat(connection.overlaps).isEmpty();
          assertThat(queue.violations()).isEmpty();
          // The handler returned all the same, and its redelivery is only deleted.
          assertThat(trail.of(HandlerStarted.class, id)).hasSize(1);
          assertThat(steps(trail, id)).contains("Suppressed", "Deleted");
        });
  }

  @Seeds
  void a_beat_that_fell_due_during_a_delete_that_failed_is_made_up_for(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.smqLike(timing, "orders").maxReceiveCount(5);
          Trail trail = Trail.in(timing);
          Connection connection = new Connection(queue.connect(), false);
          // The delete is under way from the fourteenth to the seventeenth second; the beat is due at the fifteenth.
          queue.onCall(
              CallKind.DELETE,
              call -> call.sentAt().compareTo(Duration.ofSeconds(100)) < 0 ? Fault.loseRequest() : Fault.none());
          queue.send("a");
          QueueWorker worker =
              worker(timing, connection, trail, delivery -> timing.sleep(Duration.ofSeconds(14))).start();
          finish(timing, queue, connection, trail, worker);
          assertThat(queue.entries(CallKind.RECEIVE)).as("nobody else got it").isEqualTo(1);
        });
  }
}
