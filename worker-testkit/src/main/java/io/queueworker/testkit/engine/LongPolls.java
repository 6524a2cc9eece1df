package io.queueworker.testkit.engine;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The receives that wait at a queue for a message to come or to become visible again. The service does not notice that a client has gone,
 * so such a poll still takes messages.
 *
 * <p>Not thread-safe: its calls, and those of its alarm, happen under the lock or on the thread that its engine belongs to.
 */
public final class LongPolls {

  private final QueueEngine engine;
  private final Alarm alarm;
  private final List<Poll> waiting = new ArrayList<>();
  private Alarm.@Nullable Pending change;
  private boolean isLookDue;
  private boolean isEnded;

  /** The polls of one queue; there is one such object for each. */
  public LongPolls(QueueEngine engine, Alarm alarm) {
    this.engine = engine;
    this.alarm = alarm;
    engine.onChange(this::lookSoon);
  }

  /** A receive that waits at the service. */
  private record Poll(
      int max, long visibilityNanos, Optional<String> attemptId, long since, long until,
      Consumer<List<HandedOut>> answer) {}

  /**
   * Receives: {@code answer} gets the messages at once when there are some or there is no time to wait, else when one of both comes.
   *
   * @param max messages at most
   * @param visibilityNanos how long they are hidden
   * @param waitNanos how long to wait for the first one; zero for a short poll
   * @throws EngineException for a short poll of a standard queue when too many messages are in flight
   */
  public void receive(
      int max, long visibilityNanos, long waitNanos, Optional<String> attemptId, Consumer<List<HandedOut>> answer) {
    long now = alarm.now();
    if (waitNanos <= 0) {
      engine.requireRoom(now);
    }
    Poll poll = new Poll(max, visibilityNanos, attemptId, now, now + waitNanos, answer);
    // It counts as waiting already, so that it looks again when it moves a dead letter that others stood behind.
    waiting.add(poll);
    List<HandedOut> taken = engine.receive(max, visibilityNanos, now, now, attemptId);
    if (!taken.isEmpty() || waitNanos <= 0 || isEnded) {
      waiting.remove(poll);
      answer.accept(taken);
      return;
    }
    alarm.after(waitNanos, this::serve);
    expectChange();
  }

  /** How many receives wait. */
  public int waiting() {
    return waiting.size();
  }

  /** Answers every receive that waits with nothing, as a service that is shut down; from now on no receive waits. */
  public void end() {
    isEnded = true;
    List<Poll> ended = List.copyOf(waiting);
    waiting.clear();
    expectChange();
    ended.forEach(poll -> poll.answer().accept(List.of()));
  }

  /** The queue changed: a waiting poll gets what there is a moment later, as from a service on another machine. */
  private void lookSoon() {
    if (!waiting.isEmpty() && !isLookDue) {
      isLookDue = true;
      alarm.after(0, this::serve);
    }
  }

  /** Gives what there is to those that wait, first come first served, and sends the ones whose time is up away. */
  private void serve() {
    isLookDue = false;
    long now = alarm.now();
    for (Iterator<Poll> polls = waiting.iterator(); polls.hasNext();) {
      Poll poll = polls.next();
      List<HandedOut> taken =
          engine.receive(poll.max(), poll.visibilityNanos(), poll.since(), now, poll.attemptId());
      if (!taken.isEmpty() || poll.until() <= now) {
        polls.remove();
        poll.answer().accept(taken);
      }
    }
    expectChange();
  }

  private void expectChange() {
    if (change != null) {
      change.cancel();
    }
    change = null;
    OptionalLong next = engine.nextChange(alarm.now());
    if (!waiting.isEmpty() && next.isPresent()) {
      change = alarm.after(next.getAsLong() - alarm.now(), this::serve);
    }
  }
}
