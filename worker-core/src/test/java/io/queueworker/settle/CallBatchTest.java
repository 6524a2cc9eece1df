package io.queueworker.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.gate.LeaseStory;
import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseTerms;
import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallBatchTest {

  private static final Remembered WORK = new Remembered(1, Duration.ofSeconds(3), LeaseStory.UNKNOWN, 0);

  private static final long LINGER = 100;

  private final CallBatch batch = new CallBatch(10, LINGER);

  @Test
  void a_call_goes_out_when_it_is_full_or_its_first_has_lingered() {
    add(9, 0);
    assertThat(batch.take(LINGER - 1, false)).isEmpty();
    assertThat(batch.dueAt(40, false)).isEqualTo(LINGER);
    assertThat(batch.take(LINGER, false)).hasSize(9);
    add(11, 200);
    assertThat(batch.take(200, false)).hasSize(10);
    assertThat(batch.take(200, false)).isEmpty();
    assertThat(batch.take(200, true)).as("in a hurry").hasSize(1);
  }

  @Test
  void one_that_is_tried_again_waits_aside_and_keeps_nobody() {
    Settlement failed = settlement("failed");
    batch.retry(failed, 5_000);
    add(10, 0);
    assertThat(batch.take(0, true)).hasSize(10).doesNotContain(failed);
    assertThat(batch.take(4_999, true)).isEmpty();
    assertThat(batch.dueAt(4_000, true)).isEqualTo(5_000);
    assertThat(batch.take(5_000, true)).containsExactly(failed);
  }

  @Test
  void a_full_call_and_one_in_a_hurry_are_due_at_once() {
    assertThat(batch.dueAt(0, true)).as("nothing waits").isGreaterThan(Duration.ofDays(365).toNanos());
    add(1, 0);
    assertThat(batch.dueAt(0, true)).isZero();
    assertThat(batch.dueAt(0, false)).isEqualTo(LINGER);
    add(9, 50);
    assertThat(batch.dueAt(50, false)).isEqualTo(50);
  }

  @Test
  void completed_messages_are_remembered_up_to_the_bound_the_oldest_going_first() {
    Completed completed = new Completed(2);
    List.of("a", "b", "c").forEach(id -> completed.add(id, WORK));
    assertThat(completed.recall("a")).isEmpty();
    assertThat(completed.recall("b")).contains(WORK);
    assertThat(completed.recall("c")).contains(WORK);
  }

  @Test
  void what_became_of_the_delete_is_remembered_with_the_message_and_of_no_other() {
    Completed completed = new Completed(2);
    completed.add("a", WORK);
    EventContext context = new EventContext("orders", "w1", Instant.EPOCH, 0);

    completed.onEvent(context, new WorkerEvent.DeleteFailed("a", 1, "throttled", Optional.empty()));
    completed.onEvent(context, new WorkerEvent.Deleted("b", 1, Duration.ZERO));
    assertThat(completed.recall("a").orElseThrow().deleteFailed()).contains("throttled");
    assertThat(completed.recall("a").orElseThrow().deleted()).isFalse();
    assertThat(completed.recall("b")).isEmpty();

    completed.onEvent(context, new WorkerEvent.Deleted("a", 1, Duration.ZERO));
    assertThat(completed.recall("a").orElseThrow().deleted()).isTrue();
  }

  private void add(int count, long now) {
    for (int i = 0; i < count; i++) {
      batch.add(settlement("m" + i), now);
    }
  }

  private static Settlement settlement(String id) {
    LeaseTerms terms =
        LeaseTerms.of(
            Duration.ofSeconds(30), Optional.empty(), Duration.ofHours(1), Duration.ofMinutes(1), Optional.empty(),
            true);
    ReceivedMessage message =
        new ReceivedMessage(id, new Receipt(id), "", Map.of(), 1, Optional.empty(), Optional.empty(), Map.of());
    return new Settlement(new Lease(message, () -> terms, 30, 0, 0), Duration.ZERO, 0, () -> {}, SettleWatch.NONE);
  }
}
