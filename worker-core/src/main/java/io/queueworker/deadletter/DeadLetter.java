package io.queueworker.deadletter;

import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.RejectAttributes;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A message on a dead-letter queue, as one receive brought it. Immutable, so thread-safe.
 *
 * @param id the id that it has there
 * @param originalId the id that it had when it was first rejected; its own id unless a worker rejected it
 * @param body the text as sent; empty in a listing that did not ask for it
 * @param attributes all of its attributes but those of {@link RejectAttributes}
 * @param reason why a worker rejected it; empty when the service moved it, which gives no reason
 * @param exception the class of what the handler threw, if a worker rejected it for that
 * @param worker the worker that rejected it
 * @param receiveCount how often it was received, on the dead-letter queue too where the service counts on, this receive included
 * @param countWhenRejected how often it had been received when a worker rejected it
 * @param sentAt when the service took it in; for one that a worker rejected, when that was
 * @param group its message group, if it has one
 * @param sourceQueue the name of the queue from which the service moved it, or else from which a worker rejected it; empty when
 *     neither says so
 */
public record DeadLetter(
    String id,
    String originalId,
    Optional<String> body,
    Map<String, String> attributes,
    Optional<String> reason,
    Optional<String> exception,
    Optional<String> worker,
    int receiveCount,
    Optional<String> countWhenRejected,
    Optional<Instant> sentAt,
    Optional<String> group,
    Optional<String> sourceQueue) {

  private static final String SOURCE_ARN = "DeadLetterQueueSourceArn";

  public DeadLetter {
    attributes = Map.copyOf(attributes);
  }

  /** What a received message says of itself, with its body. */
  static DeadLetter of(ReceivedMessage message) {
    Map<String, String> all = message.attributes();
    Map<String, String> own = new HashMap<>(all);
    own.keySet().removeAll(WayBack.REJECT_ATTRIBUTES);
    return new DeadLetter(
        message.id(),
        all.getOrDefault(RejectAttributes.ORIGINAL_MESSAGE_ID, message.id()),
        Optional.of(message.body()),
        own,
        Optional.ofNullable(all.get(RejectAttributes.REASON)),
        Optional.ofNullable(all.get(RejectAttributes.EXCEPTION)),
        Optional.ofNullable(all.get(RejectAttributes.WORKER)),
        message.receiveCount(),
        Optional.ofNullable(all.get(RejectAttributes.RECEIVE_COUNT)),
        message.sentAt(),
        message.group(),
        Optional.ofNullable(message.system().get(SOURCE_ARN)).map(arn -> arn.substring(arn.lastIndexOf(':') + 1))
            .or(() -> Optional.ofNullable(all.get(RejectAttributes.SOURCE_QUEUE))));
  }

  DeadLetter withoutBody() {
    return new DeadLetter(
        id, originalId, Optional.empty(), attributes, reason, exception, worker, receiveCount, countWhenRejected,
        sentAt,
        group, sourceQueue);
  }

  /** One line for a person: ids, counts and reason, without body and attributes, and without control characters. */
  @Override
  public String toString() {
    // The reason is anybody's text: a line break in it could forge a line of a log.
    return words().replaceAll("[\\p{Cc}\\u2028\\u2029]", " ");
  }

  private String words() {
    return "message=" + id + (originalId.equals(id) ? "" : " original=" + originalId) + " received " + receiveCount
        + " times" + sentAt.map(at -> ", sent " + at).orElse("") + group.map(g -> ", group " + g).orElse("")
        + reason.map(r -> ": " + r).orElse(": moved by the service, which gives no reason")
        + exception.map(e -> " (" + e + ")").orElse("");
  }
}
