package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.PauseReason;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.DeleteFailed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Paused;
import io.queueworker.observe.WorkerEvent.PermissionDenied;
import io.queueworker.observe.WorkerEvent.PermissionRestored;
import io.queueworker.observe.WorkerEvent.Resumed;
import io.queueworker.observe.WorkerEvent.Suppressed;
import io.queueworker.queue.EntryResult;
import io.queueworker.queue.QueueException;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Deletes that fail: for some entries, for a while, for want of a permission, or without an answer. */
class DeletesTest {

  private static Fault denied(String action) {
    return Fault.fail(QueueException.denied(action, "403 AccessDenied", null));
  }

  private static Fault failing(Set<String> ids) {
    return Fault
        .entries(id -> ids.contains(id) ? Optional.of(new EntryResult.Retryable("InternalError")) : Optional.empty());
  }

  @Seeds
  void S45_a_batch_that_is_rejected_twice_does_not_hold_up_newer_deletes(long seed) {
    Rig.run(
        seed,
        rig -> {
          List<String> ids = rig.send(25);
          Set<String> first = Set.copyOf(ids.subList(0, 10));
          int[] rejections = new int[1];
          rig.queue.onCall(
              CallKind.DELETE,
              call -> {
                boolean reject = rejections[0] < 2 && call.messageIds().stream().anyMatch(first::contains);
                rejections[0] += reject ? 1 : 0;
                return reject ? Fault.throttled() : Fault.none();
              });
          QueueWorker worker = rig.worker().handler(delivery -> {}).start();
          rig.awaitEmpty();
          assertThat(rejections[0]).isEqualTo(2);
          List<String> deleted = rig.queue.deleted();
          assertThat(deleted).containsExactlyInAnyOrderElementsOf(ids);
          assertThat(first).containsAll(deleted.subList(15, 25));
          assertThat(rig.trail.of(DeleteFailed.class)).hasSizeBetween(11, 20);
          worker.close();
          assertThat(rig.trail.count(Deleted.class)).isEqualTo(25);
          rig.checkRules();
        });
  }

  @Seeds
  void S46_two_entries_that_failed_are_sent_again_in_one_call_of_their_own(long seed) {
    Rig.run(
        seed,
        rig -> {
          List<String> ids = rig.send(10);
          rig.queue.nextCall(CallKind.DELETE, failing(Set.of(ids.get(2), ids.get(5))));
          QueueWorker worker = rig.worker().handler(delivery -> {}).start();
          rig.awaitEmpty();
          assertThat(rig.queue.calls(CallKind.DELETE)).hasSize(2);
          assertThat(rig.queue.calls(CallKind.DELETE).get(1).messageIds())
              .containsExactlyInAnyOrder(ids.get(2), ids.get(5));
          assertThat(rig.trail.of(DeleteFailed.class)).extracting(DeleteFailed::messageId)
              .containsExactlyInAnyOrder(ids.get(2), ids.get(5));
          worker.close();
          assertThat(rig.trail.of(Deleted.class)).hasSize(10);
          rig.checkRules();
        });
  }

