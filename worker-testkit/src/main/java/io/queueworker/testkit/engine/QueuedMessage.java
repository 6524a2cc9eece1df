package io.queueworker.testkit.engine;

import io.queueworker.queue.MessageAttribute;
import java.util.Map;
import java.util.Optional;

/**
 * A message on a queue, as it is now. Immutable.
 *
 * @param id the message id
 * @param body the text as sent
 * @param attributes the sender's attributes
 * @param group the message group, if the sender set one
 * @param receiveCount how often it has been received
 */
public record QueuedMessage(
    String id, String body, Map<String, MessageAttribute> attributes, Optional<String> group, int receiveCount) {

  /** Names the message without its body and attributes. */
  @Override
  public String toString() {
    return "QueuedMessage[id=" + id + ", receiveCount=" + receiveCount + "]";
  }
}
