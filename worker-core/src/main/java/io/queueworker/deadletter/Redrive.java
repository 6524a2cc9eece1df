package io.queueworker.deadletter;

import io.queueworker.deadletter.RedriveReport.End;
import io.queueworker.deadletter.RedriveReport.Why;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueException;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One redrive: receives dead letters and carries those back that were asked for, one after the other, so that the order of each
 * group is kept. Belongs to one thread.
 */
final class Redrive {

  /** After so many receives in a row that brought only what was passed over before, there is nothing else. */
  private static final int FRUITLESS = 20;

  private static final long ASK_AGAIN = Duration.ofMillis(50).toNanos();

  private final MessageQueue deadLetters;
  private final MessageQueue source;
  private final RedriveRequest request;
  private final Pause pause;
  private final Receives receives;
  private final Holding holding;
  private final Carry carry;
  private final Rate rate;
  private final Tally tally = new Tally();

  /** What was passed over and is still hidden, the oldest first. */
  private final ArrayDeque<Held> kept = new ArrayDeque<>();

  Redrive(MessageQueue deadLetters, MessageQueue source, RedriveRequest request, Timing timing) {
    this.deadLetters = deadLetters;
    this.source = source;
    this.request = request;
    Terms terms = Receives.terms(deadLetters, request.visibility);
    this.pause = new Pause(timing, request.cancelled);
    this.receives = new Receives(deadLetters, timing, terms, pause);
    this.holding = new Holding(deadLetters, timing, terms);
    this.carry = new Carry(deadLetters, source, request.keys, timing, terms, pause, holding, tally);
    this.rate = request.rate.start(timing);
  }

  RedriveReport run() {
    End end;
    String detail = "";
    int notGivenBack;
    try {
      end = rounds();
    } catch (Ended ended) {
      end = ended.end;
      detail = ended.detail;
    } catch (QueueException failed) {
      end = failed.kind() == QueueException.Kind.DENIED ? End.DENIED : End.FAILED;
      detail = String.valueOf(failed.getMessage());
    } finally {
      notGivenBack = holding.giveBack(List.copyOf(kept));
      pause.close();
    }
    if (holding.denied().isPresent() && end != End.DENIED && end != End.FAILED) {
      Ended denied = Ended.denied(holding.denied().get(), deadLetters);
      return tally.report(denied.end, denied.detail, notGivenBack);
    }
    return tally.report(end, detail, notGivenBack);
  }

  private End rounds() {
    int fruitless = 0;
    while (fruitless < FRUITLESS) {
      if (pause.isCancelled()) {
        return End.CANCELLED;
      }
      List<Held> taken = receives.take(Math.min(deadLetters.traits().maxBatch(), request.count - tally.tried()));
      if (taken.isEmpty()) {
        return pause.isCancelled() ? End.CANCELLED : end();
      }
      fruitless = round(taken) ? 0 : fruitless + 1;
      if (tally.tried() >= request.count) {
        return End.COUNT_REACHED;
      }
      if (request.one && tally.redriven() > 0) {
        return End.FINISHED;
      }
    }
    return End.NOTHING_NEW;
  }

  /** The end when nothing more is visible. */
  private End end() {
    return request.one && tally.isUntouched() ? End.NOT_FOUND : End.FINISHED;
  }

  /** Goes through what one receive brought; whether anything in it was new, or went back. One that is late is not new. */
  private boolean round(List<Held> taken) {
    boolean news = false;
    List<Held> rest = new ArrayList<>(taken);
    Set<String> late = new HashSet<>();
    try {
      while (!rest.isEmpty() && !pause.isCancelled() && tally.tried() < request.count) {
        Held held = rest.getFirst();
        DeadLetter letter = DeadLetter.of(held.message());
        boolean known = tally.isPassedOver(letter);
        boolean isNew = !known && !tally.isLeft(letter);
        int before = tally.redriven();
        if (known || isPassedOver(letter)) {
          keep(held);
        } else if (letter.group().filter(late::contains).isPresent() || !goes(held, letter, rest)) {
          // It comes again, and what is behind it in its group waits for that.
          letter.group().ifPresent(late::add);
          tally.late(letter);
          keep(held);
          isNew = false;
        }
        news |= isNew || tally.redriven() > before;
        rest.removeFirst();
        request.progress.accept(tally.progress());
        if (request.one && tally.redriven() > 0) {
          break;
        }
      }
    } finally {
      rest.forEach(this::keep);
    }
    return news;
  }

  /** Notes one that is not taken. */
  private boolean isPassedOver(DeadLetter letter) {
    if (tally.isSent(letter)) {
      return false;
    }
    if (tally.isBack(letter)) {
      tally.cameBack(letter);
    } else if (!request.anySource && letter.sourceQueue().filter(name -> !name.equals(source.name())).isPresent()) {
      tally.ofOtherQueue(letter);
    } else if (!request.filter.test(letter)) {
      tally.filteredOut(letter);
    } else if (tally.isBehind(letter)) {
      tally.left(letter, Why.BEHIND, "an earlier message of its group is left", false);
    } else if (request.dryRun) {
      tally.wouldGoBack(letter);
    } else {
      return false;
    }
    return true;
  }

  /** Carries one back when its turn by the rate has come; false when it is to come again. */
  private boolean goes(Held held, DeadLetter letter, List<Held> rest) {
    long wait = rate.take();
    while (wait < 0 && !pause.isCancelled()) {
      pause.nanos(ASK_AGAIN, () -> holding.extend(rest));
      wait = rate.take();
    }
    pause.nanos(wait, () -> holding.extend(rest));
    if (pause.isCancelled()) {
      keep(held);
      return true;
    }
    boolean gone = carry.run(held, letter, rest);
    if (tally.isPassedOver(letter)) {
      keep(held);
    }
    return gone;
  }

  private void keep(Held held) {
    while (!kept.isEmpty() && !kept.getFirst().isHeld()) {
      kept.removeFirst();
    }
    kept.addLast(held);
  }
}
