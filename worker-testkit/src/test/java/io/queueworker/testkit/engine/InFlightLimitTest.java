package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** How many messages may be in flight (docs/queue-facts.md A5); {@link LongPollsTest} shows long polls. */
class InFlightLimitTest {

  @Test
  void at_the_limit_a_standard_queue_brings_nothing_and_a_short_poll_is_told_so() {
    Bench queue = Bench.standard();
    queue.engine.settings().inFlightLimit(2);
    for (int i = 0; i < 3; i++) {
      queue.send("x" + i);
    }
    assertThat(queue.bodies(10)).containsExactly("x0", "x1");
    assertThat(queue.take(10)).isEmpty();
    assertThatThrownBy(() -> queue.engine.requireRoom(queue.now))
        .isInstanceOfSatisfying(
            EngineException.class,
            refused -> {
              assertThat(refused.error().code()).isEqualTo("OverLimit");
              assertThat(refused.error().status()).isEqualTo(403);
            });
  }

  @Test
  void a_delete_or_the_end_of_a_timeout_makes_room() {
    Bench queue = Bench.standard();
    queue.engine.settings().inFlightLimit(1);
    queue.send("a");
    queue.send("b");
    queue.delete(queue.one());
    assertThat(queue.bodies(10)).containsExactly("b");
    queue.passSeconds(30);
    assertThat(queue.bodies(10)).containsExactly("b");
  }

  @Test
  void a_fifo_queue_brings_nothing_and_never_an_error() {
    Bench queue = Bench.fifo();
    queue.engine.settings().inFlightLimit(1);
    queue.send("a", "a");
    queue.send("b", "b");
    queue.one();
    assertThatCode(() -> queue.engine.requireRoom(queue.now)).doesNotThrowAnyException();
    assertThat(queue.take(10)).isEmpty();
  }

  @Test
  void it_is_120_000_unless_set() {
    assertThat(Bench.standard().engine.settings().inFlightLimit()).isEqualTo(120_000);
  }
}
