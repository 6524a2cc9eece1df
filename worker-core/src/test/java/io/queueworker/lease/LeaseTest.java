package io.queueworker.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.LossReason;
import io.queueworker.queue.EntryResult;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The states of one lease and the one call about it that may be under way. */
class LeaseTest {

  private static final long SECOND = 1_000_000_000L;
  private static final LeaseTerms TERMS =
      LeaseTerms.of(
          Duration.ofSeconds(30),
          Optional.of(Duration.ofHours(12)),
          Duration.ofHours(11),
          Duration.ofHours(1),
          Optional.empty(),
          true);
  private static final EntryResult DONE = new EntryResult.Done(new Receipt("second"));

  private final Lease lease = lease(0);

  private static Lease lease(long at) {
    ReceivedMessage message =
        new ReceivedMessage(
            "m", new Receipt("first"), "body", Map.of(), 1, Optional.empty(), Optional.empty(), Map.of());
    return new Lease(message, () -> TERMS, TERMS.visibility(), at, at);
  }

  @Test
  void one_beat_is_under_way_at_most_and_its_answer_brings_the_receipt_for_the_next_call() {
    assertThat(lease.beat(15 * SECOND, 0, 0)).isPresent();
    assertThat(lease.beat(20 * SECOND, 0, 0)).isEmpty();
    assertThat(lease.answered(DONE, 30 * SECOND, 15 * SECOND, 20 * SECOND)).isEmpty();
    assertThat(lease.receipt()).isEqualTo(new Receipt("second"));
    assertThat(lease.remaining(20 * SECOND)).isEqualTo(23 * SECOND);
    assertThat(lease.beat(30 * SECOND, 0, 0)).isPresent();
  }

  @Test
  void an_answer_after_the_deadline_proves_nothing() {
    lease.beat(15 * SECOND, 0, 0);
    assertThat(lease.answered(DONE, 30 * SECOND, 15 * SECOND, 28 * SECOND)).contains(LossReason.EXPIRED);
    assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    assertThat(lease.lapse(29 * SECOND)).isEmpty();
    assertThat(lease.lose(LossReason.CLOSED)).isEmpty();
  }

  @Test
  void a_release_is_sent_once_the_beat_under_way_is_answered_and_no_beat_follows() {
    List<String> sent = new ArrayList<>();
    lease.beat(15 * SECOND, 0, 0);
    assertThat(lease.releasing(16 * SECOND, () -> sent.add("release"))).isTrue();
    assertThat(sent).isEmpty();
    lease.answered(new EntryResult.Retryable("no answer"), 30 * SECOND, 15 * SECOND, 18 * SECOND);
    assertThat(sent).containsExactly("release");
    assertThat(lease.beginRelease(18 * SECOND)).isTrue();
    assertThat(lease.beat(20 * SECOND, 0, 0)).isEmpty();
    lease.settled();
    assertThat(lease.state()).isEqualTo(LeaseState.SETTLED);
  }

  @Test
  void nothing_is_released_after_the_deadline() {
    List<String> sent = new ArrayList<>();
    assertThat(lease.releasing(28 * SECOND, () -> sent.add("release"))).isFalse();
    assertThat(sent).isEmpty();
    Lease late = lease(0);
    assertThat(late.releasing(27 * SECOND, () -> sent.add("release"))).isTrue();
    assertThat(sent).as("at once, with no call under way").containsExactly("release");
    assertThat(late.beginRelease(28 * SECOND)).isFalse();
  }

  @Test
  void after_the_commit_beats_go_on_for_the_delete_and_nothing_is_lost_any_more() {
    lease.committed(10 * SECOND);
    assertThat(lease.beat(15 * SECOND, 0, 0)).isPresent();
    assertThat(lease.answered(new EntryResult.Lost("refused"), 30 * SECOND, 15 * SECOND, 16 * SECOND)).isEmpty();
    assertThat(lease.isIdle()).isTrue();
    assertThat(lease.lossReason()).isEmpty();
  }

  @Test
  void the_registry_gives_out_what_is_due_soonest_first_also_across_the_overflow() {
    LeaseRegistry registry = new LeaseRegistry();
    long t = Long.MAX_VALUE - 20 * SECOND;
    Lease first = lease(t);
    Lease second = lease(t + 10 * SECOND); // its beat is due past the overflow
    registry.schedule(second);
    registry.schedule(first);
    assertThat(registry.due(t + 14 * SECOND, 10)).isEmpty();
    assertThat(registry.due(t + 15 * SECOND, 10)).containsExactly(first);
    assertThat(registry.due(t + 25 * SECOND, 10)).containsExactly(first, second);
    assertThat(registry.due(t + 25 * SECOND, 1)).containsExactly(first);
    registry.remove(first);
    registry.remove(first);
    registry.reschedule(first); // removed meanwhile: it stays away
    assertThat(registry.all()).containsExactly(second);
  }

