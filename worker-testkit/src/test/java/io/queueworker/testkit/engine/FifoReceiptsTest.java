package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a receipt of a FIFO queue is good (docs/queue-facts.md A1, A2). */
class FifoReceiptsTest {

  private final Bench queue = Bench.fifo();

  private HandedOut received() {
    queue.send("x", "g");
    return queue.one();
  }

  @Test
  void a_delete_works_until_just_before_the_end_of_the_timeout() {
    HandedOut message = received();
    queue.pass(Duration.ofSeconds(30).minusNanos(1));
    Bench.assertDone(queue.delete(message));
  }

  @Test
  void a_delete_exactly_at_the_end_of_the_timeout_is_refused() {
    HandedOut message = received();
    queue.passSeconds(30);
    Bench.assertExpired(queue.delete(message), message);
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void a_delete_in_the_extended_window_works() {
    HandedOut message = received();
    Bench.assertDone(queue.change(message, 60));
    queue.passSeconds(45);
    Bench.assertDone(queue.delete(message));
  }

  @Test
  void a_delete_after_a_release_is_refused() {
    HandedOut message = received();
    queue.change(message, 0);
    Bench.assertExpired(queue.delete(message), message);
  }

  @Test
  void an_old_receipt_neither_deletes_nor_changes_the_new_holders_message() {
    HandedOut old = received();
    queue.passSeconds(30);
    HandedOut current = queue.one();
    Bench.assertExpired(queue.delete(old), old);
    Bench.assertExpired(queue.change(old, 0), old);
    assertThat(queue.holds(current)).isTrue();
  }

  @Test
  void a_change_after_the_timeout_is_refused() {
    HandedOut message = received();
    queue.passSeconds(30);
    Bench.assertExpired(queue.change(message, 30), message);
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void a_second_delete_is_no_error() {
    HandedOut message = received();
    queue.delete(message);
    Bench.assertWithoutEffect(queue.delete(message));
    queue.passSeconds(31);
    Bench.assertWithoutEffect(queue.delete(message));
  }

  @Test
  void a_change_on_a_deleted_message_is_refused() {
    HandedOut message = received();
    queue.delete(message);
    Bench.assertGone(queue.change(message, 10), message);
  }
}
