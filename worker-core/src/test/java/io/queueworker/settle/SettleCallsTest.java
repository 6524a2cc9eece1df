package io.queueworker.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.LossReason;
import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseClock;
import io.queueworker.lease.LeaseRegistry;
import io.queueworker.lease.LeaseState;
import io.queueworker.lease.LeaseTerms;
import io.queueworker.lease.Losses;
import io.queueworker.observe.Permissions;
import io.queueworker.observe.Permissions.Call;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.DeleteFailed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.PermissionDenied;
import io.queueworker.observe.WorkerEvent.PermissionRestored;
import io.queueworker.observe.WorkerEvent.ReleaseFailed;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.queue.EntryResult;
import io.queueworker.queue.QueueTraits;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.ScriptedQueue;
import io.queueworker.timing.SetClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What each answer to a delete or a release means for the message, its lease and its permit. */
class SettleCallsTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final EntryResult BUSY = new EntryResult.Retryable("busy");
  private static final QueueTraits REPLACING =
      new QueueTraits(
          10, Duration.ofSeconds(20), Duration.ofSeconds(1), Duration.ofHours(1), Optional.empty(), true, true, false,
          true, false);

  private final SetClock clock = new SetClock();
  private final List<WorkerEvent> events = new ArrayList<>();
  private final List<String> permitsBack = new ArrayList<>();
  private final LeaseRegistry registry = new LeaseRegistry();
  private final Permissions permissions = new Permissions(events::add);
  private ScriptedQueue queue;
  private SettleCalls calls;

  SettleCallsTest() {
    on(ScriptedQueue.SQS);
  }

  private void on(QueueTraits traits) {
    queue = new ScriptedQueue(traits);
    calls =
        new SettleCalls(
            queue, clock, new LeaseClock(clock), registry, new Losses(registry, events::add), permissions, TIMEOUT, 1,
            events::add);
  }

  private Settlement settlement(String id, Duration visibility, Duration delay) {
    LeaseTerms terms =
        LeaseTerms.of(
            visibility, queue.traits().totalCap(), Duration.ofHours(11), Duration.ofHours(1), Optional.empty(), true);
    ReceivedMessage message =
        new ReceivedMessage(id, new Receipt(id), "", Map.of(), 1, Optional.empty(), Optional.empty(), Map.of());
    Lease lease = new Lease(message, () -> terms, terms.visibility(), clock.now, clock.now);
    registry.schedule(lease);
    return new Settlement(lease, delay, clock.now, () -> permitsBack.add(id), SettleWatch.NONE);
  }

  /** A message whose effect is durable. */
  private Settlement committed(String id) {
    Settlement settlement = settlement(id, Duration.ofSeconds(30), Duration.ZERO);
    settlement.lease().committed(clock.now);
    return settlement;
  }

  /** A message that is to be visible again after a while. */
  private Settlement decided(String id, Duration visibility, Duration delay) {
    Settlement settlement = settlement(id, visibility, delay);
    assertThat(settlement.lease().releasing(clock.now, () -> {})).isTrue();
    return settlement;
  }

  private Settlement decided(String id, Duration delay) {
    return decided(id, Duration.ofSeconds(30), delay);
  }

  private void pass(Duration time) {
    clock.now += time.toNanos();
  }

  private void assertEnded(Settlement settlement) {
    assertThat(settlement.lease().state()).isEqualTo(LeaseState.SETTLED);
    assertThat(registry.all()).doesNotContain(settlement.lease());
    assertThat(permitsBack).containsOnlyOnce(settlement.messageId());
  }

  @Test
  void a_delete_that_is_done_ends_the_lease_gives_the_permit_back_and_tells_how_long_it_took() {
    Settlement done = committed("a");
    pass(Duration.ofMillis(70));

    assertThat(calls.delete(List.of(done))).isEmpty();

    assertEnded(done);
    assertThat(events).containsExactly(new Deleted("a", 1, Duration.ofMillis(70)));
    assertThat(queue.calls)
        .containsExactly(new ScriptedQueue.Call("delete", List.of("a"), List.of(), TIMEOUT));
  }

  @Test
  void a_message_that_is_gone_counts_as_deleted_and_one_whose_receipt_is_refused_does_not() {
    Settlement gone = committed("gone");
    Settlement lost = committed("lost");
    pass(Duration.ofMillis(70));
    queue.answer =
        receipt -> receipt.value().equals("gone") ? new EntryResult.Gone() : new EntryResult.Lost("refused");

    assertThat(calls.delete(List.of(gone, lost))).isEmpty();

    assertEnded(gone);
    assertEnded(lost);
    assertThat(events)
        .containsExactly(
            new Deleted("gone", 1, Duration.ofMillis(70)), new DeleteFailed("lost", 1, "refused", Optional.empty()));
  }

  @Test
  void a_delete_that_fails_is_tried_again_after_pauses_that_double_from_200_ms_to_30_s() {
    Settlement failing = committed("a");
    queue.answer = receipt -> BUSY;
    // Half of each pause is random, and the random number is one half.
    for (long millis : new long[]{150, 300, 600, 1_200, 2_400, 4_800, 9_600, 19_200, 22_500, 22_500}) {
      events.clear();
      List<Retry> retries = calls.delete(List.of(failing));
      assertThat(retries).containsExactly(new Retry(failing, clock.now + Duration.ofMillis(millis).toNanos()));
      assertThat(events)
          .containsExactly(new DeleteFailed("a", 1, "busy", Optional.of(Duration.ofMillis(millis))));
      assertThat(failing.lease().state()).isEqualTo(LeaseState.SETTLING);
      clock.now = retries.get(0).at();
    }
    for (int i = 0; i < 100; i++) {
      assertThat(calls.delete(List.of(failing))).extracting(Retry::at)
          .containsExactly(clock.now + Duration.ofMillis(22_500).toNanos());
    }
  }

  @Test
  void a_delete_is_given_up_ten_minutes_after_the_commit() {
    Settlement failing = committed("a");
    queue.answer = receipt -> BUSY;
    pass(Duration.ofMinutes(10).minusNanos(1));
    assertThat(calls.delete(List.of(failing))).hasSize(1);
    events.clear();
    pass(Duration.ofNanos(1));

    assertThat(calls.delete(List.of(failing))).isEmpty();

    assertEnded(failing);
    assertThat(events).containsExactly(new DeleteFailed("a", 1, "busy", Optional.empty()));
  }

  @Test
  void a_failed_delete_gives_its_permit_back_early_while_there_is_room_for_that() {
    Settlement first = committed("first");
    Settlement second = committed("second");
    queue.answer = receipt -> BUSY;
    calls.delete(List.of(first, second));
    calls.delete(List.of(first, second));
    assertThat(permitsBack).containsExactly("first");

    queue.answer = EntryResult.Done::new;
    calls.delete(List.of(first));
    assertThat(permitsBack).as("once only").containsExactly("first");

    queue.answer = receipt -> BUSY;
    calls.delete(List.of(second));
    assertThat(permitsBack).as("there is room again").containsExactly("first", "second");
    calls.delete(List.of(committed("third")));
    assertThat(permitsBack).containsExactly("first", "second");
  }

  @Test
  void a_denied_delete_is_tried_again_and_the_permission_is_known_as_missing_until_one_is_done() {
    Settlement denied = committed("a");
    queue.answer = receipt -> new EntryResult.Denied("sqs:DeleteMessage");

    assertThat(calls.delete(List.of(denied))).hasSize(1);

    assertThat(permissions.isDenied(Call.DELETE)).isTrue();
    assertThat(denied.lease().state()).isEqualTo(LeaseState.SETTLING);
    assertThat(events)
        .containsExactly(
            new PermissionDenied("sqs:DeleteMessage"),
            new DeleteFailed("a", 1, "denied: sqs:DeleteMessage", Optional.of(Duration.ofMillis(150))));
    queue.answer = EntryResult.Done::new;
    calls.delete(List.of(denied));
    assertThat(events).contains(new PermissionRestored("sqs:DeleteMessage"));
  }

  @Test
  void a_queue_that_throws_or_leaves_an_entry_unanswered_has_answered_none() {
    Settlement failing = committed("a");
    queue.answers =
        results -> {
          throw new IllegalStateException("broken");
        };
    assertThat(calls.delete(List.of(failing))).hasSize(1);
    queue.answers = results -> List.of();
    assertThat(calls.delete(List.of(failing))).hasSize(1);
    queue.answers = results -> Collections.singletonList(null);
    assertThat(calls.delete(List.of(failing))).hasSize(1);

    assertThat(events).filteredOn(InternalError.class::isInstance).hasSize(3)
        .allSatisfy(event -> assertThat(((InternalError) event).where()).isEqualTo("delete"));
  }

  @Test
  void where_extensions_replace_the_receipt_a_delete_waits_for_the_call_under_way() {
    on(REPLACING);
    Settlement beating = committed("beating");
    Settlement idle = committed("idle");
    assertThat(beating.lease().beginDelete()).as("a call is under way").isTrue();

    assertThat(calls.delete(List.of(beating, idle)))
        .containsExactly(new Retry(beating, clock.now + Duration.ofMillis(200).toNanos()));

    assertThat(queue.calls).singleElement().extracting(ScriptedQueue.Call::receipts).isEqualTo(List.of("idle"));
    assertThat(permitsBack).containsExactly("idle");
    assertThat(events).doesNotHaveAnyElementsOfTypes(DeleteFailed.class);
    assertThat(calls.delete(List.of(beating))).hasSize(1);
    assertThat(queue.calls).as("nothing is left to send").hasSize(1);
  }

  @Test
  void where_extensions_replace_the_receipt_a_delete_that_failed_lets_beats_go_on() {
    on(REPLACING);
    Settlement failing = committed("a");
    queue.answer = receipt -> BUSY;
    assertThat(calls.delete(List.of(failing))).hasSize(1);
    assertThat(failing.lease().beginDelete()).as("no call is under way any more").isTrue();
  }

  @Test
  void elsewhere_a_delete_takes_no_notice_of_the_call_under_way() {
    Settlement beating = committed("a");
    assertThat(beating.lease().beginDelete()).isTrue();
    queue.answer = receipt -> BUSY;
    assertThat(calls.delete(List.of(beating))).hasSize(1);
    assertThat(queue.calls).hasSize(1);
    assertThat(beating.lease().beginDelete()).as("the other call is still under way").isFalse();
  }

  @Test
  void a_release_that_is_done_ends_the_lease_and_tells_the_delay() {
    Settlement released = decided("a", Duration.ofSeconds(7));

    assertThat(calls.release(List.of(released))).isEmpty();

    assertEnded(released);
    assertThat(events).containsExactly(new Released("a", 1, Duration.ofSeconds(7)));
    assertThat(queue.calls)
        .containsExactly(new ScriptedQueue.Call("release", List.of("a"), List.of(Duration.ofSeconds(7)), TIMEOUT));
  }

  @Test
  void a_release_that_is_refused_or_denied_is_given_up_and_told() {
    Settlement lost = decided("lost", Duration.ofHours(1));
    Settlement gone = decided("gone", Duration.ofHours(1));
    Settlement denied = decided("denied", Duration.ofHours(1));
    queue.answer =
        receipt -> switch (receipt.value()) {
          case "lost" -> new EntryResult.Lost("refused");
          case "gone" -> new EntryResult.Gone();
          default -> new EntryResult.Denied("sqs:ChangeMessageVisibility");
        };

    assertThat(calls.release(List.of(lost, gone, denied))).isEmpty();

    List.of(lost, gone, denied).forEach(this::assertEnded);
    assertThat(events)
        .containsExactly(
            new ReleaseFailed("lost", 1, "refused"),
            new ReleaseFailed("gone", 1, "the message no longer exists"),
            new PermissionDenied("sqs:ChangeMessageVisibility"),
            new ReleaseFailed("denied", 1, "denied: sqs:ChangeMessageVisibility"));
    queue.answer = EntryResult.Done::new;
    calls.release(List.of(decided("b", Duration.ZERO)));
    assertThat(permissions.isDenied(Call.EXTEND)).isFalse();
  }

  @Test
  void a_release_whose_lease_has_run_out_is_not_sent_and_the_loss_is_told() {
    Settlement late = decided("late", Duration.ofSeconds(7));
    pass(Duration.ofSeconds(28));
    Settlement inTime = decided("in time", Duration.ofSeconds(7));

    assertThat(calls.release(List.of(late, inTime))).isEmpty();

    assertThat(queue.calls).singleElement().extracting(ScriptedQueue.Call::receipts).isEqualTo(List.of("in time"));
    assertThat(permitsBack).containsExactly("late", "in time");
    assertThat(events)
        .containsExactly(new LeaseLost("late", 1, LossReason.EXPIRED, ""),
            new Released("in time", 1, Duration.ofSeconds(7)));
    assertThat(registry.size()).isZero();
  }

  @Test
  void a_release_takes_no_longer_than_the_shortest_of_its_leases_lasts_and_a_tenth_of_a_second_at_least() {
    Settlement longest = decided("longest", Duration.ZERO);
    Settlement shortest = decided("shortest", Duration.ofSeconds(2), Duration.ZERO);
    calls.release(List.of(longest, shortest, decided("middle", Duration.ofSeconds(3), Duration.ZERO)));
    Settlement nearlyOver = decided("nearly over", Duration.ofSeconds(2), Duration.ZERO);
    pass(Duration.ofMillis(1_750));
    calls.release(List.of(nearlyOver));

    assertThat(queue.calls).extracting(ScriptedQueue.Call::timeout)
        .containsExactly(Duration.ofMillis(1_800), Duration.ofMillis(100));
  }

  @Test
  void a_delay_is_cut_to_what_the_service_can_do() {
    calls.release(List.of(decided("a", Duration.ofHours(13))));
    assertThat(delays()).as("the cap less five seconds").containsExactly(Duration.ofHours(12).minusSeconds(5));

    on(REPLACING);
    calls.release(
        List.of(
            decided("b", Duration.ofHours(2)), decided("c", Duration.ofMinutes(59)), decided("d", Duration.ZERO),
            decided("e", Duration.ofSeconds(2))));
    assertThat(delays())
        .containsExactly(Duration.ofHours(1), Duration.ofMinutes(59), Duration.ofSeconds(1), Duration.ofSeconds(2));
  }

  private List<Duration> delays() {
    return queue.calls.stream().flatMap(call -> call.visibilities().stream()).toList();
  }

  @Test
  void a_release_that_failed_for_now_is_tried_again_within_the_first_half_of_its_delay_only() {
    // The next try would come 150 ms after the first.
    assertThat(retriesAfterFailure(Duration.ZERO)).isEmpty();
    assertThat(retriesAfterFailure(Duration.ofMillis(300))).isEmpty();
    assertThat(retriesAfterFailure(Duration.ofMillis(300).plusNanos(2)))
        .containsExactly(clock.now + Duration.ofMillis(150).toNanos());
  }

  private List<Long> retriesAfterFailure(Duration delay) {
    Settlement failing = decided("a", delay);
    queue.answer = receipt -> BUSY;
    events.clear();
    List<Retry> retries = calls.release(List.of(failing));
    if (retries.isEmpty()) {
      assertThat(events).containsExactly(new ReleaseFailed("a", 1, "busy"));
      assertThat(failing.lease().state()).isEqualTo(LeaseState.SETTLED);
    } else {
      assertThat(events).isEmpty();
      assertThat(failing.lease().beginRelease(clock.now)).as("no call is under way any more").isTrue();
    }
    return retries.stream().map(Retry::at).toList();
  }

  @Test
  void the_half_of_the_delay_counts_from_the_first_try() {
    Settlement failing = decided("a", Duration.ofSeconds(2));
    queue.answer = receipt -> BUSY;
    for (long millis : new long[]{150, 300}) {
      List<Retry> retries = calls.release(List.of(failing));
      assertThat(retries).containsExactly(new Retry(failing, clock.now + Duration.ofMillis(millis).toNanos()));
      clock.now = retries.get(0).at();
    }
    assertThat(calls.release(List.of(failing))).as("the next try would come after 1,050 ms").isEmpty();
    assertThat(queue.calls).hasSize(3);
  }

  @Test
  void a_second_try_that_a_standstill_held_up_past_the_half_of_the_delay_is_not_sent() {
    Settlement failing = decided("a", Duration.ofSeconds(2));
    queue.answer = receipt -> BUSY;
    assertThat(calls.release(List.of(failing))).hasSize(1);
    pass(Duration.ofSeconds(1));

    assertThat(calls.release(List.of(failing, decided("b", Duration.ofSeconds(2))))).hasSize(1);

    assertThat(queue.calls).extracting(ScriptedQueue.Call::receipts).containsExactly(List.of("a"), List.of("b"));
    assertThat(events).containsExactly(new ReleaseFailed("a", 1, "not answered, and too late to be sent again"));
    assertEnded(failing);
  }

  @Test
  void a_release_is_not_tried_again_when_its_lease_will_be_over_by_then() {
    Settlement lastsLonger = decided("a", Duration.ofSeconds(2), Duration.ofMinutes(10));
    Settlement over = decided("b", Duration.ofSeconds(2), Duration.ofMinutes(10));
    queue.answer = receipt -> BUSY;
    pass(Duration.ofMillis(1_650).minusNanos(1));
    assertThat(calls.release(List.of(lastsLonger))).hasSize(1);
    pass(Duration.ofNanos(1));
    assertThat(calls.release(List.of(over))).isEmpty();
    assertThat(events).containsExactly(new ReleaseFailed("b", 1, "busy"));
  }

  @Test
  void what_is_ended_from_outside_gives_its_permit_back_once() {
    Settlement ended = committed("a");
    calls.end(ended, true);
    calls.end(ended, true);
    assertEnded(ended);
    IllegalStateException cause = new IllegalStateException("broken");
    calls.trouble("delete", cause);
    assertThat(events).containsExactly(new InternalError("delete", cause));
  }
}
