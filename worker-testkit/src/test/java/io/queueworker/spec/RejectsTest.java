package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.queueworker.FailurePolicy;
import io.queueworker.KeyFunction;
import io.queueworker.QueueWorker;
import io.queueworker.RejectException;
import io.queueworker.RetryLaterException;
import io.queueworker.WorkerBuilder;
import io.queueworker.gate.LeasedGate;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.EffectUncertain;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeftForRedrive;
import io.queueworker.observe.WorkerEvent.PermissionDenied;
import io.queueworker.observe.WorkerEvent.PermissionRestored;
import io.queueworker.observe.WorkerEvent.RejectFailed;
import io.queueworker.observe.WorkerEvent.Rejected;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.patched.PatchedCore;
import io.queueworker.queue.MessageAttribute;
import io.queueworker.queue.RejectAttributes;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.engine.NewMessage;
import io.queueworker.testkit.engine.QueuedMessage;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedMachine;
import io.queueworker.testkit.simulation.SimulatedMessage;
import io.queueworker.testkit.simulation.SimulatedQueue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** A rejected message goes to the dead-letter queue, and only then is it deleted. */
class RejectsTest {

  private static final String CALLS = "io.queueworker.settle.RejectCalls";
  private static final String COPY = "io.queueworker.settle.RejectedCopy";
  private static final String SETTLE_CALLS = "io.queueworker.settle.SettleCalls";
  private static final Duration SOON = Duration.ofSeconds(10);

  private static WorkerBuilder<String> rejecting(Rig rig) {
    return rejecting(rig, rig.queue);
  }

  private static WorkerBuilder<String> rejecting(Rig rig, SimulatedQueue queue) {
    return rig.on(queue)
        .handler(
            delivery -> {
              if (delivery.body().startsWith("poison")) {
                throw new RejectException("no such customer");
              }
            });
  }

  private static SimulatedQueue dead(Rig rig) {
    return rig.queue.deadLetterQueue().orElseThrow();
  }

  private static void awaitDead(Rig rig, int messages) {
    rig.timing.await(messages + " dead letters", () -> rig.queue.deadLetters().size() >= messages, Duration.ofHours(1));
  }

  private static List<Class<?>> course(Rig rig, String id) {
    List<Class<?>> kinds = new ArrayList<>();
    rig.trail.of(id).forEach(event -> kinds.add(event.getClass()));
    return kinds;
  }

  @Seeds
  void a_rejected_message_is_on_the_dead_letter_queue_with_its_story_and_is_then_deleted(long seed) {
    Rig.run(
        seed,
        rig -> {
          Map<String, MessageAttribute> own =
              Map.of(
                  "tenant", MessageAttribute.text("acme"), "size", new MessageAttribute("Number.int", "12"),
                  "raw", new MessageAttribute("Binary", "AP8K"));
          String id =
              rig.queue.send(
                  new NewMessage(
                      "poison", own, Optional.of("tenant-1"), Optional.empty(), Optional.empty(),
                      Optional.of("Root=1-2-3")))
                  .id();
          QueueWorker worker = rejecting(rig).workerId("w-1").start();
          rig.awaitEmpty();
          worker.close();

          assertThat(course(rig, id)).containsSubsequence(Failed.class, Rejected.class, Deleted.class);
          assertThat(rig.trail.of(Rejected.class))
              .containsExactly(new Rejected(id, 1, "orders-dead-letters", "no such customer"));
          QueuedMessage copy = dead(rig).stored().get(0);
          assertThat(copy.id()).isNotEqualTo(id);
          assertThat(copy.body()).isEqualTo("poison");
          assertThat(copy.group()).contains("tenant-1");
          Map<String, MessageAttribute> expected = new HashMap<>(own);
          expected.put(RejectAttributes.ORIGINAL_MESSAGE_ID, MessageAttribute.text(id));
          expected.put(RejectAttributes.SOURCE_QUEUE, MessageAttribute.text("orders"));
          expected.put(RejectAttributes.REASON, MessageAttribute.text("no such customer"));
          expected.put(RejectAttributes.EXCEPTION, MessageAttribute.text(RejectException.class.getName()));
          expected.put(RejectAttributes.RECEIVE_COUNT, new MessageAttribute("Number", "1"));
          expected.put(RejectAttributes.WORKER, MessageAttribute.text("w-1"));
          assertThat(copy.attributes()).isEqualTo(expected);
          assertThat(rig.queue.deleted()).containsExactly(id);
          rig.checkRules();
        });
  }

