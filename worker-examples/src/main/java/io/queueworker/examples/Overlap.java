package io.queueworker.examples;

import io.queueworker.examples.EventTrail.Heard;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.HandlerReturned;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.Suppressed;
import java.util.List;
import java.util.Optional;

/**
 * The span in which the handlers of two workers ran for one event. Immutable.
 *
 * @param second the start of the handler that came second
 * @param firstEnd the end of the handler that ended first
 */
record Overlap(Heard second, Heard firstEnd) {

  /** The first such span of a trail in order; empty when never two handlers ran at once. */
  static Optional<Overlap> of(List<Heard> trail) {
    int running = 0;
    Optional<Heard> second = Optional.empty();
    for (Heard heard : trail) {
      if (heard.is(HandlerStarted.class)) {
        running++;
        if (running == 2) {
          second = Optional.of(heard);
        }
      } else if (endsHandler(heard)) {
        if (running == 2 && second.isPresent()) {
          return Optional.of(new Overlap(second.get(), heard));
        }
        running--;
      }
    }
    return Optional.empty();
  }

  /** A handler that the gate refused does not return: it is thrown out of its first write. */
  private static boolean endsHandler(Heard heard) {
    return heard.is(HandlerReturned.class) || heard.is(Suppressed.class) || heard.is(Failed.class);
  }

  /** How long it was. */
  double seconds() {
    return (firstEnd.nanoTime() - second.nanoTime()) / 1e9;
  }

  /** Whether this happened in it. */
  boolean contains(Heard heard) {
    return heard.nanoTime() - second.nanoTime() >= 0 && firstEnd.nanoTime() - heard.nanoTime() >= 0;
  }
}
