package io.queueworker;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;

/**
 * Decides what becomes of a message whose handling failed.
 *
 * <p>Called on the handler's thread, once per failure, within {@code maxProcessingTime}; not when the lease is lost, nor for a
 * handler that a close cut short. If it throws, the default decides.
 */
@FunctionalInterface
public interface FailurePolicy {

  /** Decides about one failure. */
  FailureAction decide(Failure failure);

  /**
   * Retries after a delay that grows with the receive count: a random part of {@code first}, then of twice that, up to
   * {@code max} (full jitter).
   *
   * @param first the longest delay after the first receive, 1 ms or more
   * @param max the longest delay of all, at least {@code first}, 365 days at most; longer ones than the service's are clamped
   * @throws IllegalArgumentException when a value is out of its range
   */
  static FailurePolicy exponential(Duration first, Duration max) {
    if (first.compareTo(Duration.ofMillis(1)) < 0
        || max.compareTo(first) < 0
        || max.compareTo(Duration.ofDays(365)) > 0) {
      throw new IllegalArgumentException(
          "FailurePolicy.exponential(" + first + ", " + max
              + "): first must be 1 ms or more, and max at least first and 365 days at most");
    }
    IntervalFunction growth = IntervalFunction.ofExponentialBackoff(first.toMillis(), 2.0, max.toMillis());
    return failure -> {
      long longest = growth.apply(Math.min(failure.receiveCount(), 60));
      return FailureAction.retryAfter(Duration.ofMillis((long) (failure.jitter() * longest)));
    };
  }

  /** {@link #exponential} from one second to 15 minutes. */
  static FailurePolicy defaults() {
    return exponential(Duration.ofSeconds(1), Duration.ofMinutes(15));
  }
}
