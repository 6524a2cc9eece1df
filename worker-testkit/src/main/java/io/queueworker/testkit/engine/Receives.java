package io.queueworker.testkit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** The receives of a queue: what each of them hides and hands out, and what it moves to the dead-letter queue. Not thread-safe: belongs to its engine. */
final class Receives {

  private final QueueEngine engine;
  private final Shelf shelf;
  private final SplittableRandom draws;
  private final Selection selection;
  private final Attempts attempts = new Attempts();

  Receives(QueueEngine engine, Shelf shelf, SplittableRandom draws) {
    this.engine = engine;
    this.shelf = shelf;
    this.draws = draws;
    this.selection = new Selection(engine.isFifo(), engine.settings(), draws);
  }

  /** One receive; a repeated one of a FIFO queue brings again what the first one brought. */
  List<HandedOut> receive(int most, long visibilityNanos, long requestedAt, long now, Optional<String> attemptId) {
    Optional<String> attempt = attemptId.filter(any -> engine.isFifo());
    List<Issued> again = attempt.map(id -> attempts.replay(id, now)).orElse(List.of());
    if (!again.isEmpty()) {
      again.forEach(receipt -> receipt.hideUntil(end(now, visibilityNanos, receipt.requestedAt)));
      return handedOut(again);
    }
    List<Issued> receipts = new ArrayList<>();
    boolean moved = false;
    for (StoredMessage message : selection.choose(shelf.messages(), most, now)) {
      if (message.receiveCount < engine.settings().maxReceiveCount().orElse(Integer.MAX_VALUE)) {
        receipts.add(handOut(message, visibilityNanos, requestedAt, now));
      } else if (message.isVisible(now)) {
        redrive(message, now);
        moved = true;
      }
    }
    if (moved) {
      // What stood behind a dead letter, in its group or for want of a place in this receive, can be had now.
      engine.changed();
    }
    attempt.ifPresent(id -> attempts.add(id, receipts, now));
    return handedOut(receipts);
  }

  private static List<HandedOut> handedOut(List<Issued> receipts) {
    return receipts.stream().map(receipt -> receipt.message.handedOut(receipt.handle)).toList();
  }

  private Issued handOut(StoredMessage message, long visibilityNanos, long requestedAt, long now) {
    if (message.isVisible(now)) {
      message.turn++;
      message.holders.clear();
    }
    message.receiveCount++;
    message.requestedAt = requestedAt;
    message.firstReceivedAt = Math.min(message.firstReceivedAt, now);
    Issued receipt = shelf.issue(message, end(now, visibilityNanos, requestedAt));
    message.hideForHolders();
    double share = engine.settings().duplicateShare();
    message.duplicateAt =
        share > 0 && draws.nextDouble() < share ? now + draws.nextLong(visibilityNanos + 1) : StoredMessage.NEVER;
    return receipt;
  }

  private long end(long now, long visibilityNanos, long requestedAt) {
    return Math.min(now + visibilityNanos, engine.manner().holdEnd(requestedAt));
  }

  private void redrive(StoredMessage message, long now) {
    QueueEngine target = engine.settings().deadLetters();
    if (target != null) {
      shelf.move(message);
      target.takeDeadLetter(message, engine.arn(), now);
    }
  }
}
