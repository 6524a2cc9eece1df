package io.queueworker.testkit.simulation;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.QueueTraits;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * The messages of a simulated queue and the service's rules for them.
 *
 * <p>On a standard SQS queue an old receipt still acts on a message that somebody else holds by now, a receipt whose time
 * ran out answers well and does nothing when extended, and a delete always works (docs/queue-facts.md A1, A2). A service that
 * {@linkplain QueueTraits#reportsLeaseLoss() reports lost leases} refuses all of these instead.
 *
 * <p>Not thread-safe: belongs to the thread that holds the baton.
 */
final class Store {

  private final QueueTraits traits;
  private final SplittableRandom draws;
  private final Map<String, Stored> messages = new LinkedHashMap<>();
  private final Map<String, Issued> receipts = new HashMap<>();
  private final List<Stored> deadLetters = new ArrayList<>();
  private final List<String> deleted = new ArrayList<>();
  OptionalInt maxReceiveCount = OptionalInt.empty();
  boolean anyOrder;
  private int issued;

  Store(QueueTraits traits, SplittableRandom draws) {
    this.traits = traits;
    this.draws = draws;
  }

  /** A receipt that was given out: for which receive, and whether another has taken its place. */
  private static final class Issued {
    final Stored message;
    final int receive;
    final long requestedAt;
    boolean replaced;

    Issued(Stored message) {
      this.message = message;
      this.receive = message.receiveCount;
      this.requestedAt = message.requestedAt;
    }

    boolean isHeld(long now) {
      return !message.deleted && !replaced && receive == message.receiveCount && !message.isVisible(now);
    }
  }

  /** Takes a message in. */
  void add(Stored message) {
    messages.put(message.id, message);
  }

  /**
   * Hides up to {@code max} visible messages and gives them out; moves those received too often to the dead letters.
   *
   * @param requestedAt when the receive arrived, which the cap on the hold counts from
   */
  List<ReceivedMessage> take(int max, long visibilityNanos, long requestedAt, long now) {
    List<Stored> candidates = new ArrayList<>();
    for (Stored message : messages.values()) {
      if (message.isVisible(now)) {
        candidates.add(message);
        if (!anyOrder && candidates.size() == max) {
          break;
        }
      }
    }
    List<ReceivedMessage> taken = new ArrayList<>();
    for (int i = 0; i < max && !candidates.isEmpty(); i++) {
      Stored next = candidates.remove(anyOrder ? draws.nextInt(candidates.size()) : 0);
      if (maxReceiveCount.isPresent() && next.receiveCount >= maxReceiveCount.getAsInt()) {
        messages.remove(next.id);
        deadLetters.add(next);
      } else {
        next.receiveCount++;
        next.requestedAt = requestedAt;
        next.hiddenUntil = now + visibilityNanos;
        taken.add(next.received(issue(next)));
      }
    }
    return taken;
  }

  /** Sets how long a received message stays hidden from now on. */
  EntryResult changeVisibility(Receipt receipt, Duration visibility, long now) {
    Issued known = receipts.get(receipt.value());
    if (known == null) {
      return new EntryResult.Lost("the input receipt handle is not a valid receipt handle");
    }
    Stored message = known.message;
    if (message.deleted) {
      return new EntryResult.Gone();
    }
    if (traits.reportsLeaseLoss() && !known.isHeld(now)) {
      return new EntryResult.Lost("MessageNotExist");
    }
    if (message.isVisible(now) || isDeadLetter(message)) {
      return new EntryResult.Done(receipt);
    }
    long held = now - message.requestedAt + visibility.toNanos();
    if (traits.totalCap().isPresent() && held > traits.totalCap().get().toNanos()) {
      return new EntryResult.Lost(
          "Total VisibilityTimeout for the message is beyond the limit [" + traits.totalCap().get().toSeconds()
              + " seconds]");
    }
    message.hiddenUntil = now + visibility.toNanos();
    if (!traits.receiptChangesOnExtend()) {
      return new EntryResult.Done(receipt);
    }
    known.replaced = true;
    return new EntryResult.Done(issue(message));
  }

  /** Deletes a message for good. */
  EntryResult delete(Receipt receipt, long now) {
    Issued known = receipts.get(receipt.value());
    if (known == null) {
      return new EntryResult.Lost("the input receipt handle is not a valid receipt handle");
    }
    Stored message = known.message;
    if (traits.reportsLeaseLoss() && !known.isHeld(now)) {
      return message.deleted ? new EntryResult.Gone() : new EntryResult.Lost("MessageNotExist");
    }
    if (traits.totalCap().isPresent() && now - known.requestedAt > traits.totalCap().get().toNanos()) {
      return new EntryResult.Lost("The receipt handle has expired.");
    }
    if (!message.deleted && !isDeadLetter(message)) {
      message.deleted = true;
      messages.remove(message.id);
      deleted.add(message.id);
    }
    return new EntryResult.Done(receipt);
  }

  /** What a call's log says about a receipt. */
  SimulatedCall.Entry describe(Receipt receipt, Duration visibility, long now) {
    Issued known = receipts.get(receipt.value());
    boolean held = known != null && known.isHeld(now);
    return new SimulatedCall.Entry(
        known == null ? "" : known.message.id,
        known == null ? 0 : known.receive,
        held,
        held,
        visibility,
        Optional.empty());
  }

  /** When the next hidden message becomes visible, if any is hidden. */
  OptionalLong nextVisible(long now) {
    return messages.values().stream().filter(m -> !m.isVisible(now)).mapToLong(m -> m.hiddenUntil).min();
  }

  /** The messages that a receive could bring, or those that are hidden. */
  List<SimulatedMessage> list(boolean visible, long now) {
    return messages.values().stream().filter(m -> m.isVisible(now) == visible).map(Stored::view).toList();
  }

  /** How many messages are hidden. */
  int inFlight(long now) {
    return (int) messages.values().stream().filter(m -> !m.isVisible(now)).count();
  }

  /** The messages that were received too often. */
  List<SimulatedMessage> deadLetters() {
    return deadLetters.stream().map(Stored::view).toList();
  }

  /** The ids of deleted messages, in order. */
  List<String> deleted() {
    return List.copyOf(deleted);
  }

  private boolean isDeadLetter(Stored message) {
    return !message.deleted && !messages.containsKey(message.id);
  }

  private Receipt issue(Stored message) {
    Receipt receipt = new Receipt("receipt-" + ++issued);
    receipts.put(receipt.value(), new Issued(message));
    return receipt;
  }
}
