package io.queueworker.testkit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A message in a queue. Not thread-safe: belongs to its engine. */
final class StoredMessage {

  /** A time that never comes. */
  static final long NEVER = Long.MAX_VALUE;

  final String id;
  final NewMessage content;
  final Optional<String> deduplicationId;
  final Optional<String> sequenceNumber;
  final Optional<String> deadLetterSource;
  final long sentAt;

  /** What its retention counts from. */
  final long retainedFrom;

  /** The receipts of the receive that hides it, more than one when it was handed out twice. */
  final List<Issued> holders = new ArrayList<>();

  long firstReceivedAt = NEVER;
  int receiveCount;

  /** Counts the receives that found it visible: an earlier turn's receipt is an old one. */
  int turn;

  /** Counts its deletes that did not last: an earlier life's receipt is for a deleted message. */
  int life;

  long hiddenUntil;

  /** When it may be handed out although somebody holds it. */
  long duplicateAt = NEVER;

  /** When the request of the last receive arrived, which the limit on the hold counts from. */
  long requestedAt;

  /** Deleted, purged or past its retention. */
  boolean gone;

  /** Gone to the dead-letter queue. */
  boolean moved;

  StoredMessage(
      String id,
      NewMessage content,
      Optional<String> deduplicationId,
      Optional<String> sequenceNumber,
      Optional<String> deadLetterSource,
      long sentAt,
      long retainedFrom) {
    this.id = id;
    this.content = content;
    this.deduplicationId = deduplicationId;
    this.sequenceNumber = sequenceNumber;
    this.deadLetterSource = deadLetterSource;
    this.sentAt = sentAt;
    this.retainedFrom = retainedFrom;
  }

  /** Whether no visibility timeout and no delay hides it. */
  boolean isVisible(long now) {
    return hiddenUntil <= now;
  }

  /** Whether a receive hides it. */
  boolean isInFlight(long now) {
    return turn > 0 && !isVisible(now);
  }

  /** Whether it may be handed out although it is in flight. */
  boolean isDuplicate(long now) {
    return duplicateAt <= now && isInFlight(now);
  }

  /** The message group; a message without one is a group of its own. */
  String group() {
    return content.group().orElse(id);
  }

  /** Hides it as long as one of its receipts is good. */
  void hideForHolders() {
    hiddenUntil = holders.stream().mapToLong(holder -> holder.until).max().orElse(hiddenUntil);
  }

  /** It as a dead letter of another queue: id, content and receive count stay, its receipts do not (docs/queue-facts.md A6). */
  StoredMessage asDeadLetter(String source, boolean fifo, long now) {
    StoredMessage dead =
        new StoredMessage(
            id,
            content,
            fifo ? Optional.of(id) : Optional.empty(),
            sequenceNumber,
            Optional.of(source),
            sentAt,
            fifo ? now : retainedFrom);
    dead.receiveCount = receiveCount;
    dead.firstReceivedAt = firstReceivedAt;
    return dead;
  }

  /** What one receive brings of it. */
  HandedOut handedOut(String receipt) {
    return new HandedOut(
        id,
        receipt,
        content.body(),
        content.attributes(),
        receiveCount,
        sentAt,
        firstReceivedAt,
        content.group(),
        deduplicationId,
        sequenceNumber,
        content.traceHeader(),
        deadLetterSource);
  }

  /** What tests see of it. */
  QueuedMessage view() {
    return new QueuedMessage(id, content.body(), content.attributes(), content.group(), receiveCount);
  }
}
