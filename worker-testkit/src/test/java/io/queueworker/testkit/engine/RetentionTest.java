package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a queue keeps a message (docs/queue-facts.md A5). */
class RetentionTest {

  private final Bench queue = Bench.standard();

  @Test
  void a_message_is_there_until_exactly_the_end_of_its_retention() {
    queue.engine.settings().retention(Duration.ofSeconds(60));
    queue.send("x");
    queue.pass(Duration.ofSeconds(60).minusNanos(1));
    assertThat(queue.visible()).containsExactly("x");
    queue.pass(Duration.ofNanos(1));
    assertThat(queue.visible()).isEmpty();
    assertThat(queue.take(10)).isEmpty();
  }

  @Test
  void it_is_four_days_unless_set() {
    queue.send("x");
    queue.pass(Duration.ofDays(4).minusNanos(1));
    assertThat(queue.visible()).hasSize(1);
    queue.pass(Duration.ofNanos(1));
    assertThat(queue.visible()).isEmpty();
  }

  @Test
  void it_goes_on_while_a_message_is_in_flight_and_the_delete_is_no_error() {
    queue.engine.settings().retention(Duration.ofSeconds(60));
    queue.send("x");
    queue.passSeconds(50);
    HandedOut message = queue.one();
    queue.passSeconds(10);
    assertThat(queue.hidden()).isEmpty();
    assertThat(queue.holds(message)).isFalse();
    Bench.assertGone(queue.change(message, 30), message);
    Bench.assertWithoutEffect(queue.delete(message));
    assertThat(queue.engine.deleted()).isEmpty();
  }

  @Test
  void a_release_does_not_start_it_anew() {
    queue.engine.settings().retention(Duration.ofSeconds(60));
    queue.send("x");
    queue.passSeconds(59);
    queue.change(queue.one(), 0);
    queue.passSeconds(1);
    assertThat(queue.visible()).isEmpty();
  }

  @Test
  void younger_messages_stay() {
    queue.engine.settings().retention(Duration.ofSeconds(60));
    queue.send("old");
    queue.passSeconds(30);
    queue.send("young");
    queue.passSeconds(30);
    assertThat(queue.visible()).containsExactly("young");
    queue.passSeconds(30);
    assertThat(queue.visible()).isEmpty();
  }
}
