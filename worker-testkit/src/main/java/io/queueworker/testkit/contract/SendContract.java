package io.queueworker.testkit.contract;

import static io.queueworker.testkit.contract.QueueCaller.CALL;
import static io.queueworker.testkit.contract.QueueCaller.HELD;
import static io.queueworker.testkit.contract.QueueCaller.done;
import static io.queueworker.testkit.contract.QueueCaller.on;
import static io.queueworker.testkit.contract.QueueCaller.onHeldQueue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.queueworker.queue.MessageAttribute;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.SendResult;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the port promises about sends and about the dead-letter queue. */
public interface SendContract extends QueueUnderTest {

  /** A message comes as it was sent, and a copy of it comes as it was received: body, attributes with types, group. */
  @Test
  default void a_copy_of_a_received_message_is_a_true_copy() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      Map<String, MessageAttribute> attributes =
          Map.of(
              "text", MessageAttribute.text("päper \uD83D\uDE00"),
              "number", new MessageAttribute("Number", "12"),
              "labelled", new MessageAttribute("Number.int", "13"),
              "binary", new MessageAttribute("Binary", base64(0, 255, 10)),
              "png", new MessageAttribute("Binary.png", base64(1, 2)));
      OutgoingMessage sent = message(caller, "{\"ä\": 1}\n", "first").withAttributes(attributes);
      String firstId = sent(caller.queue.send(sent, CALL));

      ReceivedMessage first = caller.receiveOne();
      assertEquals(firstId, first.id());
      assertEquals(sent.body(), first.body());
      assertEquals(sent.group(), first.group());
      assertEquals(attributes, OutgoingMessage.copyOf(first).attributes());
      assertEquals("12", first.attributes().get("number"));
      assertEquals(base64(0, 255, 10), first.attributes().get("binary"));
      assertEquals(
          Map.of("number", "Number", "labelled", "Number.int", "binary", "Binary", "png", "Binary.png"),
          first.attributeTypes());
      done(caller.delete(first.receipt()), "the delete");

      OutgoingMessage copy = OutgoingMessage.copyOf(first);
      String secondId = sent(caller.queue.send(caller.traits.fifo() ? copy.deduplicatedBy("second") : copy, CALL));
      ReceivedMessage second = caller.receiveOne();
      assertNotEquals(firstId, secondId);
      assertEquals(secondId, second.id());
      assertEquals(first.body(), second.body());
      assertEquals(first.group(), second.group());
      assertEquals(first.attributes(), second.attributes());
      assertEquals(first.attributeTypes(), second.attributeTypes());
    });
  }

  /** A message without attributes is one. */
  @Test
  default void a_message_that_is_only_a_body_comes_as_it_was_sent() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      sent(caller.queue.send(message(caller, "a", "first"), CALL));
      ReceivedMessage message = caller.receiveOne();
      assertEquals("a", message.body());
      assertEquals(Map.of(), message.attributes());
      assertEquals(Map.of(), message.attributeTypes());
    });
  }

  /** What the service will never take is refused, and the queue stays empty. */
  @Test
  default void a_message_that_is_too_large_is_refused() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      SendResult answer = caller.queue.send(message(caller, "a".repeat(1_048_577), "large"), CALL);
      assertTrue(!assertInstanceOf(SendResult.Refused.class, answer).reason().isBlank());
      caller.counts(0, 0);
    });
  }

  /** Ten attributes are allowed, and eleven are refused. */
  @Test
  default void a_message_takes_ten_attributes_and_no_eleventh() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      Map<String, MessageAttribute> attributes = new HashMap<>();
      for (int i = 0; i < 10; i++) {
        attributes.put("a" + i, MessageAttribute.text("v" + i));
      }
      sent(caller.queue.send(message(caller, "ten", "ten").withAttributes(attributes), CALL));
      attributes.put("a10", MessageAttribute.text("v10"));
      assertInstanceOf(
          SendResult.Refused.class,
          caller.queue.send(message(caller, "eleven", "eleven").withAttributes(attributes), CALL));
      assertEquals(10, caller.receiveOne().attributes().size());
    });
  }

  /** A call for which no time is left is not made. */
  @Test
  default void a_send_without_time_is_not_made() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      assertInstanceOf(
          SendResult.Retryable.class, caller.queue.send(message(caller, "a", "none"), Duration.ZERO));
      caller.counts(0, 0);
    });
  }

  /** The redrive policy names the dead-letter queue, and the port leads to it; closing that closes nothing. */
  @Test
  default void the_dead_letter_queue_is_named_and_takes_messages() throws Exception {
    on(this, SubjectSettings.visibility(HELD).maxReceiveCount(3), (queue, caller) -> {
      try (MessageQueue there = queue.connectDeadLetters()) {
        assertEquals(Optional.of(there.name()), caller.queue.attributes().deadLetterQueue());
        MessageQueue dead = caller.queue.deadLetters().orElseThrow();
        assertEquals(there.name(), dead.name());
        assertEquals(caller.traits, dead.traits());
        String id = sent(dead.send(message(caller, "poison", "poison"), CALL));
        dead.close();
        assertEquals(id, new QueueCaller(queue, there).receiveOne().id());
        queue.send("still open");
        assertEquals("still open", caller.receiveOne().body());
      }
    });
  }

  /** A queue without a redrive policy has none. */
  @Test
  default void a_queue_without_a_redrive_policy_has_no_dead_letter_queue() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      assertEquals(Optional.empty(), caller.queue.attributes().deadLetterQueue());
      assertEquals(Optional.empty(), caller.queue.deadLetters().map(MessageQueue::name));
    });
  }

  private static OutgoingMessage message(QueueCaller caller, String body, String deduplicationId) {
    return caller.traits.fifo()
        ? new OutgoingMessage(body, Map.of(), Optional.of("group"), Optional.of(deduplicationId))
        : new OutgoingMessage(body, Map.of(), Optional.empty(), Optional.empty());
  }

  private static String sent(SendResult answer) {
    return assertInstanceOf(SendResult.Sent.class, answer).messageId();
  }

  private static String base64(int... bytes) {
    byte[] raw = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      raw[i] = (byte) bytes[i];
    }
    return Base64.getEncoder().encodeToString(raw);
  }
}
