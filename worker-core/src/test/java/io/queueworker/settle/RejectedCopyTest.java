package io.queueworker.settle;

import static io.queueworker.queue.RejectAttributes.DEDUPLICATION_ID;
import static io.queueworker.queue.RejectAttributes.EXCEPTION;
import static io.queueworker.queue.RejectAttributes.ORIGINAL_MESSAGE_ID;
import static io.queueworker.queue.RejectAttributes.REASON;
import static io.queueworker.queue.RejectAttributes.RECEIVE_COUNT;
import static io.queueworker.queue.RejectAttributes.SOURCE_QUEUE;
import static io.queueworker.queue.RejectAttributes.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.queue.MessageAttribute;
import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes to the dead-letter queue, within ten attributes and 1,048,576 bytes. */
class RejectedCopyTest {

  private static final int LARGEST = 1_048_576;
  private static final Rejection WHY = new Rejection("poison", Optional.of("java.io.IOException"));

  private static ReceivedMessage message(String body, Map<String, String> attributes, Map<String, String> types) {
    return new ReceivedMessage(
        "m1", new Receipt("r"), body, attributes, types, 4, Optional.empty(), Optional.of("g"),
        Map.of("MessageDeduplicationId", "d1", "AWSTraceHeader", "Root=1"));
  }

  private static Map<String, String> own(int count) {
    Map<String, String> own = new HashMap<>();
    for (int i = 0; i < count; i++) {
      own.put("a" + i, "v");
    }
    return own;
  }

  private static Optional<OutgoingMessage> copy(ReceivedMessage message, boolean fifo) {
    return RejectedCopy.of(message, WHY, "orders", "w1", fifo);
  }

  private static Map<String, MessageAttribute> attributes(ReceivedMessage message, Rejection why, boolean fifo) {
    return RejectedCopy.of(message, why, "orders", "w1", fifo).orElseThrow().attributes();
  }

  @Test
  void a_copy_is_true_and_says_where_it_comes_from() {
    OutgoingMessage copy =
        copy(message("body", Map.of("n", "12", "b", "AP8="), Map.of("n", "Number", "b", "Binary.png")), false)
            .orElseThrow();
    assertThat(copy.body()).isEqualTo("body");
    assertThat(copy.group()).contains("g");
    assertThat(copy.traceHeader()).contains("Root=1");
    assertThat(copy.deduplicationId()).isEmpty();
    assertThat(copy.attributes())
        .containsOnly(
            Map.entry("n", new MessageAttribute("Number", "12")),
            Map.entry("b", new MessageAttribute("Binary.png", "AP8=")),
            Map.entry(ORIGINAL_MESSAGE_ID, MessageAttribute.text("m1")),
            Map.entry(SOURCE_QUEUE, MessageAttribute.text("orders")),
            Map.entry(REASON, MessageAttribute.text("poison")),
            Map.entry(EXCEPTION, MessageAttribute.text("java.io.IOException")),
            Map.entry(RECEIVE_COUNT, new MessageAttribute("Number", "4")),
            Map.entry(WORKER, MessageAttribute.text("w1")));
  }

  @Test
  void on_a_fifo_queue_the_message_id_deduplicates_and_the_senders_id_is_kept() {
    OutgoingMessage copy = copy(message("body", Map.of(), Map.of()), true).orElseThrow();
    assertThat(copy.deduplicationId()).contains("m1");
    assertThat(copy.attributes()).containsEntry(DEDUPLICATION_ID, MessageAttribute.text("d1"));
  }

  @ParameterizedTest
  @CsvSource({"3, 10", "4, 10", "7, 10", "8, 10", "9, 10", "10, 0"})
  void ours_are_left_out_from_the_end_and_never_the_senders(int own, int together) {
    Optional<OutgoingMessage> copy = copy(message("body", own(own), Map.of()), true);
    assertThat(copy.map(one -> one.attributes().size()).orElse(0)).isEqualTo(together);
    copy.ifPresent(one -> {
      assertThat(one.attributes()).containsKeys(own(own).keySet().toArray(String[]::new));
      assertThat(one.attributes()).containsKey(ORIGINAL_MESSAGE_ID);
      assertThat(one.attributes().containsKey(REASON)).isEqualTo(own <= 7);
      assertThat(one.attributes().containsKey(SOURCE_QUEUE)).isEqualTo(own <= 8);
      assertThat(one.attributes().containsKey(DEDUPLICATION_ID)).isEqualTo(own <= 3);
    });
  }

  @Test
  void a_body_without_room_for_the_id_is_not_copied_and_one_byte_less_is() {
    int id = ORIGINAL_MESSAGE_ID.length() + "String".length() + "m1".length();
    assertThat(copy(message("b".repeat(LARGEST - id + 1), Map.of(), Map.of()), false)).isEmpty();
    assertThat(copy(message("b".repeat(LARGEST - id), Map.of(), Map.of()), false).orElseThrow().attributes())
        .containsOnlyKeys(ORIGINAL_MESSAGE_ID);
  }

  @Test
  void size_is_counted_in_bytes_and_binary_ones_by_what_they_stand_for() {
    int id = ORIGINAL_MESSAGE_ID.length() + "String".length() + "m1".length();
    int binary = "b".length() + "Binary".length() + 3;
    Map<String, String> own = Map.of("b", "AAAA");
    Map<String, String> types = Map.of("b", "Binary");
    String umlauts = "ä".repeat((LARGEST - id - binary) / 2);
    assertThat(copy(message(umlauts, own, types), false)).isPresent();
    assertThat(copy(message(umlauts + "ää", own, types), false)).isEmpty();
  }

  @Test
  void a_reason_is_cut_and_rid_of_what_the_service_refuses() {
    Rejection bad = new Rejection("a\u0000b\uD800c\uFFFEd\te\uD83D\uDE00", Optional.empty());
    assertThat(attributes(message("", Map.of(), Map.of()), bad, false))
        .containsEntry(REASON, MessageAttribute.text("a b c d\te\uD83D\uDE00"))
        .doesNotContainKey(EXCEPTION);
    Rejection endless = new Rejection("\uD83D\uDE00".repeat(5_000), Optional.empty());
    MessageAttribute cut = attributes(message("", Map.of(), Map.of()), endless, false).get(REASON);
    assertThat(cut.value().codePointCount(0, cut.value().length())).isEqualTo(1_001);
    assertThat(cut.value()).endsWith("…");
  }

  @Test
  void an_empty_reason_is_no_attribute() {
    assertThat(attributes(message("", Map.of(), Map.of()), new Rejection("", Optional.empty()), false))
        .doesNotContainKey(REASON).containsKey(WORKER);
  }

  @Test
  void what_an_earlier_reject_said_gives_way_but_for_the_ids() {
    Map<String, String> before =
        Map.of(
            ORIGINAL_MESSAGE_ID, "m0", SOURCE_QUEUE, "before", REASON, "old", EXCEPTION, "Old", WORKER, "w0",
            DEDUPLICATION_ID, "d0");
    assertThat(attributes(message("", before, Map.of()), new Rejection("new", Optional.empty()), true))
        .containsEntry(ORIGINAL_MESSAGE_ID, MessageAttribute.text("m0"))
        .containsEntry(DEDUPLICATION_ID, MessageAttribute.text("d0"))
        .containsEntry(SOURCE_QUEUE, MessageAttribute.text("orders"))
        .containsEntry(REASON, MessageAttribute.text("new"))
        .containsEntry(WORKER, MessageAttribute.text("w1"))
        .doesNotContainKey(EXCEPTION);
  }
}
