package io.queueworker.lease;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.LossReason;
import io.queueworker.observe.Permissions.Call;
import io.queueworker.observe.WorkerEvent.ExtendFailed;
import io.queueworker.observe.WorkerEvent.ExtendSent;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.PermissionDenied;
import io.queueworker.observe.WorkerEvent.PermissionRestored;
import io.queueworker.queue.EntryResult;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ScriptedQueue;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each answer to an extension means for its lease, and what is not sent at all. */
class ExtenderTest {

  private static final ExtendSent SENT = new ExtendSent("a", 1, BeatsRig.VISIBILITY, false);

  private final BeatsRig rig = new BeatsRig();
  private final Lease lease = rig.lease("a");

  @Test
  void an_extension_counts_from_when_it_was_sent_and_brings_the_next_receipt() {
    rig.queue.answer =
        receipt -> {
          rig.clock.now += ofSeconds(2).toNanos();
          return new EntryResult.Done(new Receipt("next"));
        };
    rig.beat(ofSeconds(15));
    assertThat(rig.events).containsExactly(SENT, new Extended("a", 1, ofSeconds(26)));
    assertThat(lease.receipt()).isEqualTo(new Receipt("next"));
  }

  @Test
  void a_lease_whose_receipt_is_refused_is_lost_for_that_reason_and_forgotten() {
    rig.queue.answer = receipt -> new EntryResult.Lost("refused");
    rig.beat(ofSeconds(15));
    assertThat(rig.events).containsExactly(SENT, new LeaseLost("a", 1, LossReason.REFUSED, "refused"));
    assertThat(rig.registry.size()).isZero();
  }

  @Test
  void a_lease_whose_message_is_gone_is_lost() {
    rig.queue.answer = receipt -> new EntryResult.Gone();
    rig.beat(ofSeconds(15));
    assertThat(rig.events).containsExactly(SENT,
        new LeaseLost("a", 1, LossReason.REFUSED, "the message no longer exists"));
  }

  @Test
  void an_extension_that_failed_for_now_is_sent_again_after_an_eighth_of_what_is_left() {
    rig.queue.answer = receipt -> new EntryResult.Retryable("busy");
    rig.beat(ofSeconds(15));
    assertThat(rig.events).containsExactly(SENT, new ExtendFailed("a", 1, "busy", ofSeconds(13)));
    rig.beat(ofMillis(16_625).minusNanos(1));
    assertThat(rig.extended()).hasSize(1);
    rig.beat(ofMillis(16_625));
    assertThat(rig.extended()).hasSize(2);
  }

  @Test
  void a_denied_extension_tells_of_the_permission_until_one_is_done() {
    rig.queue.answer = receipt -> new EntryResult.Denied("sqs:ChangeMessageVisibility");
    rig.beat(ofSeconds(15));
    assertThat(rig.events)
        .containsExactly(
            SENT, new PermissionDenied("sqs:ChangeMessageVisibility"),
            new ExtendFailed("a", 1, "denied: sqs:ChangeMessageVisibility", ofSeconds(13)));
    assertThat(rig.permissions.isDenied(Call.EXTEND)).isTrue();

    rig.queue.answer = EntryResult.Done::new;
    rig.beat(ofSeconds(17));

    assertThat(rig.events).contains(new PermissionRestored("sqs:ChangeMessageVisibility"));
    assertThat(rig.permissions.isDenied(Call.EXTEND)).isFalse();
  }

  @Test
  void a_queue_that_throws_or_leaves_an_entry_unanswered_has_answered_none_and_costs_no_lease() {
    rig.queue.answers =
        results -> {
          throw new IllegalStateException("broken");
        };
    rig.beat(ofSeconds(15));
    rig.queue.answers = results -> List.of();
    rig.beat(ofSeconds(17));
    rig.queue.answers = results -> Collections.singletonList(null);
    rig.beat(ofSeconds(19));
    rig.queue.answers = results -> results;
    rig.beat(ofSeconds(21));

    assertThat(rig.extended()).hasSize(4);
    assertThat(rig.events).filteredOn(InternalError.class::isInstance).hasSize(3)
        .allSatisfy(event -> assertThat(((InternalError) event).where()).isEqualTo("extend"));
    assertThat(rig.events).filteredOn(ExtendFailed.class::isInstance).hasSize(3);
    assertThat(rig.left(lease)).isEqualTo(ofSeconds(28));
  }

