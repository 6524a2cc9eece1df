package io.queueworker.queue;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One message as one receive brought it.
 *
 * @param id the service's message id; it stays the same when the message comes again, and changes when a dead-letter
 *     queue is redriven (queue-facts A6)
 * @param receipt the token of this receive
 * @param body the text, possibly empty, as sent
 * @param attributes the sender's attributes; binary ones as Base64
 * @param attributeTypes the types of those attributes that are not plain {@code String}, as the service names them
 * @param receiveCount how often the service counts it as received, at least 1; approximate, and 1 when the service did
 *     not say
 * @param sentAt when the service took it in, if it said so
 * @param group the message group, if the sender set one
 * @param system the service's own attributes by the service's names
 */
public record ReceivedMessage(
    String id,
    Receipt receipt,
    String body,
    Map<String, String> attributes,
    Map<String, String> attributeTypes,
    int receiveCount,
    Optional<Instant> sentAt,
    Optional<String> group,
    Map<String, String> system) {

  public ReceivedMessage {
    attributes = Map.copyOf(attributes);
    attributeTypes = Map.copyOf(attributeTypes);
    system = Map.copyOf(system);
    receiveCount = Math.max(1, receiveCount);
  }

  /** A message whose attributes are all plain text. */
  public ReceivedMessage(
      String id,
      Receipt receipt,
      String body,
      Map<String, String> attributes,
      int receiveCount,
      Optional<Instant> sentAt,
      Optional<String> group,
      Map<String, String> system) {
    this(id, receipt, body, attributes, Map.of(), receiveCount, sentAt, group, system);
  }

  /** Names the message without its body, attributes or receipt. */
  @Override
  public String toString() {
    return "ReceivedMessage[id=" + id + ", receiveCount=" + receiveCount + "]";
  }
}
