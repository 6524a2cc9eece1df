package io.queueworker;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a handler throws to say when its message is to be tried again, whatever the {@link FailurePolicy} would say: for
 * example after the time that a rate limit named. It counts as a failure, and as a receive. Also recognised as the cause of
 * another exception.
 */
public final class RetryLaterException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Duration delay;

  /**
   * A wish to come again after {@code delay}.
   *
   * @param delay zero or more; rounded up to the service's unit and clamped to its range
   * @throws IllegalArgumentException when it is negative
   */
  public RetryLaterException(Duration delay) {
    this(delay, null);
  }

  /** The same because of a failure. */
  public RetryLaterException(Duration delay, @Nullable Throwable cause) {
    super("to be tried again after " + delay, cause);
    if (delay.isNegative()) {
      throw new IllegalArgumentException("RetryLaterException(" + delay + "): the delay must be zero or more");
    }
    this.delay = delay;
  }

  /** After how long. */
  public Duration delay() {
    return delay;
  }
}
