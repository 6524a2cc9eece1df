package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a visibility timeout does on a standard queue (docs/queue-facts.md A1). */
class VisibilityTest {

  private final Bench queue = Bench.standard();

  @Test
  void a_received_message_is_hidden_until_exactly_the_end_of_its_timeout() {
    String id = queue.send("x");
    HandedOut first = queue.one();
    queue.pass(Duration.ofSeconds(30).minusNanos(1));
    assertThat(queue.take(10)).isEmpty();
    assertThat(queue.holds(first)).isTrue();
    queue.pass(Duration.ofNanos(1));
    assertThat(queue.holds(first)).isFalse();
    HandedOut second = queue.one();
    assertThat(second.id()).isEqualTo(id);
    assertThat(second.receiveCount()).isEqualTo(2);
    assertThat(second.receipt()).isNotEqualTo(first.receipt());
    assertThat(second.firstReceivedAt()).isEqualTo(first.firstReceivedAt());
  }

  @Test
  void a_change_counts_from_the_call_and_does_not_add() {
    queue.send("x");
    HandedOut message = queue.one();
    queue.passSeconds(20);
    Bench.assertDone(queue.change(message, 30));
    queue.pass(Duration.ofSeconds(30).minusNanos(1));
    assertThat(queue.visible()).isEmpty();
    queue.pass(Duration.ofNanos(1));
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void a_change_may_shorten() {
    queue.send("x");
    HandedOut message = queue.one();
    Bench.assertDone(queue.change(message, 2));
    queue.passSeconds(2);
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void a_change_is_for_this_receive_only() {
    queue.send("x");
    queue.change(queue.one(), 100);
    queue.passSeconds(100);
    queue.one();
    queue.passSeconds(30);
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void a_receive_with_its_own_timeout_overrides_the_queues() {
    queue.send("x");
    queue.take(1, Duration.ofSeconds(5));
    queue.passSeconds(5);
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void a_change_to_zero_makes_the_message_visible_at_once() {
    queue.send("x");
    HandedOut message = queue.one();
    Bench.assertDone(queue.change(message, 0));
    assertThat(queue.holds(message)).isFalse();
    assertThat(queue.one().receiveCount()).isEqualTo(2);
  }

  @Test
  void a_receipt_that_ran_out_and_was_not_received_again_is_answered_well_and_nothing_is_hidden() {
    queue.send("x");
    HandedOut message = queue.one();
    queue.passSeconds(30);
    Bench.assertWithoutEffect(queue.change(message, 30));
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void an_old_receipt_of_a_standard_queue_acts_on_the_new_holders_message() {
    queue.send("x");
    HandedOut old = queue.one();
    queue.passSeconds(30);
    HandedOut current = queue.one();
    Bench.assertDone(queue.change(old, 3600));
    queue.passSeconds(3599);
    assertThat(queue.holds(current)).isTrue();
    assertThat(queue.holds(old)).isFalse();
    Bench.assertDone(queue.change(old, 0));
    assertThat(queue.holds(current)).isFalse();
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void a_change_on_a_deleted_message_is_refused() {
    queue.send("x");
    HandedOut message = queue.one();
    queue.delete(message);
    Bench.assertGone(queue.change(message, 10), message);
    Bench.assertGone(queue.change(message, 0), message);
  }

  @Test
  void a_receipt_that_was_never_given_out_is_no_receipt() {
    Ruling change = queue.engine.changeVisibility("garbage", 10, queue.now);
    Ruling delete = queue.engine.delete("garbage", queue.now);
    for (Ruling ruling : new Ruling[]{change, delete}) {
      EngineError error = ((Ruling.Refused) ruling).error();
      assertThat(error.code()).isEqualTo("ReceiptHandleIsInvalid");
      assertThat(error.message()).isEqualTo("The input receipt handle \"garbage\" is not a valid receipt handle.");
      assertThat(error.reason()).isEqualTo(EngineError.Reason.RECEIPT_UNKNOWN);
    }
    assertThat(queue.engine.describe("garbage", queue.now)).isEqualTo(ReceiptState.UNKNOWN);
  }

  @Test
  void the_receipt_of_another_queue_is_no_receipt_here() {
    Bench other = queue.with(queue.engine.sibling("other"));
    queue.send("x");
    HandedOut message = queue.one();
    assertThat(((Ruling.Refused) other.delete(message)).error().reason())
        .isEqualTo(EngineError.Reason.RECEIPT_UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 43_201})
  void a_timeout_below_zero_or_above_twelve_hours_is_refused(long seconds) {
    queue.send("x");
    HandedOut message = queue.one();
    Bench.assertRefused(
        queue.change(message, seconds),
        message,
        EngineError.Reason.PARAMETER,
        "InvalidParameterValue",
        "Value " + seconds + " for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and 43200, if"
            + " provided.");
    assertThat(queue.holds(message)).isTrue();
  }
}
