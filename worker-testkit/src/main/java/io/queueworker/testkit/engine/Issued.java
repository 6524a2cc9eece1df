package io.queueworker.testkit.engine;

/** A receipt handle that was given out: for which receive, and for how long. Not thread-safe: belongs to its engine. */
final class Issued {

  final String handle;
  final StoredMessage message;
  final int receive;
  final int turn;
  final int life;
  final long requestedAt;

  /** Until when the service promised to hide the message for this receipt. */
  long until;

  /** Whether another receipt has taken its place. */
  boolean replaced;

  /** Whether its holder changed the visibility. */
  boolean changed;

  Issued(String handle, StoredMessage message, long until) {
    this.handle = handle;
    this.message = message;
    this.receive = message.receiveCount;
    this.turn = message.turn;
    this.life = message.life;
    this.requestedAt = message.requestedAt;
    this.until = until;
  }

  /** Makes the service hide the message for this receipt until then. */
  void hideUntil(long end) {
    until = end;
    message.hideForHolders();
  }

  /** Whether its message does not exist any more, as far as this receipt goes. */
  boolean isOfGoneMessage() {
    return message.gone || life != message.life;
  }

  /** Whether it is a receipt of the receive that hides the message. */
  boolean isLatest() {
    return turn == message.turn && !replaced;
  }

  /** Whether it is good, and its message still hidden by its very receive. */
  boolean isHeld(long now) {
    return !replaced && isOfHolder(now);
  }

  /**
   * Whether the message is still hidden by the receive that it is from. Its holder may not have heard of the receipt that has
   * taken its place.
   */
  boolean isOfHolder(long now) {
    boolean latest = turn == message.turn && !message.moved;
    return !isOfGoneMessage() && latest && (replaced || until > now) && !message.isVisible(now);
  }

  /**
   * Whether the message is still hidden by its very receive, or would be had it not ended meanwhile. A message that somebody
   * else received and deleted after this receipt's time does not count: that receipt's holder had lost it before.
   */
  boolean isInTime(long now) {
    boolean endedInItsTurn = isOfGoneMessage() && (turn == message.turn || life != message.life);
    return isOfHolder(now) || (endedInItsTurn && until > now);
  }
}
