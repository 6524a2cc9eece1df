package io.queueworker.queue;

/** What the service answered to a send. */
public sealed interface SendResult {

  /**
   * The queue has the message.
   *
   * @param messageId the id that the service gave it; on a FIFO queue that of the earlier message when this one repeats it
   */
  record Sent(String messageId) implements SendResult {}

  /**
   * The service will never take the message as it is: it is too large, has characters or attributes that the service does
   * not know, or does not fit the kind of queue.
   *
   * @param reason the service's words
   */
  record Refused(String reason) implements SendResult {}

  /**
   * Nothing is known or it failed for now: throttled, unreachable, timed out, or the queue is missing. The queue may have the
   * message.
   *
   * @param reason what happened, in words
   */
  record Retryable(String reason) implements SendResult {}

  /**
   * The caller lacks a permission.
   *
   * @param action the missing permission by its name in a policy, such as {@code sqs:SendMessage}
   */
  record Denied(String action) implements SendResult {}
}
