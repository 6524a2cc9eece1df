package io.queueworker.deadletter;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.VisibilityChange;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Extends what a run works on, and gives back what it does not take. Belongs to one thread. */
final class Holding {

  private final MessageQueue queue;
  private final Timing timing;
  private final Terms terms;

  /** The permission that an extension or a give-back turned out to lack. */
  private Optional<String> denied = Optional.empty();

  Holding(MessageQueue queue, Timing timing, Terms terms) {
    this.queue = queue;
    this.timing = timing;
    this.terms = terms;
  }

  /**
   * Extends those of which less than half the visibility timeout is left. One that is not held any more is left alone.
   *
   * @throws Ended when the permission for it is missing: then nothing lasts longer than its receive said
   */
  void extend(List<Held> letters) {
    tryExtend(letters);
    denied.ifPresent(
        action -> {
          throw Ended.denied(action, queue);
        });
  }

  /** The same, but a missing permission only ends the tries: what was sent is to be deleted while it is held. */
  void tryExtend(List<Held> letters) {
    if (denied.isPresent()) {
      return;
    }
    List<Held> due = new ArrayList<>();
    for (Held held : letters) {
      if (held.isHeld() && held.leftNanos() < terms.visibilityNanos() / 2) {
        due.add(held);
      }
    }
    for (List<Held> batch : batches(due)) {
      Held.Since sent = Held.Since.now(timing);
      List<EntryResult> results = queue.extend(changes(batch, terms.visibility()), terms.call());
      for (int i = 0; i < results.size(); i++) {
        if (results.get(i) instanceof EntryResult.Done(var receipt)) {
          batch.get(i).extended(receipt, sent);
        } else {
          noteDenied(results.get(i));
        }
      }
    }
  }

  /**
   * Makes those visible again that are still held, the last one first, so that a group's later messages stay behind its first
   * one. Sent once: a repeat could free the next receiver's message. Gives how many stay hidden until their time runs out.
   */
  int giveBack(List<Held> letters) {
    int failed = 0;
    for (List<Held> batch : batches(letters.reversed())) {
      List<Held> held = batch.stream().filter(Held::isHeld).toList();
      if (!held.isEmpty()) {
        for (EntryResult result : queue.release(changes(held, queue.traits().smallestDelay()), terms.call())) {
          noteDenied(result);
          failed += result instanceof EntryResult.Done || result instanceof EntryResult.Gone ? 0 : 1;
        }
      }
    }
    return failed;
  }

  /** The permission that a call of this run lacked. */
  Optional<String> denied() {
    return denied;
  }

  private void noteDenied(EntryResult result) {
    if (result instanceof EntryResult.Denied(var action)) {
      denied = Optional.of(action);
    }
  }

  private static List<VisibilityChange> changes(List<Held> letters, Duration visibility) {
    return letters.stream().map(held -> new VisibilityChange(held.receipt(), visibility)).toList();
  }

  private List<List<Held>> batches(List<Held> letters) {
    int size = queue.traits().maxVisibilityBatch();
    List<List<Held>> batches = new ArrayList<>();
    for (int from = 0; from < letters.size(); from += size) {
      batches.add(letters.subList(from, Math.min(letters.size(), from + size)));
    }
    return batches;
  }
}
