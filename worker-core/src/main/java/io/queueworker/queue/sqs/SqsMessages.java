package io.queueworker.queue.sqs;

import io.queueworker.queue.MessageAttribute;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** Turns the SDK's messages into the port's; whatever the service left out is absent, never an error. Stateless. */
final class SqsMessages {

  private SqsMessages() {}

  /** The message as the port sees it. */
  static ReceivedMessage toReceived(Message message) {
    Map<String, String> system = new HashMap<>();
    message.attributesAsStrings().forEach((name, value) -> putPresent(system, name, value));
    Map<String, String> attributes = new HashMap<>();
    Map<String, String> types = new HashMap<>();
    message.messageAttributes().forEach((name, value) -> {
      putPresent(attributes, name, text(value));
      if (attributes.containsKey(name) && !MessageAttribute.TEXT.equals(value.dataType())) {
        putPresent(types, name, value.dataType());
      }
    });
    String body = message.body();
    return new ReceivedMessage(
        message.messageId(),
        new Receipt(message.receiptHandle()),
        body == null ? "" : body,
        attributes,
        types,
        Math.clamp(number(system.get("ApproximateReceiveCount"), 1), 1, Integer.MAX_VALUE),
        Optional.ofNullable(system.get("SentTimestamp")).map(sent -> number(sent, -1)).filter(sent -> sent >= 0)
            .map(Instant::ofEpochMilli),
        Optional.ofNullable(system.get("MessageGroupId")),
        system);
  }

  private static void putPresent(Map<String, String> map, String name, @Nullable String value) {
    if (value != null) {
      map.put(name, value);
    }
  }

  /** The value of a sender's attribute as text; Base64 when it is binary. */
  private static @Nullable String text(@Nullable MessageAttributeValue value) {
    if (value == null) {
      return null;
    }
    if (value.stringValue() != null) {
      return value.stringValue();
    }
    return value.binaryValue() == null
        ? null
        : Base64.getEncoder().encodeToString(value.binaryValue().asByteArrayUnsafe());
  }

  private static long number(@Nullable String text, long otherwise) {
    if (text == null) {
      return otherwise;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException notANumber) {
      return otherwise;
    }
  }
}
