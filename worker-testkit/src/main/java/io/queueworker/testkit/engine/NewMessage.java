package io.queueworker.testkit.engine;

import io.queueworker.queue.MessageAttribute;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a sender gives to a queue. Immutable.
 *
 * @param body the text
 * @param attributes the sender's attributes by name
 * @param group the message group; on a standard queue a tenant that orders nothing (docs/queue-facts.md A4)
 * @param deduplicationId what a FIFO queue recognises a second send of the same message by
 * @param delay how long the message stays hidden at first; empty leaves it to the queue
 * @param traceHeader the system attribute {@code AWSTraceHeader}
 */
public record NewMessage(
    String body,
    Map<String, MessageAttribute> attributes,
    Optional<String> group,
    Optional<String> deduplicationId,
    Optional<Duration> delay,
    Optional<String> traceHeader) {

  public NewMessage {
    attributes = Map.copyOf(attributes);
  }

  /** A message that is only a body. */
  public static NewMessage of(String body) {
    return new NewMessage(
        body, Map.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** This message with these attributes of the sender. */
  public NewMessage withAttributes(Map<String, MessageAttribute> sendersOwn) {
    return new NewMessage(body, sendersOwn, group, deduplicationId, delay, traceHeader);
  }

  /** This message with these attributes of the sender, all of type {@code String}. */
  public NewMessage withTexts(Map<String, String> sendersOwn) {
    Map<String, MessageAttribute> texts = new HashMap<>();
    sendersOwn.forEach((name, value) -> texts.put(name, MessageAttribute.text(value)));
    return withAttributes(texts);
  }

  /** This message in a group. */
  public NewMessage inGroup(String name) {
    return new NewMessage(body, attributes, Optional.of(name), deduplicationId, delay, traceHeader);
  }

  /** This message with a deduplication id. */
  public NewMessage deduplicatedBy(String id) {
    return new NewMessage(body, attributes, group, Optional.of(id), delay, traceHeader);
  }

  /** This message with a delay of its own. */
  public NewMessage delayedBy(Duration length) {
    return new NewMessage(body, attributes, group, deduplicationId, Optional.of(length), traceHeader);
  }

  /** Names the message without its body and attributes. */
  @Override
  public String toString() {
    return "NewMessage[group=" + group.orElse("") + "]";
  }
}
