package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A receive that is repeated under the same attempt id (docs/queue-facts.md A3). */
class AttemptsTest {

  private final Bench queue = Bench.fifo();

  @Test
  void a_repeated_receive_brings_the_same_messages_and_receipts_and_hides_them_anew() {
    queue.send("m1", "g");
    queue.send("m2", "g");
    List<HandedOut> first = queue.take(10, "attempt");
    queue.passSeconds(20);
    List<HandedOut> again = queue.take(10, "attempt");
    assertThat(again).isEqualTo(first);
    assertThat(again).extracting(HandedOut::receiveCount).containsExactly(1, 1);
    queue.pass(Duration.ofSeconds(30).minusNanos(1));
    assertThat(queue.holds(first.get(0))).isTrue();
    queue.pass(Duration.ofNanos(1));
    assertThat(queue.holds(first.get(0))).isFalse();
  }

  @Test
  void another_attempt_id_brings_other_messages() {
    queue.send("m1", "a");
    queue.send("m2", "b");
    queue.take(1, "attempt");
    assertThat(queue.take(1, "other")).extracting(HandedOut::body).containsExactly("m2");
  }

  @Test
  void a_receive_whose_messages_were_deleted_or_changed_is_not_repeated() {
    queue.send("m1", "a");
    queue.send("m2", "b");
    queue.send("m3", "c");
    queue.delete(queue.take(1, "deleted").get(0));
    queue.change(queue.take(1, "changed").get(0), 60);
    assertThat(queue.take(1, "deleted")).extracting(HandedOut::body).containsExactly("m3");
    assertThat(queue.take(1, "changed")).isEmpty();
  }

  @Test
  void after_the_timeout_the_same_id_is_a_new_receive() {
    queue.send("m1", "g");
    HandedOut first = queue.take(1, "attempt").get(0);
    queue.passSeconds(30);
    HandedOut second = queue.take(1, "attempt").get(0);
    assertThat(second.receipt()).isNotEqualTo(first.receipt());
    assertThat(second.receiveCount()).isEqualTo(2);
    assertThat(queue.take(1, "attempt")).containsExactly(second);
  }

  @Test
  void an_attempt_is_remembered_for_five_minutes() {
    queue.engine.settings().visibility(Duration.ofHours(1));
    queue.send("m1", "g");
    List<HandedOut> first = queue.take(1, "attempt");
    queue.pass(Duration.ofMinutes(5).minusNanos(1));
    assertThat(queue.take(1, "attempt")).isEqualTo(first);
    queue.pass(Duration.ofNanos(1));
    assertThat(queue.take(1, "attempt")).isEmpty();
  }

  @Test
  void an_attempt_that_brought_nothing_is_not_remembered() {
    assertThat(queue.take(1, "attempt")).isEmpty();
    queue.send("m1", "g");
    assertThat(queue.take(1, "attempt")).hasSize(1);
  }

  @Test
  void a_standard_queue_heeds_no_attempt_id() {
    Bench standard = Bench.standard();
    standard.send("x");
    assertThat(standard.take(1, "attempt")).hasSize(1);
    assertThat(standard.take(1, "attempt")).isEmpty();
  }
}