  @Seeds
  void an_entry_whose_receipt_is_refused_is_given_up_alone(long seed) {
    Rig.run(
        seed,
        rig -> {
          List<String> ids = rig.send(10);
          rig.queue.nextCall(
              CallKind.DELETE,
              Fault.entries(
                  id -> id.equals(ids.get(4))
                      ? Optional.of(new EntryResult.Lost("ReceiptHandleIsInvalid"))
                      : Optional.empty()));
          QueueWorker worker = rig.worker().handler(delivery -> {}).start();
          rig.awaitEmpty();
          // It came again, was known as completed, and was deleted with its new receipt.
          assertThat(Specs.steps(rig.trail, ids.get(4)))
              .containsExactly("Received", "HandlerStarted", "HandlerReturned", "Committed", "DeleteFailed", "Received",
                  "Suppressed");
          assertThat(rig.trail.count(HandlerStarted.class)).isEqualTo(10);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void S48_a_denied_delete_is_seen_and_pauses_receiving_until_it_is_allowed(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.onCall(CallKind.DELETE, call -> denied("sqs:DeleteMessage"));
          rig.send(3);
          QueueWorker worker = rig.worker().handler(delivery -> {}).start();
          rig.awaitCount(Paused.class, 1);
          assertThat(worker.health().denied()).containsExactly("sqs:DeleteMessage");
          assertThat(worker.health().pauses().get(PauseReason.PERMISSION_DENIED)).contains("sqs:DeleteMessage");
          assertThat(rig.trail.of(PermissionDenied.class)).containsExactly(new PermissionDenied("sqs:DeleteMessage"));
          rig.timing.advance(Duration.ofSeconds(19));
          int receives = rig.queue.calls(CallKind.RECEIVE).size();
          rig.send(500);
          rig.timing.advance(Duration.ofSeconds(9));
          assertThat(rig.queue.calls(CallKind.RECEIVE)).hasSizeLessThanOrEqualTo(receives + 1);
          rig.timing.advance(Duration.ofMinutes(4));
          // Probes go through from time to time, and each is stopped by its first denial.
          assertThat(rig.trail.count(Paused.class)).isBetween(2, 5);
          rig.queue.onCall(CallKind.DELETE, call -> Fault.none());
          rig.awaitEmpty();
          assertThat(worker.health().denied()).isEmpty();
          assertThat(worker.health().pauses()).isEmpty();
          assertThat(rig.trail.of(PermissionRestored.class)).hasSize(1);
          assertThat(rig.trail.count(Resumed.class)).isEqualTo(rig.trail.count(Paused.class));
          assertThat(rig.trail.count(HandlerStarted.class)).isEqualTo(503);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void S28_credentials_that_expired_for_three_seconds_are_seen_and_survived(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(Duration.ofSeconds(10));
          QueueWorker worker =
              rig.worker()
                  .handler(delivery -> rig.timing.sleep(Duration.ofSeconds(delivery.body().equals("0") ? 30 : 5)))
                  .start();
          rig.send(30);
          rig.timing.advance(Duration.ofMillis(4_800));
          Duration until = rig.timing.elapsed().plusSeconds(3);
          for (CallKind kind : List.of(CallKind.RECEIVE, CallKind.EXTEND, CallKind.DELETE)) {
            rig.queue.onCall(
                kind, call -> rig.timing.elapsed().compareTo(until) < 0 ? denied("sqs:" + kind) : Fault.none());
          }
          rig.timing.advance(Duration.ofSeconds(2));
          assertThat(worker.health().denied()).contains("sqs:EXTEND", "sqs:DELETE");
          rig.awaitEmpty();
          rig.timing.await("all is well",
              () -> worker.health().denied().isEmpty() && worker.health().pauses().isEmpty(),
              Duration.ofSeconds(1));
          assertThat(rig.trail.count(LeaseLost.class)).isZero();
          assertThat(rig.trail.count(HandlerStarted.class)).isEqualTo(30);
          assertThat(rig.trail.of(PermissionRestored.class)).extracting(PermissionRestored::action)
              .contains("sqs:EXTEND", "sqs:DELETE");
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void S28_one_denied_extension_does_not_pause_a_worker_whose_later_messages_need_none(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(Duration.ofSeconds(10)).nextCall(CallKind.EXTEND, denied("sqs:ChangeMessageVisibility"));
          QueueWorker worker =
              rig.worker()
                  .handler(delivery -> rig.timing.sleep(Duration.ofMillis(delivery.body().equals("0") ? 5_400 : 10)))
                  .start();
          rig.send(1);
          rig.awaitCount(Paused.class, 1);
          rig.awaitEmpty();
          for (int i = 0; i < 60; i++) {
            rig.queue.send("short");
            rig.timing.advance(Duration.ofSeconds(10));
          }
          assertThat(rig.trail.of(Paused.class)).hasSize(1);
          assertThat(rig.queue.visible()).isEmpty();
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void S49_a_redelivery_of_what_was_completed_here_is_only_deleted(long seed) {
    Rig.run(
        seed,
        rig -> {
          // The answers to the first deletes are lost, and so are the requests.
          int[] lost = new int[1];
          rig.queue.visibility(Duration.ofSeconds(2)).onCall(
              CallKind.DELETE, call -> lost[0]++ < 2 ? Fault.loseRequest() : Fault.none());
          String id = rig.send(1).get(0);
          List<String> handled = new ArrayList<>();
          QueueWorker worker =
              rig.worker().heartbeat(false).handler(delivery -> handled.add(delivery.id())).start();
          rig.awaitEmpty();
          assertThat(handled).containsExactly(id);
          assertThat(rig.trail.of(Suppressed.class)).isNotEmpty();
          assertThat(rig.queue.deleted()).containsExactly(id);
          worker.close();
          assertThat(rig.trail.count(Committed.class)).isEqualTo(1);
        });
  }

  @Seeds
  void S49_a_redelivery_to_another_worker_is_deleted_by_the_gates_word_and_runs_without_one(long seed) {
    assertThat(effectsOnTwoWorkers(seed, true)).isEqualTo(1);
    assertThat(effectsOnTwoWorkers(seed, false)).as("the negative control").isEqualTo(2);
  }

  private static int effectsOnTwoWorkers(long seed, boolean gated) {
    List<String> ran = new ArrayList<>();
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(Duration.ofSeconds(10)).nextCall(CallKind.DELETE, Fault.loseRequest());
          MemoryGate gate = new MemoryGate(true);
          rig.send(1);
          QueueWorker first = oneOf(rig, gate, gated, ran);
          rig.timing.await("handled", () -> ran.size() == 1, Duration.ofSeconds(5));
          rig.timing.home();
          first.close(Duration.ofMillis(500));
          QueueWorker second = oneOf(rig, gate, gated, ran);
          rig.awaitEmpty();
          assertThat(rig.queue.deleted()).hasSize(1);
          assertThat(rig.trail.count(Suppressed.class)).isEqualTo(gated ? 1 : 0);
          second.close();
        });
    return ran.size();
  }

  private static QueueWorker oneOf(Rig rig, MemoryGate gate, boolean gated, List<String> ran) {
    var worker = rig.worker().pollWait(Duration.ofMillis(200));
    return gated
        ? worker.once(gate, delivery -> delivery.body(), (delivery, effects) -> ran.add(delivery.id())).start()
        : worker.handler(delivery -> ran.add(delivery.id())).start();
  }

  @Seeds
  void S17_a_message_that_ran_past_its_visibility_runs_once_here(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(Duration.ofSeconds(1));
          String id = rig.send(1).get(0);
          List<String> ran = new ArrayList<>();
          QueueWorker worker =
              rig.worker()
                  .heartbeat(false)
                  .handler(
                      delivery -> {
                        rig.timing.sleep(Duration.ofSeconds(2));
                        ran.add(delivery.id());
                      })
                  .start();
          rig.awaitEmpty();
          worker.close();
          assertThat(ran).containsExactly(id);
          assertThat(
              rig.queue.calls(CallKind.RECEIVE).stream().map(SimulatedCall::messageIds).filter(ids -> !ids.isEmpty()))
              .hasSizeGreaterThan(1);
          assertThat(rig.trail.count(LeaseLost.class)).isPositive();
          assertThat(rig.queue.trespasses()).isEmpty();
        });
  }
}
