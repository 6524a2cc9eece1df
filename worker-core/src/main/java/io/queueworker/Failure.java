package io.queueworker;

import java.util.Optional;

/**
 * One failed attempt to handle a message.
 *
 * @param cause what was thrown, by the decoder, the key function, the handler or the commit
 * @param stage where
 * @param messageId the service's message id
 * @param receiveCount how often the message has been received, at least 1
 * @param attempt which attempt at the message failed, at least 1: the receive count, and one more for each time that the
 *     message was tried again in place, as on a FIFO queue. As approximate as the receive count, which also counts receives
 *     whose worker died
 * @param jitter a random number in {@code [0, 1)} to spread delays with
 */
public record Failure(
    Throwable cause, Stage stage, String messageId, int receiveCount, int attempt, double jitter) {

  /** The longest chain of causes that is looked at: one that goes on is a circle. */
  private static final int LONGEST_CHAIN = 50;

  /** The step in which an attempt failed. */
  public enum Stage {
    DECODE,
    KEY,
    HANDLE,
    COMMIT
  }

  /** The first of this type among what was thrown, its cause, the cause of that, and so on. */
  public <X extends Throwable> Optional<X> causedBy(Class<X> type) {
    Throwable one = cause;
    for (int depth = 0; one != null && depth < LONGEST_CHAIN; depth++) {
      if (type.isInstance(one)) {
        return Optional.of(type.cast(one));
      }
      one = one.getCause();
    }
    return Optional.empty();
  }
}
