package io.queueworker.testkit.simulation;

import io.queueworker.queue.ReceivedMessage;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The receives that wait at a simulated queue for a message to come or to become visible again. The service does not
 * notice that a client has gone, so such a poll still takes messages.
 *
 * <p>Not thread-safe: belongs to the thread that holds the baton.
 */
final class LongPolls {

  private final Timeline time;
  private final Store store;
  private final List<Poll> waiting = new ArrayList<>();
  private @Nullable Timer expiry;

  LongPolls(Timeline time, Store store) {
    this.time = time;
    this.store = store;
  }

  /** A receive at the service. */
  private record Poll(int max, long visibilityNanos, long since, long until, Consumer<List<ReceivedMessage>> answer) {}

  /** Answers at once when there are messages or no time to wait, else when one of both comes. */
  void receive(int max, long visibilityNanos, long waitNanos, Consumer<List<ReceivedMessage>> answer) {
    long now = time.elapsed();
    List<ReceivedMessage> taken = store.take(max, visibilityNanos, now, now);
    if (!taken.isEmpty() || waitNanos <= 0) {
      answer.accept(taken);
      return;
    }
    waiting.add(new Poll(max, visibilityNanos, now, now + waitNanos, answer));
    time.after(waitNanos, this::serve);
    expectExpiry();
  }

  /** Gives what became visible to those that wait, first come first served, and sends the ones whose time is up away. */
  void serve() {
    long now = time.elapsed();
    for (Iterator<Poll> polls = waiting.iterator(); polls.hasNext();) {
      Poll poll = polls.next();
      List<ReceivedMessage> taken = store.take(poll.max(), poll.visibilityNanos(), poll.since(), now);
      if (!taken.isEmpty() || poll.until() <= now) {
        polls.remove();
        poll.answer().accept(taken);
      }
    }
    expectExpiry();
  }

  private void expectExpiry() {
    time.cancel(expiry);
    expiry = null;
    OptionalLong next = store.nextVisible(time.elapsed());
    if (!waiting.isEmpty() && next.isPresent()) {
      expiry = time.after(next.getAsLong() - time.elapsed(), this::serve);
    }
  }
}
