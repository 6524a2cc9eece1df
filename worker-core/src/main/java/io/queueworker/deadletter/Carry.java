package io.queueworker.deadletter;

import io.queueworker.deadletter.RedriveReport.End;
import io.queueworker.deadletter.RedriveReport.Why;
import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.SendResult;
import io.queueworker.timing.Timing;
import java.util.List;
import java.util.Optional;

/** One dead letter's way back: sent to the source queue, then deleted, and both only while it is held. Belongs to one thread. */
final class Carry {

  private final MessageQueue deadLetters;
  private final MessageQueue source;
  private final KeySource keys;
  private final Timing timing;
  private final Terms terms;
  private final Pause pause;
  private final Holding holding;
  private final Tally tally;

  Carry(
      MessageQueue deadLetters,
      MessageQueue source,
      KeySource keys,
      Timing timing,
      Terms terms,
      Pause pause,
      Holding holding,
      Tally tally) {
    this.deadLetters = deadLetters;
    this.source = source;
    this.keys = keys;
    this.timing = timing;
    this.terms = terms;
    this.pause = pause;
    this.holding = holding;
    this.tally = tally;
  }

  /**
   * Sends it back and deletes it.
   *
   * @param rest it and what waits behind it, all of which stay held meanwhile
   * @return false when its time ran out before anything was sent: it comes again
   */
  boolean run(Held held, DeadLetter letter, List<Held> rest) {
    if (!tally.isSent(letter)) {
      Optional<OutgoingMessage> back = WayBack.of(held.message(), source.traits().fifo(), keys);
      if (back.isEmpty()) {
        leave(
            letter, Why.REFUSED,
            "it has ten attributes of its own and no room for its first id, which the keys are made of. Send it by hand,"
                + " or redrive with keys(BUSINESS_KEY) when they are not");
        return true;
      }
      holding.extend(rest);
      if (held.leftNanos() < terms.roundNanos()) {
        return false;
      }
      if (!send(held, letter, back.get(), rest)) {
        return true;
      }
    }
    delete(held, letter, rest);
    return true;
  }

  /** Whether the source queue has it. */
  private boolean send(Held held, DeadLetter letter, OutgoingMessage back, List<Held> rest) {
    long start = timing.nanoTime();
    OutgoingMessage copy = back;
    tally.tried(letter);
    for (int tries = 1;; tries++) {
      SendResult result = source.send(copy, terms.call());
      switch (result) {
        case SendResult.Sent(var id) -> {
          tally.sent(letter, id);
          return true;
        }
        case SendResult.Refused(var reason) -> {
          OutgoingMessage bare = WayBack.withoutFirstId(copy);
          boolean isLess = bare.attributes().size() < copy.attributes().size();
          if (isLess && keys == KeySource.BUSINESS_KEY && held.leftNanos() >= terms.roundNanos()) {
            // It may be the attribute that makes it too large, and these keys do not need it.
            copy = bare;
            continue;
          }
          leave(letter, Why.REFUSED, reason);
          return false;
        }
        case SendResult.Denied(var action) -> throw Ended.denied(action, source);
        case SendResult.Retryable(var reason) -> {
          // Without an answer the source may have it: sent again, as a copy too many is suppressed and one too few is lost.
          pause.afterFailure(tries, () -> holding.tryExtend(rest));
          holding.tryExtend(rest);
          boolean late = timing.nanoTime() - start >= terms.visibilityNanos();
          if (late || held.leftNanos() < terms.roundNanos() || pause.isCancelled()) {
            leave(letter, Why.NOT_ANSWERED, reason);
            if (late) {
              throw new Ended(End.FAILED, "Queue " + source.name() + " does not take messages: " + reason);
            }
            return false;
          }
        }
      }
    }
  }

  private void delete(Held held, DeadLetter letter, List<Held> rest) {
    String reason = "its visibility timeout ran out before the delete; another receiver may hold it";
    long start = timing.nanoTime();
    for (int tries = 1; held.isHeld(); tries++) {
      EntryResult result = deadLetters.delete(List.of(held.receipt()), terms.call()).getFirst();
      switch (result) {
        case EntryResult.Done done -> {
          tally.deleted(letter);
          return;
        }
        case EntryResult.Gone gone -> {
          tally.deleted(letter);
          return;
        }
        case EntryResult.Lost(var said) -> {
          leave(letter, Why.NOT_DELETED, said);
          return;
        }
        case EntryResult.Denied(var action) -> {
          leave(letter, Why.NOT_DELETED, "denied: " + action);
          throw Ended.denied(action, deadLetters);
        }
        case EntryResult.Retryable(var said) -> {
          reason = said;
          // A cancel does not end these tries, nor their pauses: what was sent is to be deleted.
          pause.wholeAfterFailure(tries, () -> holding.tryExtend(rest));
          holding.tryExtend(rest);
          if (timing.nanoTime() - start >= terms.visibilityNanos()) {
            leave(letter, Why.NOT_DELETED, reason);
            throw new Ended(End.FAILED, "Queue " + deadLetters.name() + " does not answer deletes: " + said);
          }
        }
      }
    }
    leave(letter, Why.NOT_DELETED, reason);
  }

  private void leave(DeadLetter letter, Why why, String reason) {
    tally.left(letter, why, reason, source.traits().fifo());
  }
}
