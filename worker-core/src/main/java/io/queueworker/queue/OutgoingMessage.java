package io.queueworker.queue;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A message to be sent. Immutable, so thread-safe.
 *
 * @param body the text
 * @param attributes the sender's attributes by name
 * @param group the message group; a FIFO queue asks for one, on a standard queue it orders nothing
 * @param deduplicationId what a FIFO queue recognises a second send of the same message by; empty on other queues
 * @param traceHeader the service's own attribute {@code AWSTraceHeader}, which ties a message to a trace, if there is one
 */
public record OutgoingMessage(
    String body,
    Map<String, MessageAttribute> attributes,
    Optional<String> group,
    Optional<String> deduplicationId,
    Optional<String> traceHeader) {

  public OutgoingMessage {
    attributes = Map.copyOf(attributes);
  }

  /** A message without a trace header. */
  public OutgoingMessage(
      String body,
      Map<String, MessageAttribute> attributes,
      Optional<String> group,
      Optional<String> deduplicationId) {
    this(body, attributes, group, deduplicationId, Optional.empty());
  }

  /**
   * The same content as a received message: body, attributes with their types, group and trace header. It has no
   * deduplication id: on a FIFO queue {@linkplain #deduplicatedBy give} one.
   */
  public static OutgoingMessage copyOf(ReceivedMessage message) {
    Map<String, MessageAttribute> attributes = new HashMap<>();
    message.attributes().forEach(
        (name, value) -> attributes.put(
            name, new MessageAttribute(message.attributeTypes().getOrDefault(name, MessageAttribute.TEXT), value)));
    return new OutgoingMessage(
        message.body(), attributes, message.group(), Optional.empty(),
        Optional.ofNullable(message.system().get("AWSTraceHeader")));
  }

  /** This message with these attributes instead of its own. */
  public OutgoingMessage withAttributes(Map<String, MessageAttribute> others) {
    return new OutgoingMessage(body, others, group, deduplicationId, traceHeader);
  }

  /** This message with a deduplication id, for a FIFO queue. */
  public OutgoingMessage deduplicatedBy(String id) {
    return new OutgoingMessage(body, attributes, group, Optional.of(id), traceHeader);
  }

  /** Says how much there is, without body, attributes or group. */
  @Override
  public String toString() {
    return "OutgoingMessage[" + body.length() + " characters, " + attributes.size() + " attributes]";
  }
}
