package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.queue.MessageCounts;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Messages that are sent with a delay. */
class DelayTest {

  @Test
  void a_delayed_message_is_hidden_and_not_in_flight_until_exactly_its_end() {
    Bench queue = Bench.standard();
    queue.passSeconds(5);
    queue.engine.send(NewMessage.of("x").delayedBy(Duration.ofSeconds(10)), queue.now);
    assertThat(queue.engine.counts(queue.now)).isEqualTo(new MessageCounts(0, 0, 1));
    assertThat(queue.engine.nextChange(queue.now)).hasValue(Duration.ofSeconds(15).toNanos());
    queue.pass(Duration.ofSeconds(10).minusNanos(1));
    assertThat(queue.take(1)).isEmpty();
    queue.pass(Duration.ofNanos(1));
    assertThat(queue.engine.counts(queue.now)).isEqualTo(new MessageCounts(1, 0, 0));
    assertThat(queue.one().receiveCount()).isEqualTo(1);
    assertThat(queue.engine.counts(queue.now)).isEqualTo(new MessageCounts(0, 1, 0));
  }

  @Test
  void the_queues_own_delay_holds_for_messages_that_give_none() {
    Bench queue = Bench.standard();
    queue.engine.settings().delay(Duration.ofSeconds(7));
    queue.send("by the queue");
    queue.engine.send(NewMessage.of("by itself").delayedBy(Duration.ZERO), queue.now);
    assertThat(queue.visible()).containsExactly("by itself");
    queue.passSeconds(7);
    assertThat(queue.visible()).containsExactly("by the queue", "by itself");
  }

  @Test
  void a_released_message_is_not_delayed_again() {
    Bench queue = Bench.standard();
    queue.engine.settings().delay(Duration.ofSeconds(7));
    queue.send("x");
    queue.passSeconds(7);
    queue.change(queue.one(), 0);
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void on_a_fifo_queue_a_delayed_message_holds_its_followers_back() {
    Bench queue = Bench.fifo();
    queue.engine.settings().delay(Duration.ofSeconds(7));
    queue.send("m1", "g");
    queue.engine.settings().delay(Duration.ZERO);
    queue.send("m2", "g");
    assertThat(queue.take(10)).isEmpty();
    queue.passSeconds(7);
    assertThat(queue.bodies(10)).containsExactly("m1", "m2");
  }
}
