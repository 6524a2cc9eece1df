package io.queueworker.deadletter;

import io.queueworker.queue.MessageAttribute;
import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.RejectAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is sent back for a dead letter. Stateless. */
final class WayBack {

  /** What a reject adds. */
  static final Set<String> REJECT_ATTRIBUTES =
      Set.of(
          RejectAttributes.ORIGINAL_MESSAGE_ID,
          RejectAttributes.SOURCE_QUEUE,
          RejectAttributes.REASON,
          RejectAttributes.EXCEPTION,
          RejectAttributes.RECEIVE_COUNT,
          RejectAttributes.WORKER,
          RejectAttributes.DEDUPLICATION_ID);

  /** How many attributes a message may have (docs/queue-facts.md A5). */
  private static final int MOST_ATTRIBUTES = 10;

  private WayBack() {}

  /**
   * A true copy of the message with its first id as an attribute and without what a reject added; empty when there is no room
   * for the id and the workers' keys need it.
   */
  static Optional<OutgoingMessage> of(ReceivedMessage letter, boolean fifo, KeySource keys) {
    OutgoingMessage copy = OutgoingMessage.copyOf(letter);
    Map<String, MessageAttribute> attributes = new HashMap<>(copy.attributes());
    MessageAttribute first = attributes.get(RejectAttributes.ORIGINAL_MESSAGE_ID);
    attributes.keySet().removeAll(REJECT_ATTRIBUTES);
    if (attributes.size() < MOST_ATTRIBUTES) {
      attributes.put(
          RejectAttributes.ORIGINAL_MESSAGE_ID, first == null ? MessageAttribute.text(letter.id()) : first);
    } else if (keys == KeySource.MESSAGE_ID) {
      return Optional.empty();
    }
    OutgoingMessage back = copy.withAttributes(attributes);
    return Optional.of(fifo ? back.deduplicatedBy(deduplicationId(letter.id())) : back);
  }

  /** The same without the first id, for keys that do not need it. */
  static OutgoingMessage withoutFirstId(OutgoingMessage back) {
    Map<String, MessageAttribute> attributes = new HashMap<>(back.attributes());
    attributes.remove(RejectAttributes.ORIGINAL_MESSAGE_ID);
    return back.withAttributes(attributes);
  }

  /**
   * Never the sender's: within five minutes of the first send the queue would take the copy for a repetition and drop it, and
   * the delete would lose the message. But the same for each send of one dead letter, so that a send whose answer was lost adds
   * no second copy. A message that becomes a dead letter again has another id by then.
   */
  private static String deduplicationId(String deadLetterId) {
    return "redrive-" + deadLetterId;
  }
}
