package io.queueworker.deadletter;

import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.time.Instant;

/**
 * A dead letter that one receive of ours hides, until its visibility timeout runs out by local time. A wall clock that leaps
 * ahead of the monotonic one, as after a sleep of the machine, counts as time that passed. Belongs to one thread.
 */
final class Held {

  private final ReceivedMessage message;
  private final Timing timing;
  private final Terms terms;
  private Receipt receipt;
  private Since since;

  /** When a call that hides messages was sent: never later than the service's own start. */
  record Since(long nanos, Instant wall) {
    static Since now(Timing timing) {
      return new Since(timing.nanoTime(), timing.now());
    }
  }

  Held(ReceivedMessage message, Timing timing, Terms terms, Since since) {
    this.message = message;
    this.timing = timing;
    this.terms = terms;
    this.receipt = message.receipt();
    this.since = since;
  }

  ReceivedMessage message() {
    return message;
  }

  Receipt receipt() {
    return receipt;
  }

  /** What is left, less the margin; zero or below when it is not ours any more. */
  long leftNanos() {
    long passed = timing.nanoTime() - since.nanos();
    long byWall = Duration.between(since.wall(), timing.now()).toNanos();
    return terms.visibilityNanos() - terms.marginNanos() - Math.max(passed, byWall);
  }

  boolean isHeld() {
    return leftNanos() > 0;
  }

  /** Counts anew, from when the extension was sent. */
  void extended(Receipt from, Since sent) {
    receipt = from;
    since = sent;
  }
}