  @Test
  void a_loss_is_told_once_and_stays_known() {
    assertThat(lease.lossReason()).isEmpty();
    assertThat(lease.lapse(28 * SECOND - 1)).isEmpty();
    assertThat(lease.lapse(28 * SECOND)).contains(LossReason.EXPIRED);
    assertThat(lease.lose(LossReason.CLOSED)).isEmpty();
    lease.committed(28 * SECOND);
    assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    assertThat(lease.lossReason()).contains(LossReason.EXPIRED);

    Lease closed = lease(0);
    assertThat(closed.lose(LossReason.CLOSED)).contains(LossReason.CLOSED);

    Lease refused = lease(0);
    refused.beat(15 * SECOND, 0, 0);
    assertThat(refused.answered(new EntryResult.Gone(), 30 * SECOND, 15 * SECOND, 16 * SECOND))
        .contains(LossReason.REFUSED);
  }

  @Test
  void there_is_nothing_to_do_for_it_once_it_ended_or_its_delete_has_had_its_beats() {
    assertThat(lease.isIdle()).isFalse();
    lease.committed(20 * SECOND);
    assertThat(lease.isIdle()).isFalse();
    lease.lapse(28 * SECOND);
    assertThat(lease.isIdle()).isTrue();

    Lease lost = lease(0);
    lost.lose(LossReason.CLOSED);
    assertThat(lost.isIdle()).isTrue();
  }

  @Test
  void it_is_looked_at_when_its_beat_is_due_then_at_its_deadline_and_not_while_a_release_is_under_way() {
    assertThat(lease.nextCheck()).isEqualTo(15 * SECOND);
    assertThat(lease.beat(15 * SECOND, 0, 13 * SECOND).orElseThrow().urgent()).isFalse();
    assertThat(lease.nextCheck()).isEqualTo(28 * SECOND);

    Lease released = lease(0);
    released.releasing(16 * SECOND, () -> {});
    assertThat(released.nextCheck()).isEqualTo(28 * SECOND);
    released.beginRelease(16 * SECOND);
    assertThat(released.nextCheck()).isEqualTo(28 * SECOND + LeaseTerms.NEVER);

    assertThat(lease(0).beat(16 * SECOND, 0, 13 * SECOND).orElseThrow().urgent()).isTrue();
  }

  @Test
  void beats_for_a_delete_end_ten_minutes_after_the_commit() {
    long committedAt = 10 * SECOND;
    lease.committed(committedAt);
    long end = committedAt + LeaseTerms.SETTLE_LIMIT;
    for (long now = 15 * SECOND; now < end; now += 15 * SECOND) {
      assertThat(lease.beat(now, 0, 0)).as("a beat at %s", now).isPresent();
      lease.answered(DONE, 30 * SECOND, now, now);
      lease.lapse(now);
    }
    lease.lapse(end - 1);
    assertThat(lease.isIdle()).isFalse();
    assertThat(lease.lapse(end)).isEmpty();
    assertThat(lease.isIdle()).isTrue();
  }

  @Test
  void a_message_is_given_up_when_it_was_held_for_the_longest_time_and_not_before() {
    long maxHold = TERMS.maxHold();
    Lease kept = new Lease(lease.message(), () -> TERMS, maxHold + 60 * SECOND, 0, 0);
    assertThat(kept.lapse(maxHold - 1)).isEmpty();
    assertThat(kept.lapse(maxHold)).contains(LossReason.MAX_HOLD);
  }

  @Test
  void a_wish_says_whether_it_changes_anything() {
    assertThat(lease.extendTo(28 * SECOND, SECOND)).as("it lasts that long anyway").isFalse();
    assertThat(lease.extendTo(29 * SECOND, SECOND)).isTrue();
    lease.committed(2 * SECOND);
    assertThat(lease.extendTo(100 * SECOND, 2 * SECOND)).as("after the commit").isFalse();
  }

  @Test
  void a_delete_and_a_release_wait_for_the_call_under_way() {
    List<String> sent = new ArrayList<>();
    lease.beat(15 * SECOND, 0, 0);
    assertThat(lease.releasing(16 * SECOND, () -> sent.add("release"))).isTrue();
    assertThat(lease.beginRelease(16 * SECOND)).isFalse();
    assertThat(lease.beginDelete()).isFalse();
    assertThat(sent).isEmpty();
    lease.endCall();
    assertThat(sent).containsExactly("release");
    assertThat(lease.beginDelete()).isTrue();
    assertThat(lease.beginDelete()).isFalse();
  }

  @Test
  void its_age_counts_from_its_start_and_the_longest_delay_from_its_request() {
    Lease late = new Lease(lease.message(), () -> TERMS, TERMS.visibility(), SECOND, 4 * SECOND);
    assertThat(late.age(10 * SECOND)).isEqualTo(6 * SECOND);
    assertThat(late.holdLeft(10 * SECOND)).isEqualTo(TERMS.maxHold() - 6 * SECOND);
    assertThat(late.longestDelay(10 * SECOND)).isEqualTo(TERMS.cap() - 5 * SECOND - 9 * SECOND);
    assertThat(late.longestDelay(TERMS.cap())).isZero();
  }
}
