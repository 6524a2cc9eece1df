package io.queueworker;

import java.time.Duration;
import java.util.Optional;

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

  /**
   * The message is sent to the queue's dead-letter queue and then deleted, without waiting for the redrive policy to count its
   * receives. What was sent carries the original message id, the reason, the exception's class, the receive count and the
   * worker as attributes. Where that cannot be, for want of a dead-letter queue, of a permission or of room for the
   * attributes, it is left for redrive, and an event says so.
   *
   * @param reason why, for whoever looks at the dead-letter queue; empty takes the exception's message. Cut where it is too
   *     long for an attribute
   */
  record Reject(Optional<String> reason) implements FailureAction {}

  /** The message becomes visible again after {@code delay}. */
  static FailureAction retryAfter(Duration delay) {
    return new RetryAfter(delay);
  }

  /** The message comes back by itself, for the queue's redrive policy to count. */
  static FailureAction leaveForRedrive() {
    return new LeaveForRedrive();
  }

  /** The message goes to the dead-letter queue, with what was thrown as the reason. */
  static FailureAction reject() {
    return new Reject(Optional.empty());
  }

  /** The message goes to the dead-letter queue. */
  static FailureAction reject(String reason) {
    return new Reject(Optional.of(reason));
  }
}
