package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.queue.MessageAttribute;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a FIFO queue recognises as sent before (docs/queue-facts.md A3). */
class DeduplicationTest {

  private final Bench queue = Bench.fifo();

  private SentMessage send(String body, String group, String id) {
    return queue.engine.send(NewMessage.of(body).inGroup(group).deduplicatedBy(id), queue.now);
  }

  @Test
  void a_repetition_within_five_minutes_is_answered_like_the_first_and_adds_nothing() {
    SentMessage first = send("x", "g", "d");
    queue.pass(Duration.ofMinutes(5).minusNanos(1));
    SentMessage again = send("another body", "g", "d");
    assertThat(again).isEqualTo(new SentMessage(first.id(), first.sequenceNumber(), true));
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void exactly_five_minutes_after_the_first_send_it_is_a_new_message() {
    SentMessage first = send("x", "g", "d");
    queue.pass(Duration.ofMinutes(4));
    send("x", "g", "d");
    queue.pass(Duration.ofMinutes(1));
    SentMessage again = send("x", "g", "d");
    assertThat(again.deduplicated()).isFalse();
    assertThat(again.id()).isNotEqualTo(first.id());
    assertThat(queue.visible()).hasSize(2);
  }

  @Test
  void a_repetition_is_recognised_after_the_first_was_deleted() {
    send("x", "g", "d");
    queue.delete(queue.one());
    assertThat(send("x", "g", "d").deduplicated()).isTrue();
    assertThat(queue.take(10)).isEmpty();
  }

  @Test
  void the_body_stands_in_for_an_id_when_the_queue_says_so_whatever_the_attributes() {
    queue.engine.settings().contentBasedDeduplication(true);
    NewMessage message = NewMessage.of("x").inGroup("g");
    queue.engine.send(message, queue.now);
    SentMessage again =
        queue.engine.send(
            message.withAttributes(java.util.Map.of("a", MessageAttribute.text("other"))), queue.now);
    assertThat(again.deduplicated()).isTrue();
    assertThat(queue.engine.send(NewMessage.of("y").inGroup("g"), queue.now).deduplicated()).isFalse();
    assertThat(queue.one().deduplicationId())
        .contains("2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881");
  }

  @Test
  void without_an_id_and_without_content_based_deduplication_a_send_is_refused() {
    assertThatThrownBy(() -> queue.engine.send(NewMessage.of("x").inGroup("g"), queue.now))
        .isInstanceOfSatisfying(
            EngineException.class,
            refused -> {
              assertThat(refused.error().code()).isEqualTo("InvalidParameterValue");
              assertThat(refused.error().message())
                  .isEqualTo(
                      "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided"
                          + " explicitly");
            });
  }

  @Test
  void a_queue_recognises_across_groups_unless_its_scope_is_the_group() {
    send("x", "g", "d");
    assertThat(send("x", "other", "d").deduplicated()).isTrue();
    queue.engine.purge();
    queue.engine.settings().deduplicationPerGroup(true);
    send("x", "g", "d");
    assertThat(send("x", "other", "d").deduplicated()).isFalse();
    assertThat(send("x", "g", "d").deduplicated()).isTrue();
  }

  @Test
  void a_purge_forgets_what_was_sent() {
    send("x", "g", "d");
    queue.engine.purge();
    assertThat(send("x", "g", "d").deduplicated()).isFalse();
  }

  @Test
  void sequence_numbers_have_twenty_digits_and_grow() {
    String first = send("x", "g", "1").sequenceNumber().orElseThrow();
    String second = send("x", "g", "2").sequenceNumber().orElseThrow();
    assertThat(first).matches("[0-9]{20}");
    assertThat(second).hasSize(20).isGreaterThan(first);
    assertThat(queue.one().sequenceNumber()).contains(first);
  }

  @Test
  void a_standard_queue_recognises_nothing() {
    Bench standard = Bench.standard();
    standard.send("x");
    standard.send("x");
    assertThat(standard.visible()).hasSize(2);
  }
}
