package io.queueworker.testkit.timeline;

import java.time.Duration;
import java.util.List;

/**
 * A span in which two handlers or more could work on one message. Immutable.
 *
 * @param messageId the service's message id
 * @param workers whose handlers they were, by worker id, in the order of their starts
 * @param from when the second one started, since the time line's first event
 * @param to when all of them but one had ended, since the time line's first event
 */
public record Overlap(String messageId, List<String> workers, Duration from, Duration to) {

  /** A span of these workers, of which a copy is kept. */
  public Overlap {
    workers = List.copyOf(workers);
  }

  /** How long it was, in seconds. */
  public double seconds() {
    return to.minus(from).toNanos() / 1e9;
  }
}
