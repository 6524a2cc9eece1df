package io.queueworker;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;

/**
 * Decides what becomes of a message whose handling failed.
 *
 * {@snippet :
 * worker.failurePolicy(
 *     FailurePolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(15))
 *         .rejectingAfter(5)
 *         .rejecting(IllegalArgumentException.class)
 *         .on(SQLTransientException.class, FailurePolicy.retryAfter(Duration.ofSeconds(5))));
 * }
 *
 * <p>What a handler says itself goes before any policy: a {@link RejectException} rejects its message, a {@link
 * RetryLaterException} has it tried again after the given time.
 *
 * <p>Called on the handler's thread, once per failure, within {@code maxProcessingTime}; not when the lease is lost, nor for a
 * handler that a close cut short. If it throws, the default decides. A policy serves many threads at once; those made here
 * are immutable.
 */
@FunctionalInterface
public interface FailurePolicy {

  /** Decides about one failure. */
  FailureAction decide(Failure failure);

  /**
   * Whether it is known to reject messages, so that the start of a worker whose queue has no dead-letter queue says so.
   * False unless overridden; the combinations that reject are true.
   */
  default boolean rejects() {
    return false;
  }

  /**
   * This policy, but {@code other} for failures in whose chain of causes there is one of this type. Of several that fit, the
   * one that was added last decides.
   */
  default FailurePolicy on(Class<? extends Throwable> type, FailurePolicy other) {
    FailurePolicy before = this;
    return new Combined(
        failure -> failure.causedBy(type).isPresent() ? other.decide(failure) : before.decide(failure),
        before.rejects() || other.rejects());
  }

  /** This policy, but failures in whose chain of causes there is one of this type reject their message. */
  default FailurePolicy rejecting(Class<? extends Throwable> type) {
    return on(type, alwaysReject());
  }

  /**
   * This policy for the first attempts, and a reject of the message when attempt number {@code attempts} fails. Keep it below
   * the queue's {@code maxReceiveCount}, which else comes first: a receive of a worker that died counts too.
   *
   * @param attempts 1 or more, by {@link Failure#attempt()}
   * @throws IllegalArgumentException when it is below 1
   */
  default FailurePolicy rejectingAfter(int attempts) {
    if (attempts < 1) {
      throw new IllegalArgumentException("rejectingAfter(" + attempts + "): the number of attempts must be 1 or more");
    }
    FailurePolicy before = this;
    return new Combined(
        failure -> failure.attempt() >= attempts ? FailureAction.reject() : before.decide(failure), true);
  }

  /**
   * Retries after a delay that grows with each attempt: a random part of {@code first}, then of twice that, up to
   * {@code max} (full jitter).
   *
   * @param first the longest delay after the first attempt, 1 ms or more
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
      long longest = growth.apply(Math.min(failure.attempt(), 60));
      return FailureAction.retryAfter(Duration.ofMillis((long) (failure.jitter() * longest)));
    };
  }

  /** {@link #exponential} from one second to 15 minutes. */
  static FailurePolicy defaults() {
    return exponential(Duration.ofSeconds(1), Duration.ofMinutes(15));
  }

  /** Retries after the same delay each time. */
  static FailurePolicy retryAfter(Duration delay) {
    FailureAction action = FailureAction.retryAfter(delay);
    return failure -> action;
  }

  /** Leaves every message for the queue's redrive policy. */
  static FailurePolicy alwaysLeaveForRedrive() {
    return failure -> FailureAction.leaveForRedrive();
  }

  /** Rejects every message at its first failure. */
  static FailurePolicy alwaysReject() {
    return new Combined(failure -> FailureAction.reject(), true);
  }

  /**
   * A policy that knows whether it rejects.
   *
   * @param policy decides
   * @param rejects whether it may reject
   */
  record Combined(FailurePolicy policy, boolean rejects) implements FailurePolicy {

    @Override
    public FailureAction decide(Failure failure) {
      return policy.decide(failure);
    }
  }
}
