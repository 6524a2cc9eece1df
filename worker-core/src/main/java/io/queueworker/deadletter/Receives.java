package io.queueworker.deadletter;

import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.util.List;

/**
 * The receives of one run from the dead-letter queue. A failed one is tried again, after a pause, for as long as a visibility
 * timeout. Belongs to one thread.
 */
final class Receives {

  private static final long LONG_POLL = Duration.ofSeconds(1).toNanos();

  private final MessageQueue queue;
  private final Timing timing;
  private final Terms terms;
  private final Pause pause;
  private boolean unanswered;
  private long unansweredAt;

  Receives(MessageQueue queue, Timing timing, Terms terms, Pause pause) {
    this.queue = queue;
    this.timing = timing;
    this.terms = terms;
    this.pause = pause;
  }

  /** The terms on which messages of this queue are hidden, which not every kind of queue lets a receive choose. */
  static Terms terms(MessageQueue queue, Duration asked) {
    return new Terms(queue.traits().receiveVisibility() ? asked : queue.attributes().visibility());
  }

  /**
   * One receive, waiting at most a second for the first message. Empty when nothing was visible, or when the run is to end.
   *
   * @throws QueueException when it fails for longer than a visibility timeout, or can only be helped by a person
   */
  List<Held> take(int most) {
    long start = timing.nanoTime();
    int failures = 0;
    while (!pause.isCancelled()) {
      try {
        Held.Since since = Held.Since.now(timing);
        List<Held> taken =
            queue.receive(request(most)).stream().map(m -> new Held(m, timing, terms, since)).toList();
        // What a receive without an answer hid is not seen before its visibility timeout has passed.
        if (!taken.isEmpty() || !isUnanswered()) {
          return taken;
        }
      } catch (QueueException failed) {
        boolean helpless =
            failed.kind() == QueueException.Kind.MISSING || failed.kind() == QueueException.Kind.DENIED;
        if (helpless || timing.nanoTime() - start >= terms.visibilityNanos()) {
          throw failed;
        }
        unanswered |= failed.kind() == QueueException.Kind.UNAVAILABLE;
        unansweredAt = timing.nanoTime();
        failures++;
        pause.afterFailure(failures, () -> {});
      }
    }
    return List.of();
  }

  /** Whether a receive had no answer, and what it hid may still be hidden. */
  boolean isUnanswered() {
    return unanswered && timing.nanoTime() - unansweredAt <= terms.visibilityNanos() + terms.marginNanos();
  }

  private ReceiveRequest request(int most) {
    return new ReceiveRequest(
        Math.min(most, queue.traits().maxBatch()), Duration.ofNanos(LONG_POLL),
        queue.traits().receiveVisibility() ? terms.visibility() : null);
  }
}
