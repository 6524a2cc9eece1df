package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.queue.MessageCounts;
import org.junit.jupiter.api.Test;

/** What a delete does on a standard queue (docs/queue-facts.md A2). */
class StandardDeletesTest {

  private final Bench queue = Bench.standard();

  @Test
  void a_delete_works_while_the_message_is_held() {
    String id = queue.send("x");
    HandedOut message = queue.one();
    Bench.assertDone(queue.delete(message));
    assertThat(queue.engine.deleted()).containsExactly(id);
    queue.passSeconds(60);
    assertThat(queue.take(10)).isEmpty();
    assertThat(queue.engine.counts(queue.now)).isEqualTo(new MessageCounts(0, 0, 0));
  }

  @Test
  void a_delete_after_the_timeout_works_when_nobody_received_the_message_since() {
    queue.send("x");
    HandedOut message = queue.one();
    queue.passSeconds(30);
    Bench.assertDone(queue.delete(message));
    assertThat(queue.visible()).isEmpty();
  }

  @Test
  void a_delete_with_an_old_receipt_deletes_the_new_holders_message() {
    queue.send("x");
    HandedOut old = queue.one();
    queue.passSeconds(30);
    HandedOut current = queue.one();
    Bench.assertDone(queue.delete(old));
    assertThat(queue.holds(current)).isFalse();
    Bench.assertGone(queue.change(current, 30), current);
  }

  @Test
  void a_second_and_a_third_delete_are_no_errors_and_do_nothing() {
    queue.send("x");
    HandedOut message = queue.one();
    queue.delete(message);
    Bench.assertWithoutEffect(queue.delete(message));
    Bench.assertWithoutEffect(queue.delete(message));
    assertThat(queue.engine.deleted()).hasSize(1);
  }

  @Test
  void a_purge_takes_messages_away_also_in_flight_and_their_delete_is_no_error() {
    queue.send("a");
    queue.send("b");
    HandedOut message = queue.one();
    queue.engine.purge();
    assertThat(queue.engine.list(queue.now)).isEmpty();
    Bench.assertWithoutEffect(queue.delete(message));
    Bench.assertGone(queue.change(message, 30), message);
  }
}
