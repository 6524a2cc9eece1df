package io.queueworker.deadletter;

import io.queueworker.queue.MessageQueue;
import io.queueworker.timing.Timing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One listing: hides what is visible, notes it, and gives it back. Belongs to one thread. */
final class Listing {

  private final MessageQueue queue;
  private final ListRequest request;
  private final Timing timing;
  private final Terms terms;
  private final Pause pause;
  private final Receives receives;
  private final long start;
  private final Map<String, Held> held = new LinkedHashMap<>();
  private final Map<String, DeadLetter> letters = new LinkedHashMap<>();

  Listing(MessageQueue queue, ListRequest request, Timing timing) {
    this.queue = queue;
    this.request = request;
    this.timing = timing;
    this.terms = Receives.terms(queue, request.visibility());
    this.pause = new Pause(timing, this::isOver);
    this.receives = new Receives(queue, timing, terms, pause);
    this.start = timing.nanoTime();
  }

  DeadLetterList run() {
    DeadLetterList.End end;
    int notGivenBack;
    try {
      end = collect();
    } finally {
      notGivenBack = new Holding(queue, timing, terms).giveBack(List.copyOf(held.values()));
      pause.close();
    }
    return new DeadLetterList(List.copyOf(letters.values()), end, notGivenBack, notSeen(end));
  }

  private DeadLetterList.End collect() {
    while (true) {
      if (pause.isCancelled()) {
        return pause.isInterrupted() ? DeadLetterList.End.INTERRUPTED : DeadLetterList.End.TIME_OVER;
      }
      int room = request.count() - letters.size();
      if (room == 0) {
        return DeadLetterList.End.COUNT_REACHED;
      }
      List<Held> taken = receives.take(room);
      if (taken.isEmpty() && !pause.isCancelled()) {
        return DeadLetterList.End.NOTHING_MORE_VISIBLE;
      }
      for (Held one : taken) {
        DeadLetter letter = DeadLetter.of(one.message());
        held.put(letter.id(), one);
        letters.putIfAbsent(letter.id(), request.withBodies() ? letter : letter.withoutBody());
      }
    }
  }

  /** Whether its time is over, or what it took first has to be given back before it comes back by itself. */
  private boolean isOver() {
    long passed = timing.nanoTime() - start;
    return passed >= request.within().toNanos()
        || passed >= terms.visibilityNanos() - terms.marginNanos() - terms.roundNanos();
  }

  private List<String> notSeen(DeadLetterList.End end) {
    List<String> sentences = new ArrayList<>();
    sentences.add("Messages that another receiver holds now, or that are delayed, are not listed.");
    if (queue.traits().fifo()) {
      sentences.add(
          "Of each message group only the first messages are listed, as many as one receive brings: those behind them are"
              + " blocked while the first are held.");
    }
    if (end != DeadLetterList.End.NOTHING_MORE_VISIBLE) {
      sentences.add("The listing stopped at " + letters.size() + " (" + end + "); there may be more.");
    }
    if (receives.isUnanswered()) {
      sentences.add(
          "A receive had no answer: what it hid comes back within " + terms.visibility() + " and is not listed.");
    }
    return sentences;
  }
}