  @Seeds
  void on_a_fifo_queue_the_group_stays_and_the_message_id_is_the_deduplication_id(long seed) {
    Rig.run(
        seed,
        rig -> {
          SimulatedQueue fifo = SimulatedQueue.fifo(rig.timing, "orders.fifo").maxReceiveCount(5);
          String id = fifo.send("poison", "group-1", "producer-1");
          QueueWorker worker = rejecting(rig, fifo).maxConcurrency(1).start();
          rig.timing.await("it is rejected", fifo::isEmpty, Duration.ofHours(1));
          worker.close();

          SimulatedQueue dead = fifo.deadLetterQueue().orElseThrow();
          QueuedMessage copy = dead.stored().get(0);
          assertThat(copy.group()).contains("group-1");
          assertThat(copy.attributes())
              .containsEntry(RejectAttributes.DEDUPLICATION_ID, MessageAttribute.text("producer-1"))
              .containsEntry(RejectAttributes.ORIGINAL_MESSAGE_ID, MessageAttribute.text(id));
          assertThat(dead.send("again", "group-1", id)).isEqualTo(copy.id());
        });
  }

  @Seeds
  void nothing_is_deleted_while_the_dead_letter_queue_does_not_take_it_and_beats_go_on(long seed) {
    Rig.run(
        seed,
        rig -> {
          dead(rig).onCall(
              CallKind.SEND,
              call -> call.sentAt().compareTo(Duration.ofMinutes(3)) < 0 ? Fault.unavailable() : Fault.none());
          String id = rig.queue.send("poison");
          QueueWorker worker = rejecting(rig).start();
          rig.timing.advance(Duration.ofMinutes(2));
          assertThat(rig.queue.calls(CallKind.DELETE)).isEmpty();
          assertThat(rig.queue.inFlight()).extracting(SimulatedMessage::id).containsExactly(id);
          assertThat(worker.health().inFlight()).isEqualTo(1);
          rig.awaitEmpty();
          worker.close();

          assertThat(rig.trail.count(HandlerStarted.class)).isEqualTo(1);
          assertThat(rig.queue.entries(CallKind.EXTEND)).isGreaterThan(3);
          assertThat(rig.trail.of(RejectFailed.class)).hasSizeGreaterThan(4)
              .allSatisfy(failed -> assertThat(failed.retryIn()).isPresent());
          assertThat(rig.queue.deadLetters()).hasSize(1);
          rig.checkRules();
        });
  }

  @Seeds
  void a_lost_reply_of_the_send_is_sent_again_and_nothing_is_lost(long seed) {
    Rig.run(
        seed,
        rig -> {
          dead(rig).nextCall(CallKind.SEND, Fault.loseReply());
          String id = rig.queue.send("poison");
          QueueWorker worker = rejecting(rig).start();
          rig.awaitEmpty();
          worker.close();
          // A standard queue cannot tell that the second is the first.
          assertThat(rig.queue.deadLetters())
              .hasSize(2)
              .allSatisfy(
                  copy -> assertThat(copy.attributes()).containsEntry(RejectAttributes.ORIGINAL_MESSAGE_ID, id));
          assertThat(rig.queue.deleted()).containsExactly(id);
          rig.checkRules();
        });
  }

  @Seeds
  void a_lost_reply_of_the_send_leaves_one_copy_on_a_fifo_queue(long seed) {
    Rig.run(
        seed,
        rig -> {
          SimulatedQueue fifo = SimulatedQueue.fifo(rig.timing, "orders.fifo").maxReceiveCount(5);
          fifo.deadLetterQueue().orElseThrow().nextCall(CallKind.SEND, Fault.loseReply());
          fifo.send("poison", "group-1", "producer-1");
          QueueWorker worker = rejecting(rig, fifo).maxConcurrency(1).start();
          rig.timing.await("it is rejected", fifo::isEmpty, Duration.ofHours(1));
          worker.close();
          assertThat(fifo.deadLetters()).hasSize(1);
        });
  }

