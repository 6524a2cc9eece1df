package io.queueworker;

import org.jspecify.annotations.Nullable;

/**
 * What a handler, a decoder or a key function throws to say that its message can never be handled: it goes to the
 * dead-letter queue at once, whatever the {@link FailurePolicy} would say. Also recognised as the cause of another exception.
 */
public final class RejectException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** A refusal of the message; {@code reason} goes with it to the dead-letter queue. */
  public RejectException(String reason) {
    super(reason);
  }

  /** A refusal of the message because of a failure. */
  public RejectException(String reason, @Nullable Throwable cause) {
    super(reason, cause);
  }

  /** Why the message can never be handled. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
