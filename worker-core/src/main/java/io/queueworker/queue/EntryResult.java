package io.queueworker.queue;

/** What the service answered for one entry of a batch call. */
public sealed interface EntryResult {

  /**
   * It worked.
   *
   * @param receipt the receipt to use from now on; the same one unless the service replaces it
   */
  record Done(Receipt receipt) implements EntryResult {}

  /**
   * The receipt is no longer good: its time ran out, another receive replaced it, or the service's total cap is reached.
   *
   * @param reason the service's words or code
   */
  record Lost(String reason) implements EntryResult {}

  /** The message no longer exists. */
  record Gone() implements EntryResult {}

  /**
   * Nothing is known or it failed for now: throttled, unreachable, timed out, or the service's own error. The call may
   * have had its effect.
   *
   * @param reason what happened, in words
   */
  record Retryable(String reason) implements EntryResult {}

  /**
   * The caller lacks a permission.
   *
   * @param action the missing permission by its name in a policy, such as {@code sqs:DeleteMessage}
   */
  record Denied(String action) implements EntryResult {}
}