  @Seeds
  void a_death_between_send_and_delete_loses_nothing(long seed) {
    Rig.run(
        seed,
        rig -> {
          SimulatedMachine first = rig.timing.machine("first", Duration.ZERO);
          String id = rig.queue.send("poison");
          dead(rig).nextCall(CallKind.SEND, Fault.killAfterReply());
          QueueWorker.of(rig.queue.connect(first)).workerId("dies").inlineListener(rig.trail).timing(first)
              .handler(delivery -> {
                throw new RejectException("poison");
              })
              .start();
          rig.timing.await("its machine died", first::isKilled, Duration.ofHours(1));
          assertThat(rig.queue.deleted()).isEmpty();
          assertThat(rig.queue.deadLetters()).hasSize(1);

          QueueWorker second = rejecting(rig).start();
          rig.awaitEmpty();
          second.close();
          assertThat(rig.queue.deadLetters())
              .allSatisfy(
                  copy -> assertThat(copy.attributes()).containsEntry(RejectAttributes.ORIGINAL_MESSAGE_ID, id));
          rig.checkRules();
        });
  }

  @Seeds
  void without_permission_to_send_it_is_left_for_redrive_and_health_says_so(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.maxReceiveCount(3);
          dead(rig).onCall(CallKind.SEND, call -> Fault.accessDenied(CallKind.SEND));
          String id = rig.queue.send("poison");
          QueueWorker worker = rejecting(rig).start();
          awaitDead(rig, 1);

          assertThat(rig.queue.deadLetters()).extracting(SimulatedMessage::id).containsExactly(id);
          assertThat(rig.queue.deleted()).isEmpty();
          assertThat(worker.health().denied()).containsExactly("sqs:SendMessage");
          assertThat(worker.health().pauses()).isEmpty();
          assertThat(rig.trail.of(PermissionDenied.class)).containsExactly(new PermissionDenied("sqs:SendMessage"));
          assertThat(rig.trail.count(LeftForRedrive.class)).isEqualTo(3);
          assertThat(rig.trail.of(RejectFailed.class))
              .hasSize(3)
              .allSatisfy(failed -> assertThat(failed.retryIn()).isEmpty());

          dead(rig).onCall(CallKind.SEND, call -> Fault.none());
          rig.queue.send("poison 2");
          rig.awaitCount(PermissionRestored.class, 1);
          rig.awaitEmpty();
          assertThat(worker.health().denied()).isEmpty();
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void without_a_dead_letter_queue_it_is_left_and_comes_back_by_itself(long seed) {
    Rig.run(
        seed,
        rig -> {
          SimulatedQueue queue = SimulatedQueue.standard(rig.timing, "alone");
          queue.send("poison");
          QueueWorker worker =
              rig.on(queue).failurePolicy(FailurePolicy.alwaysReject()).handler(delivery -> {
                throw new IOException("broken");
              }).start();
          rig.awaitCount(HandlerStarted.class, 3);
          worker.close();
          assertThat(queue.deleted()).isEmpty();
          assertThat(rig.trail.of(RejectFailed.class))
              .allSatisfy(failed -> assertThat(failed.why()).contains("no dead-letter queue"));
          assertThat(rig.trail.of(WorkerEvent.Started.class).get(0).warnings())
              .anySatisfy(warning -> assertThat(warning).contains("rejects messages", "nowhere to send"));
        });
  }

  @Seeds
  void a_dead_letter_queue_that_is_given_later_is_found(long seed) {
    Rig.run(
        seed,
        rig -> {
          SimulatedQueue queue = SimulatedQueue.standard(rig.timing, "alone");
          queue.send("poison");
          QueueWorker worker = rejecting(rig, queue).start();
          rig.awaitCount(RejectFailed.class, 2);
          queue.maxReceiveCount(1_000);
          rig.timing.await("it is rejected", queue::isEmpty, Duration.ofHours(1));
          worker.close();
          assertThat(queue.deadLetters()).hasSize(1);
        });
  }

  @Seeds
  void a_message_with_ten_attributes_has_no_room_for_its_id_and_is_left(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.maxReceiveCount(2);
          Map<String, String> ten = new HashMap<>();
          for (int i = 0; i < 10; i++) {
            ten.put("a" + i, "v");
          }
          String id = rig.queue.send("poison", ten);
          QueueWorker worker = rejecting(rig).start();
          awaitDead(rig, 1);
          worker.close();
          assertThat(rig.queue.deadLetters()).extracting(SimulatedMessage::id).containsExactly(id);
          assertThat(dead(rig).calls(CallKind.SEND)).isEmpty();
          assertThat(rig.trail.of(RejectFailed.class))
              .allSatisfy(failed -> assertThat(failed.why()).contains("no room"));
          rig.checkRules();
        });
  }

  @Seeds
  void a_poison_message_does_not_disturb_its_neighbours(long seed) {
    Rig.run(
        seed,
        rig -> {
          dead(rig).onCall(
              CallKind.SEND,
              call -> call.sentAt().compareTo(Duration.ofMinutes(1)) < 0 ? Fault.hang(SOON) : Fault.none());
          List<String> poison = rig.queue.sendAll(List.of("poison 1", "poison 2"));
          List<String> good = rig.send(50);
          QueueWorker worker = rejecting(rig).maxConcurrency(8).start();
          rig.timing.await(
              "the neighbours are done", () -> rig.queue.deleted().containsAll(good), Duration.ofSeconds(30));
          rig.awaitEmpty();
          worker.close();
          assertThat(rig.trail.of(WorkerEvent.Received.class))
              .allSatisfy(received -> assertThat(received.receiveCount()).isEqualTo(1));
          assertThat(rig.queue.deleted()).containsAll(poison);
          rig.checkRulesFor(8);
        });
  }

  @Seeds
  void after_ten_minutes_it_is_left_for_redrive(long seed) {
    Rig.run(
        seed,
        rig -> {
          dead(rig).onCall(CallKind.SEND, call -> Fault.throttled());
          String id = rig.queue.send("poison");
          QueueWorker worker = rejecting(rig).start();
          rig.awaitCount(LeftForRedrive.class, 1);
          assertThat(rig.timing.elapsed()).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(11));
          assertThat(rig.queue.inFlight()).extracting(SimulatedMessage::id).containsExactly(id);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void a_close_waits_for_the_dead_letter_queue_within_its_budget_and_names_what_is_left(long seed) {
    Rig.run(
        seed,
        rig -> {
          dead(rig).onCall(CallKind.SEND, call -> Fault.unavailable());
          String id = rig.queue.send("poison");
          QueueWorker worker = rejecting(rig).start();
          rig.awaitCount(RejectFailed.class, 2);
          worker.close();
          assertThat(rig.trail.of(WorkerEvent.Closed.class).get(0).leftOver())
              .containsExactly("message " + id + " is rejected and not on the dead-letter queue");
          int sends = dead(rig).calls(CallKind.SEND).size();
          rig.timing.advance(Duration.ofMinutes(5));
          assertThat(dead(rig).calls(CallKind.SEND)).hasSize(sends);
          assertThat(rig.queue.visible()).hasSize(1);
          rig.checkRules();
        });
  }

  @Seeds
  void a_close_sends_what_is_rejected(long seed) {
    Rig.run(
        seed,
        rig -> {
          dead(rig).nextCall(CallKind.SEND, Fault.unavailable());
          rig.queue.send("poison");
          QueueWorker worker = rejecting(rig).start();
          rig.awaitCount(RejectFailed.class, 1);
          worker.close();
          assertThat(rig.trail.of(WorkerEvent.Closed.class).get(0).leftOver()).isEmpty();
          assertThat(rig.queue.isEmpty()).isTrue();
          rig.checkRules();
        });
  }

  @Seeds
  void the_policy_rejects_by_exception_and_by_attempt_and_the_handler_may_ask_for_a_time(long seed) {
    Rig.run(
        seed,
        rig -> {
          FailurePolicy policy =
              FailurePolicy.retryAfter(Duration.ofSeconds(3)).rejectingAfter(3).rejecting(IOException.class);
          List<String> ids = rig.queue.sendAll(List.of("by attempt", "by exception", "by wish"));
          QueueWorker worker =
              rig.worker().failurePolicy(policy).handler(
                  delivery -> {
                    switch (delivery.body()) {
                      case "by attempt" -> throw new IllegalStateException("again");
                      case "by exception" -> throw new IllegalStateException(new IOException("never"));
                      default -> {
                        if (delivery.receiveCount() == 1) {
                          throw new IllegalStateException(new RetryLaterException(Duration.ofMinutes(2)));
                        }
                      }
                    }
                  }).start();
          rig.awaitEmpty();
          worker.close();
          assertThat(rig.trail.of(Rejected.class))
              .extracting(Rejected::messageId, Rejected::receiveCount)
              .containsExactlyInAnyOrder(
                  tuple(ids.get(0), 3), tuple(ids.get(1), 1));
          assertThat(rig.trail.of(Committed.class)).extracting(Committed::messageId).containsExactly(ids.get(2));
          assertThat(rig.trail.of(Released.class))
              .filteredOn(released -> released.messageId().equals(ids.get(2)))
              .extracting(Released::delay)
              .containsExactly(Duration.ofMinutes(2));
          rig.checkRules();
        });
  }

  @Seeds
  void a_decoder_may_reject_and_its_exceptions_message_stays_out_of_the_reason(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.send("poison secret");
          QueueWorker worker =
              rig.worker()
                  .failurePolicy(FailurePolicy.alwaysReject())
                  .decode(body -> {
                    throw new IllegalArgumentException("cannot read: " + body);
                  })
                  .handler(delivery -> {}).start();
          rig.awaitEmpty();
          worker.close();
          assertThat(rig.trail.of(Rejected.class).get(0).reason())
              .isEqualTo("the body could not be decoded: java.lang.IllegalArgumentException");
          rig.checkRules();
        });
  }

  @Seeds
  void a_message_that_comes_back_from_the_dead_letter_queue_keeps_its_key(long seed) {
    Rig.run(
        seed,
        rig -> {
          MemoryGate gate = new MemoryGate(true);
          // The effect was committed once, and the rejected duplicate of the message comes back by a redrive.
          rig.queue.send("first");
          WorkerBuilder<String> builder =
              rig.worker().once(gate, KeyFunction.messageId(), (delivery, effects) -> effects.add(delivery.body()));
          QueueWorker worker = builder.start();
          rig.awaitEmpty();
          String id = rig.trail.of(Committed.class).get(0).messageId();
          rig.queue.send("first", Map.of(RejectAttributes.ORIGINAL_MESSAGE_ID, id));
          rig.awaitCount(WorkerEvent.Suppressed.class, 1);
          rig.awaitEmpty();
          worker.close();
          assertThat(gate.effects).containsExactly("first");
          rig.checkRules();
        });
  }

  @Seeds
  void a_second_reject_keeps_the_first_id_and_tells_the_new_reason(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.send(
              "poison",
              Map.of(
                  RejectAttributes.ORIGINAL_MESSAGE_ID, "the-first", RejectAttributes.REASON, "old",
                  RejectAttributes.WORKER, "old", "own", "kept"));
          QueueWorker worker = rejecting(rig).workerId("w-2").start();
          rig.awaitEmpty();
          worker.close();
          assertThat(rig.queue.deadLetters().get(0).attributes())
              .containsEntry(RejectAttributes.ORIGINAL_MESSAGE_ID, "the-first")
              .containsEntry(RejectAttributes.REASON, "no such customer")
              .containsEntry(RejectAttributes.WORKER, "w-2")
              .containsEntry("own", "kept");
          rig.checkRules();
        });
  }

  @Seeds
  void an_uncertain_effect_is_rejected_without_running(long seed) {
    Rig.run(
        seed,
        rig -> {
          LeasedGate gate = LeasedGate.inMemory(rig.timing).outsideRemembers(Duration.ZERO);
          List<Integer> runs = new ArrayList<>();
          rig.queue.send("charge");
          QueueWorker worker =
              rig.worker()
                  .failurePolicy(FailurePolicy.retryAfter(Duration.ofMinutes(2)))
                  .once(
                      gate, KeyFunction.messageId(),
                      (delivery, fenced) -> {
                        runs.add(delivery.receiveCount());
                        throw new IOException("no answer");
                      })
                  .start();
          rig.awaitEmpty();
          worker.close();
          assertThat(runs).containsExactly(1);
          assertThat(rig.trail.count(EffectUncertain.class)).isEqualTo(1);
          assertThat(rig.queue.deadLetters().get(0).attributes().get(RejectAttributes.REASON))
              .startsWith("it is uncertain whether its effect happened");
          rig.checkRules();
        });
  }

  private static String play(String scene, long seed) {
    return new RejectScenes().apply(scene, seed);
  }

  @SuppressWarnings("unchecked")
  private static String played(PatchedCore core, String scene) {
    return (String) core.create(RejectScenes.class, BiFunction.class).apply(scene, 1L);
  }

  @Seeds
  void while_the_dead_letter_queue_is_away_nothing_is_deleted(long seed) {
    assertThat(play("the dead-letter queue is away", seed)).isEqualTo("dead letters 0, deleted 0");
  }

  @Test
  void control_a_delete_whatever_the_send_came_to_loses_the_message() {
    PatchedCore careless =
        PatchedCore.with(
            CALLS, "yield tryAgain(message, retryable.reason());", "yield taken(message, queue.name());");
    assertThat(played(careless, "the dead-letter queue is away")).isEqualTo("dead letters 0, deleted 1");
  }

  @Seeds
  void after_a_loss_nothing_is_sent(long seed) {
    assertThat(play("lost before the send", seed)).isEqualTo("sent 0");
  }

  @Test
  void control_a_worker_that_does_not_look_at_its_lease_sends_after_the_loss() {
    PatchedCore blind =
        PatchedCore.with(CALLS, "return lease.isHeld(now);", "return true;")
            .and(CALLS, "left.compareTo(timeout) < 0 ? left : timeout", "timeout");
    assertThat(played(blind, "lost before the send")).isEqualTo("sent 1");
  }

  @Seeds
  void a_send_that_is_answered_after_the_loss_deletes_nothing(long seed) {
    assertThat(play("lost during the send", seed)).isEqualTo("deletes 0");
  }

  @Test
  void control_a_worker_that_deletes_what_was_sent_whatever_became_of_the_lease() {
    PatchedCore blind =
        PatchedCore.with(CALLS, "return lease.isHeld(now);", "return true;")
            .and(SETTLE_CALLS, "settlement.isOfRejected() && isTooLate(settlement)", "false");
    assertThat(played(blind, "lost during the send")).isEqualTo("deletes 1");
  }

  @Seeds
  void a_failed_delete_of_a_rejected_message_is_not_repeated_after_the_loss(long seed) {
    assertThat(play("lost before the delete", seed)).isEqualTo("deletes 1, dead letters 1");
  }

  @Test
  void control_a_worker_that_repeats_it_as_after_a_commit() {
    PatchedCore stubborn =
        PatchedCore.with(SETTLE_CALLS, "settlement.isOfRejected() && isTooLate(settlement)", "false");
    assertThat(played(stubborn, "lost before the delete")).isEqualTo("deletes 2, dead letters 1");
  }

  @Seeds
  void with_nine_attributes_there_is_room_for_the_id_alone(long seed) {
    assertThat(play("nine attributes", seed)).isEqualTo("dead letters 1, deleted 1");
  }

  @Test
  void control_a_worker_that_does_not_count_attributes_cannot_reject() {
    PatchedCore generous =
        PatchedCore.with(COPY, "attributes.size() < MOST_ATTRIBUTES &&", "")
            .and(CALLS, "result instanceof SendResult.Refused &&", "false &&");
    assertThat(played(generous, "nine attributes")).isEqualTo("dead letters 0, deleted 0");
  }

  @Test
  void a_copy_that_is_refused_is_sent_once_more_with_the_id_as_the_only_attribute_of_ours() {
    // A copy with too many attributes stands for whatever a queue may refuse of ours.
    PatchedCore refused = PatchedCore.with(COPY, "attributes.size() < MOST_ATTRIBUTES &&", "");
    assertThat(played(refused, "nine attributes")).isEqualTo("dead letters 1, deleted 1");
  }

  @Seeds
  void what_may_not_be_sent_is_left_and_its_permit_comes_back(long seed) {
    assertThat(play("denied", seed)).startsWith("left true");
  }

  @Test
  void control_a_worker_that_does_not_leave_it_keeps_the_permit() {
    PatchedCore keeping = PatchedCore.with(CALLS, "message.instead.run();", "");
    assertThat(played(keeping, "denied")).startsWith("left false, in flight 1");
  }

  @Seeds
  void a_duplicate_that_waits_here_decides_for_both(long seed) {
    assertThat(play("a duplicate waits", seed)).isEqualTo("dead letters 1");
  }

  @Test
  void control_a_worker_that_does_not_look_for_a_duplicate_rejects_twice() {
    PatchedCore twice =
        PatchedCore.with(
            "io.queueworker.handle.RunSettlement",
            "case Ending.Reject reject when !lines.isBesideEarlierRun(run) && !lines.isReceivedAgain(run) ->",
            "case Ending.Reject reject when run.hasEnded() ->");
    assertThat(played(twice, "a duplicate waits")).isEqualTo("dead letters 2");
  }
}
