package io.queueworker.testkit.engine;

import io.queueworker.queue.MessageAttribute;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One message as one receive hands it out. Immutable.
 *
 * @param id the message id
 * @param receipt the receipt handle of this receive
 * @param body the text as sent
 * @param attributes the sender's attributes
 * @param receiveCount how often the message was received, across all queues, this time included
 * @param sentAt when it was sent, in the engine's nanoseconds
 * @param firstReceivedAt when it was received for the first time, in the engine's nanoseconds
 * @param group the message group, if the sender set one
 * @param deduplicationId what a FIFO queue deduplicates it by
 * @param sequenceNumber its place in the order of a FIFO queue
 * @param traceHeader the sender's trace header
 * @param deadLetterSource on a dead-letter queue, the ARN of the queue it came from
 */
public record HandedOut(
    String id,
    String receipt,
    String body,
    Map<String, MessageAttribute> attributes,
    int receiveCount,
    long sentAt,
    long firstReceivedAt,
    Optional<String> group,
    Optional<String> deduplicationId,
    Optional<String> sequenceNumber,
    Optional<String> traceHeader,
    Optional<String> deadLetterSource) {

  /**
   * The service's own attributes by the service's names (docs/queue-facts.md A7).
   *
   * @param start the wall clock at the engine's nanosecond zero
   */
  public Map<String, String> systemAttributes(Instant start) {
    Map<String, String> system = new LinkedHashMap<>();
    system.put("ApproximateReceiveCount", Integer.toString(receiveCount));
    system.put("SentTimestamp", Long.toString(start.plusNanos(sentAt).toEpochMilli()));
    system.put("ApproximateFirstReceiveTimestamp", Long.toString(start.plusNanos(firstReceivedAt).toEpochMilli()));
    group.ifPresent(value -> system.put("MessageGroupId", value));
    deduplicationId.ifPresent(value -> system.put("MessageDeduplicationId", value));
    sequenceNumber.ifPresent(value -> system.put("SequenceNumber", value));
    traceHeader.ifPresent(value -> system.put("AWSTraceHeader", value));
    deadLetterSource.ifPresent(value -> system.put("DeadLetterQueueSourceArn", value));
    return system;
  }

  /** Names the message without its body, attributes or receipt handle. */
  @Override
  public String toString() {
    return "HandedOut[id=" + id + ", receiveCount=" + receiveCount + "]";
  }
}
