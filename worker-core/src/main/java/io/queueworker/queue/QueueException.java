package io.queueworker.queue;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A receive or an attribute read that failed, classified. */
public final class QueueException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What kind of failure, and so what helps. */
  public enum Kind {
    /** The queue does not exist. Only a person can help. */
    MISSING,
    /** A permission or valid credentials are missing. A person, or renewed credentials, can help. */
    DENIED,
    /** The service asks for fewer calls. */
    THROTTLED,
    /** Too many messages are in flight. Deleting some helps. */
    OVER_LIMIT,
    /** Unreachable, timed out, or the service's own error. Time helps. */
    UNAVAILABLE
  }

  private final Kind kind;
  private final Optional<String> deniedAction;

  private QueueException(Kind kind, String message, Optional<String> deniedAction, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.deniedAction = deniedAction;
  }

  /** A failure of any kind but {@link Kind#DENIED}; the message names the queue and what failed. */
  public static QueueException of(Kind kind, String message, @Nullable Throwable cause) {
    return new QueueException(kind, message, Optional.empty(), cause);
  }

  /**
   * A missing permission.
   *
   * @param action the permission by its name in a policy, such as {@code sqs:ReceiveMessage}
   */
  public static QueueException denied(String action, String message, @Nullable Throwable cause) {
    return new QueueException(Kind.DENIED, message, Optional.of(action), cause);
  }

  /** What kind of failure it is. */
  public Kind kind() {
    return kind;
  }

  /** The missing permission, when that is what failed. */
  public Optional<String> deniedAction() {
    return deniedAction;
  }
}
