package io.queueworker.testkit.engine;

import java.time.Duration;
import java.util.SplittableRandom;

/** What becomes of a message when somebody changes its visibility or deletes it. Not thread-safe: belongs to its engine. */
final class Rulings {

  private static final long LONGEST = Duration.ofHours(12).toSeconds();
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long LATEST_REDELIVERY = Duration.ofMinutes(2).toNanos();

  private final Manner manner;
  private final QueueSettings settings;
  private final Shelf shelf;
  private final SplittableRandom draws;

  Rulings(Manner manner, QueueSettings settings, Shelf shelf, SplittableRandom draws) {
    this.manner = manner;
    this.settings = settings;
    this.shelf = shelf;
    this.draws = draws;
  }

  /** Sets how long a received message stays hidden from now on. */
  Ruling changeVisibility(String handle, long seconds, long now) {
    int least = manner == Manner.SMQ ? 1 : 0;
    if (seconds < least || seconds > LONGEST) {
      return new Ruling.Refused(RequestRules.visibilityOutOfRange(seconds, least));
    }
    Issued receipt = shelf.receipt(handle);
    if (receipt == null) {
      return new Ruling.Refused(EngineError.receiptUnknown(handle));
    }
    StoredMessage message = receipt.message;
    if (receipt.isOfGoneMessage()) {
      return new Ruling.Refused(gone(handle));
    }
    if (isRefusedAsLapsed(receipt, now)) {
      return new Ruling.Refused(lapsed(handle));
    }
    // A message that went to the dead-letter queue was visible when it went, and stays so here.
    if (message.isVisible(now)) {
      return new Ruling.WithoutEffect(handle);
    }
    // An old receipt acts on the receive that holds the message now, and within that one's limit.
    long requestedAt = receipt.isLatest() ? receipt.requestedAt : message.requestedAt;
    if (now + seconds * SECOND > manner.holdEnd(requestedAt)) {
      return new Ruling.Refused(EngineError.holdLimit(seconds, LONGEST));
    }
    hide(receipt, now + seconds * SECOND);
    return new Ruling.Done(manner == Manner.SMQ ? replacement(receipt).handle : handle);
  }

  /** Deletes a received message for good, or nearly so. */
  Ruling delete(String handle, long now) {
    Issued receipt = shelf.receipt(handle);
    if (receipt == null) {
      return new Ruling.Refused(EngineError.receiptUnknown(handle));
    }
    StoredMessage message = receipt.message;
    if (receipt.isOfGoneMessage()) {
      return manner == Manner.SMQ ? new Ruling.Refused(gone(handle)) : new Ruling.WithoutEffect(handle);
    }
    if (isRefusedAsLapsed(receipt, now)) {
      return new Ruling.Refused(lapsed(handle));
    }
    if (message.moved) {
      return new Ruling.WithoutEffect(handle);
    }
    if (settings.redeliveryShare() > 0 && draws.nextDouble() < settings.redeliveryShare()) {
      shelf.deleteInVain(message, now + draws.nextLong(LATEST_REDELIVERY));
    } else {
      shelf.delete(message);
    }
    return new Ruling.Done(handle);
  }

  private void hide(Issued receipt, long until) {
    receipt.changed = true;
    if (receipt.isLatest()) {
      receipt.until = until;
    } else {
      // An old receipt of a standard queue: whoever holds the message now gets this timeout.
      receipt.message.holders.forEach(holder -> holder.until = until);
    }
    receipt.message.hideForHolders();
  }

  private Issued replacement(Issued receipt) {
    receipt.replaced = true;
    receipt.message.holders.remove(receipt);
    return shelf.issue(receipt.message, receipt.until);
  }

  private boolean isRefusedAsLapsed(Issued receipt, long now) {
    return (manner.refusesLapsed() && !receipt.isHeld(now)) || now > manner.holdEnd(receipt.requestedAt);
  }

  private EngineError gone(String handle) {
    return manner == Manner.SMQ
        ? EngineError.messageNotExist(EngineError.Reason.MESSAGE_GONE)
        : EngineError.messageGone(handle);
  }

  private EngineError lapsed(String handle) {
    return manner == Manner.SMQ
        ? EngineError.messageNotExist(EngineError.Reason.RECEIPT_EXPIRED)
        : EngineError.receiptExpired(handle);
  }
}