  @Test
  void an_extension_may_take_half_of_what_its_shortest_lease_has_left_and_a_tenth_of_a_second_at_least() {
    rig.at(ofSeconds(1));
    rig.lease("b");
    rig.tick(ofSeconds(22));
    rig.at(ofSeconds(24));
    rig.run();
    assertThat(rig.queue.calls).singleElement()
        .satisfies(
            call -> {
              assertThat(call.receipts()).containsExactly("a", "b");
              assertThat(call.timeout()).isEqualTo(ofSeconds(2));
            });

    BeatsRig late = new BeatsRig();
    late.lease("a");
    late.tick(ofSeconds(15));
    late.at(ofMillis(27_850));
    late.run();
    assertThat(late.queue.calls).extracting(ScriptedQueue.Call::timeout).containsExactly(ofMillis(100));
  }

  @Test
  void what_waited_for_a_thread_until_its_lease_had_ended_is_not_sent_and_the_others_are() {
    rig.at(ofSeconds(1));
    Lease other = rig.lease("b");
    rig.tick(ofSeconds(20));
    rig.at(ofSeconds(28));
    rig.run();
    assertThat(rig.extended()).containsExactly(List.of("b"));
    assertThat(rig.events).startsWith(
        new LeaseLost("a", 1, LossReason.EXPIRED, "not sent: the lease had ended"));
    assertThat(rig.registry.all()).containsExactly(other);

    BeatsRig alone = new BeatsRig();
    alone.lease("a");
    alone.tick(ofSeconds(20));
    alone.at(ofSeconds(28));
    alone.run();
    assertThat(alone.extended()).as("no empty call").isEmpty();
  }

  @Test
  void what_waited_for_a_thread_asks_for_what_the_cap_leaves_when_it_is_sent() {
    BeatsRig late = new BeatsRig();
    late.leaseRequestedAt("a", late.clock.now - ofHours(12).minusSeconds(50).toNanos());
    late.tick(ofSeconds(15));
    late.at(ofSeconds(20));
    late.run();
    assertThat(late.events).startsWith(new ExtendSent("a", 1, ofSeconds(25), false));
    assertThat(late.queue.calls).extracting(ScriptedQueue.Call::visibilities).containsExactly(List.of(ofSeconds(25)));
    assertThat(late.events).endsWith(new Extended("a", 1, ofSeconds(23)));
  }

  @Test
  void what_waited_for_a_thread_until_it_would_shorten_the_lease_is_not_sent() {
    BeatsRig late = new BeatsRig();
    late.leaseRequestedAt("a", late.clock.now - ofHours(12).minusSeconds(35).toNanos());
    late.tick(ofSeconds(15));
    late.at(ofMillis(16_001));
    late.run();
    assertThat(late.extended()).isEmpty();
    assertThat(late.events).containsExactly(
        new ExtendFailed("a", 1, "not sent: maxHold or the service's cap leaves no more", ofMillis(11_999)));

    BeatsRig even = new BeatsRig();
    even.leaseRequestedAt("a", even.clock.now - ofHours(12).minusSeconds(35).toNanos());
    even.tick(ofSeconds(15));
    even.at(ofMillis(16_300));
    even.run();
    assertThat(even.extended()).as("as long as it lasts anyway").isEmpty();
  }

  @Test
  void what_no_thread_was_free_for_is_tried_again_soon() {
    rig.pool.refuses = true;
    rig.beat(ofSeconds(15));
    assertThat(rig.events)
        .containsExactly(new ExtendFailed("a", 1, "not sent: no thread was free for it", ofSeconds(13)));
    rig.pool.refuses = false;
    rig.beat(ofSeconds(17));
    assertThat(rig.extended()).hasSize(1);
  }

  @Test
  void nothing_is_sent_after_the_stop_even_if_it_waited_for_its_thread() {
    rig.tick(ofSeconds(15));
    rig.heartbeat.stop();
    rig.run();
    assertThat(rig.extended()).isEmpty();
    assertThat(rig.events).isEmpty();
  }

  @Test
  void after_the_commit_a_refused_extension_ends_the_beats_and_loses_nothing() {
    lease.committed(rig.clock.now);
    rig.queue.answer = receipt -> new EntryResult.Lost("refused");
    rig.beat(ofSeconds(15));
    assertThat(rig.events).containsExactly(SENT);
    assertThat(rig.registry.size()).isZero();
  }

