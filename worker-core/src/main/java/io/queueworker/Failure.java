package io.queueworker;

/**
 * One failed attempt to handle a message.
 *
 * @param cause what was thrown, by the decoder, the key function, the handler or the commit
 * @param stage where
 * @param messageId the service's message id
 * @param receiveCount how often the message has been received, at least 1
 * @param jitter a random number in {@code [0, 1)} to spread delays with
 */
public record Failure(Throwable cause, Stage stage, String messageId, int receiveCount, double jitter) {

  /** The step in which an attempt failed. */
  public enum Stage {
    DECODE,
    KEY,
    HANDLE,
    COMMIT
  }
}
