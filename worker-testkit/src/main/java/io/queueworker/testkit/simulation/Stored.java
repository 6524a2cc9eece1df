package io.queueworker.testkit.simulation;

import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A message in the store of a simulated queue. Not thread-safe: belongs to the thread that holds the baton. */
final class Stored {

  final String id;
  final String body;
  final Map<String, String> attributes;
  final Optional<String> group;
  final Instant sentAt;
  int receiveCount;

  /** Until when it is hidden, in virtual nanoseconds. */
  long hiddenUntil;

  /** When the request of the last receive arrived, which the cap on the hold counts from. */
  long requestedAt;

  boolean deleted;

  Stored(String id, String body, Map<String, String> attributes, Optional<String> group, Instant sentAt) {
    this.id = id;
    this.body = body;
    this.attributes = Map.copyOf(attributes);
    this.group = group;
    this.sentAt = sentAt;
  }

  /** Whether a receive at {@code now} can bring it. */
  boolean isVisible(long now) {
    return hiddenUntil <= now;
  }

  /** What one receive brings of it. */
  ReceivedMessage received(Receipt receipt) {
    return new ReceivedMessage(
        id,
        receipt,
        body,
        attributes,
        receiveCount,
        Optional.of(sentAt),
        group,
        Map.of(
            "ApproximateReceiveCount", Integer.toString(receiveCount),
            "SentTimestamp", Long.toString(sentAt.toEpochMilli())));
  }

  /** What tests see of it. */
  SimulatedMessage view() {
    return new SimulatedMessage(id, body, attributes, receiveCount);
  }
}