  @Test
  void a_gates_record_is_renewed_first_and_the_extension_counts_from_then() {
    lease.watch().renewBy(
        length -> {
          assertThat(length).isEqualTo(BeatsRig.VISIBILITY);
          assertThat(rig.extended()).isEmpty();
          rig.clock.now += ofSeconds(1).toNanos();
          return true;
        });
    rig.beat(ofSeconds(15));
    assertThat(rig.events).containsExactly(SENT, new Extended("a", 1, ofSeconds(27)));
  }

  @Test
  void a_record_that_is_another_attempts_ends_the_lease_and_nothing_is_sent() {
    lease.watch().renewBy(length -> false);
    rig.beat(ofSeconds(15));
    assertThat(rig.extended()).isEmpty();
    assertThat(rig.events).containsExactly(new LeaseLost("a", 1, LossReason.TAKEN_OVER, ""));
  }

  @Test
  void a_record_that_cannot_be_renewed_keeps_its_extension_back_until_it_can() {
    lease.watch().renewBy(
        length -> {
          throw new IllegalStateException("store is down");
        });
    rig.beat(ofSeconds(15));
    assertThat(rig.extended()).isEmpty();
    assertThat(rig.events).singleElement()
        .satisfies(
            event -> assertThat(((ExtendFailed) event).why())
                .startsWith("not sent: the gate's record could not be renewed").contains("store is down"));
    lease.watch().renewBy(length -> true);
    rig.beat(ofSeconds(17));
    assertThat(rig.extended()).hasSize(1);
  }

  @Test
  void a_record_is_not_renewed_once_its_lease_has_ended() {
    lease.watch().renewBy(
        length -> {
          throw new AssertionError("never asked");
        });
    rig.tick(ofSeconds(15));
    rig.at(ofSeconds(28));
    rig.run();
    assertThat(rig.events).containsExactly(new LeaseLost("a", 1, LossReason.EXPIRED, "not sent: the lease had ended"));
  }

  @Test
  void an_attempt_that_ended_before_its_record_was_renewed_needs_no_renewal() {
    lease.watch().renewBy(length -> false);
    rig.tick(ofSeconds(15));
    lease.watch().renewBy(null);
    rig.run();
    assertThat(rig.extended()).hasSize(1);
  }

  @Test
  void renewals_that_take_longer_than_a_call_may_do_not_hold_up_those_that_are_renewed() {
    lease.watch().renewBy(length -> true);
    for (String id : List.of("slow", "last")) {
      rig.lease(id).watch().renewBy(
          length -> {
            rig.clock.now += BeatsRig.TIMEOUT.toNanos() + 1;
            return true;
          });
    }
    rig.beat(ofSeconds(15));
    assertThat(rig.extended()).containsExactly(List.of("a", "slow"), List.of("last"));

    BeatsRig quick = new BeatsRig();
    for (String id : List.of("a", "b")) {
      quick.lease(id).watch().renewBy(
          length -> {
            quick.clock.now += BeatsRig.TIMEOUT.toNanos();
            return true;
          });
    }
    quick.beat(ofSeconds(15));
    assertThat(quick.extended()).as("within the time of one call").containsExactly(List.of("a", "b"));
  }

  @Test
  void a_pool_that_fails_has_sent_nothing_and_the_next_beat_tries_again() {
    rig.pool.breaks = true;
    rig.beat(ofSeconds(15));
    assertThat(rig.events).hasSize(2).first().isInstanceOfSatisfying(
        InternalError.class, error -> assertThat(error.where()).isEqualTo("hand-over of extensions"));
    assertThat(rig.events).endsWith(new ExtendFailed("a", 1, "not sent: no thread was free for it", ofSeconds(13)));
    rig.pool.breaks = false;
    rig.beat(ofSeconds(17));
    assertThat(rig.extended()).hasSize(1);
  }

  @Test
  void an_answer_that_cannot_be_told_keeps_no_other_of_its_batch_from_its_own() {
    Lease other = rig.lease("b");
    lease.watch().onLoss(
        reason -> {
          throw new IllegalStateException("broken");
        });
    rig.queue.answer =
        receipt -> receipt.value().equals("a") ? new EntryResult.Gone() : new EntryResult.Done(receipt);
    rig.beat(ofSeconds(15));
    assertThat(rig.events).filteredOn(InternalError.class::isInstance).singleElement()
        .satisfies(event -> assertThat(((InternalError) event).where()).isEqualTo("answer to an extension"));
    assertThat(rig.events).endsWith(new Extended("b", 1, ofSeconds(28)));
    assertThat(rig.registry.all()).containsExactly(other);
  }
}
