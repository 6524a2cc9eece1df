package io.queueworker;

import java.time.Duration;

/** What a {@link FailurePolicy} can decide. */
public sealed interface FailureAction {

  /**
   * The message becomes visible again after this delay.
   *
   * @param delay zero or more; rounded up to the service's unit and clamped to its range
   */
  record RetryAfter(Duration delay) implements FailureAction {
    /** Refuses a negative delay. */
    public RetryAfter {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("retryAfter(" + delay + "): the delay must be zero or more");
      }
    }
  }

  /**
   * Nothing is sent: the message comes back when its visibility timeout runs out, and the queue's redrive policy moves it
   * to the dead-letter queue after its number of receives.
   */
  record LeaveForRedrive() implements FailureAction {}

  /** The message becomes visible again after {@code delay}. */
  static FailureAction retryAfter(Duration delay) {
    return new RetryAfter(delay);
  }

  /** The message comes back by itself, for the queue's redrive policy to count. */
  static FailureAction leaveForRedrive() {
    return new LeaveForRedrive();
  }
}
