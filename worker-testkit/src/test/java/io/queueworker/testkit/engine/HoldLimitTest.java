package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The twelve hours that one receive can hold a message (docs/queue-facts.md A1). */
class HoldLimitTest {

  private final Bench queue = Bench.standard();

  private HandedOut received() {
    queue.send("x");
    return queue.one();
  }

  private void assertBeyond(HandedOut message, long seconds) {
    Bench.assertRefused(
        queue.change(message, seconds),
        message,
        EngineError.Reason.HOLD_LIMIT,
        "InvalidParameterValue",
        "Value " + seconds
            + " for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is"
            + " beyond the limit [43200 seconds]");
  }

  @Test
  void twelve_hours_at_the_very_moment_of_the_receive_are_allowed_and_a_nanosecond_later_not() {
    HandedOut message = received();
    Bench.assertDone(queue.change(message, 43_200));
    queue.pass(Duration.ofNanos(1));
    assertBeyond(message, 43_200);
    Bench.assertDone(queue.change(message, 43_199));
  }

  @Test
  void the_service_does_not_clamp_and_the_old_timeout_stays() {
    HandedOut message = received();
    queue.passSeconds(29);
    assertBeyond(message, 43_200);
    queue.passSeconds(1);
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void extending_does_not_start_the_twelve_hours_anew() {
    HandedOut message = received();
    for (int hour = 0; hour < 11; hour++) {
      Bench.assertDone(queue.change(message, 7200));
      queue.passSeconds(3600);
    }
    assertBeyond(message, 3601);
    Bench.assertDone(queue.change(message, 3600));
  }

  @Test
  void the_twelve_hours_count_from_the_arrival_of_the_request_and_not_from_the_answer() {
    queue.send("x");
    long requestedAt = queue.now;
    queue.passSeconds(20);
    HandedOut message =
        queue.engine
            .receive(1, Duration.ofSeconds(30).toNanos(), requestedAt, queue.now, Optional.empty())
            .get(0);
    assertBeyond(message, 43_181);
    Bench.assertDone(queue.change(message, 43_180));
  }

  @Test
  void a_second_receive_has_twelve_hours_of_its_own() {
    received();
    queue.passSeconds(40_000);
    HandedOut second = queue.one();
    Bench.assertDone(queue.change(second, 43_200));
  }

  @Test
  void an_old_receipt_has_the_twelve_hours_of_the_receive_that_it_acts_on() {
    HandedOut old = received();
    queue.passSeconds(40_000);
    queue.one();
    Bench.assertDone(queue.change(old, 43_200));
  }

  @Test
  void a_delete_is_refused_after_twelve_hours_and_not_at_them() {
    HandedOut message = received();
    queue.change(message, 43_200);
    queue.passSeconds(43_200);
    queue.pass(Duration.ofNanos(1));
    Bench.assertExpired(queue.delete(message), message);
    assertThat(queue.visible()).containsExactly("x");
    queue.now -= 1;
    Bench.assertDone(queue.delete(message));
  }

  @Test
  void an_old_receipt_is_refused_after_its_own_twelve_hours_although_somebody_holds_the_message() {
    HandedOut old = received();
    queue.passSeconds(43_190);
    HandedOut current = queue.one();
    queue.passSeconds(11);
    Bench.assertExpired(queue.change(old, 0), old);
    Bench.assertExpired(queue.delete(old), old);
    assertThat(queue.holds(current)).isTrue();
  }

  @Test
  void a_receive_that_waited_hides_for_no_longer_than_twelve_hours_from_its_arrival() {
    queue.send("x");
    long requestedAt = queue.now;
    queue.passSeconds(20);
    HandedOut message =
        queue.engine
            .receive(1, Duration.ofHours(12).toNanos(), requestedAt, queue.now, Optional.empty())
            .get(0);
    queue.passSeconds(43_179);
    assertThat(queue.holds(message)).isTrue();
    queue.passSeconds(1);
    assertThat(queue.holds(message)).isFalse();
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void a_repeated_receive_does_not_start_the_twelve_hours_anew() {
    Bench fifo = Bench.fifo();
    fifo.engine.settings().visibility(Duration.ofHours(12));
    fifo.send("x", "g");
    HandedOut message = fifo.take(1, "attempt").get(0);
    fifo.passSeconds(200);
    assertThat(fifo.take(1, "attempt")).hasSize(1);
    fifo.passSeconds(43_000);
    assertThat(fifo.holds(message)).isFalse();
  }

  @Test
  void each_receipt_of_a_message_that_came_twice_has_twelve_hours_of_its_own() {
    queue.engine.settings().visibility(Duration.ofHours(1)).duplicates(1);
    queue.send("x");
    HandedOut first = queue.one();
    queue.now = queue.engine.nextChange(queue.now).orElseThrow();
    long apart = queue.now;
    assertThat(apart).isPositive();
    HandedOut second = queue.one();
    assertBeyond(first, 43_200);
    Bench.assertDone(queue.change(second, 43_200));
  }
}
