package io.queueworker.settle;

import io.queueworker.queue.MessageAttribute;
import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.RejectAttributes;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What of a rejected message goes to the dead-letter queue: a true copy, and as many of our attributes as there is room for,
 * the original message id first. None of the sender's own is ever left out. Not thread-safe: made and used by one thread.
 */
final class RejectedCopy {

  /** What a message may have at most, its body and attributes with names and types counted in bytes (docs/queue-facts.md A5). */
  private static final int MOST_ATTRIBUTES = 10;

  private static final long LARGEST = 1_048_576;

  /** A reason is for a person to read in a list. */
  private static final int LONGEST_REASON = 1_000;

  private final OutgoingMessage message;
  private final Map<String, MessageAttribute> attributes;
  private long bytes;

  private RejectedCopy(ReceivedMessage received) {
    message = OutgoingMessage.copyOf(received);
    attributes = new HashMap<>(message.attributes());
    // Of an earlier reject; what is said there is said anew.
    attributes.remove(RejectAttributes.SOURCE_QUEUE);
    attributes.remove(RejectAttributes.REASON);
    attributes.remove(RejectAttributes.EXCEPTION);
    attributes.remove(RejectAttributes.RECEIVE_COUNT);
    attributes.remove(RejectAttributes.WORKER);
    bytes = utf8(message.body());
    attributes.forEach((name, attribute) -> bytes += size(name, attribute));
  }

  /**
   * The copy, or nothing when there is no room for the original message id, without which it would lose its key.
   *
   * @param source the name of the queue that the message is rejected from
   */
  static Optional<OutgoingMessage> of(
      ReceivedMessage received, Rejection why, String source, String worker, boolean fifo) {
    RejectedCopy copy = new RejectedCopy(received);
    copy.keep(RejectAttributes.ORIGINAL_MESSAGE_ID, received.id());
    if (!copy.attributes.containsKey(RejectAttributes.ORIGINAL_MESSAGE_ID)) {
      return Optional.empty();
    }
    copy.add(RejectAttributes.SOURCE_QUEUE, MessageAttribute.text(source));
    copy.add(RejectAttributes.REASON, MessageAttribute.text(fit(why.reason())));
    why.exception().ifPresent(type -> copy.add(RejectAttributes.EXCEPTION, MessageAttribute.text(fit(type))));
    copy.add(
        RejectAttributes.RECEIVE_COUNT, new MessageAttribute("Number", Integer.toString(received.receiveCount())));
    copy.add(RejectAttributes.WORKER, MessageAttribute.text(fit(worker)));
    String deduplicationId = received.system().get("MessageDeduplicationId");
    if (fifo && deduplicationId != null) {
      copy.keep(RejectAttributes.DEDUPLICATION_ID, deduplicationId);
    }
    OutgoingMessage whole = copy.message.withAttributes(copy.attributes);
    return Optional.of(fifo ? whole.deduplicatedBy(received.id()) : whole);
  }

  /** The copy with the original message id as its only attribute of ours. */
  static OutgoingMessage bare(OutgoingMessage copy) {
    Map<String, MessageAttribute> attributes = new HashMap<>(copy.attributes());
    attributes.keySet().removeIf(
        name -> name.startsWith(RejectAttributes.PREFIX) && !name.equals(RejectAttributes.ORIGINAL_MESSAGE_ID));
    return copy.withAttributes(attributes);
  }

  /** Adds an attribute unless an earlier reject has given it. */
  private void keep(String name, String value) {
    if (!attributes.containsKey(name)) {
      add(name, MessageAttribute.text(value));
    }
  }

  private void add(String name, MessageAttribute attribute) {
    long size = size(name, attribute);
    if (attributes.size() < MOST_ATTRIBUTES && bytes + size <= LARGEST && !attribute.value().isEmpty()) {
      attributes.put(name, attribute);
      bytes += size;
    }
  }

  /** The text without characters that the service refuses, and cut; it may be somebody's exception message. */
  private static String fit(String text) {
    StringBuilder fit = new StringBuilder();
    text.codePoints()
        .limit(LONGEST_REASON)
        .forEach(
            character -> {
              boolean allowed =
                  character == 0x9 || character == 0xA || character == 0xD
                      || (character >= 0x20 && character < Character.MIN_SURROGATE)
                      || (character > Character.MAX_SURROGATE && character != 0xFFFE && character != 0xFFFF);
              fit.appendCodePoint(allowed ? character : ' ');
            });
    return text.codePointCount(0, text.length()) > LONGEST_REASON ? fit.append('…').toString() : fit.toString();
  }

  private static long size(String name, MessageAttribute attribute) {
    return utf8(name) + utf8(attribute.type())
        + (attribute.isBinary()
            ? Base64.getDecoder().decode(attribute.value()).length
            : utf8(attribute.value()));
  }

  private static long utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
