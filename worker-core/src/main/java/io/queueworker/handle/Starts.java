package io.queueworker.handle;

import java.util.Optional;

/**
 * What a handler needs to start beside its lease, as far as the user wants it. Immutable; its parts are thread-safe.
 *
 * @param breaker keeps handlers from a dependency that is down
 * @param pace keeps handlers from starting faster than a rate
 */
public record Starts(Optional<Breaker> breaker, Optional<Pace> pace) {

  /** Nothing is needed. */
  public static Starts free() {
    return new Starts(Optional.empty(), Optional.empty());
  }

  /** Whether nothing is needed. */
  boolean isFree() {
    return breaker.isEmpty() && pace.isEmpty();
  }
}
