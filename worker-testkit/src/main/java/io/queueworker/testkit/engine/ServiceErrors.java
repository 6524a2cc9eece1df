package io.queueworker.testkit.engine;

import io.queueworker.testkit.engine.EngineError.Reason;

/**
 * The refusals of Amazon SQS that no rule of a queue explains: load, permissions, credentials, keys and trouble of its own
 * (docs/queue-facts.md A1). Stateless, so thread-safe.
 */
public final class ServiceErrors {

  private ServiceErrors() {}

  /** Too many calls on a standard queue. The SDK repeats the call by itself. */
  public static EngineError requestThrottled() {
    return new EngineError(Reason.THROTTLED, "RequestThrottled", 403, "Request is throttled.", true);
  }

  /** Too many calls of one action on a FIFO queue. The SDK repeats the call by itself. */
  public static EngineError throttlingException() {
    return new EngineError(Reason.THROTTLED, "ThrottlingException", 400, "Rate exceeded", true);
  }

  /** Too many calls to the key service. The SDK does not repeat the call. */
  public static EngineError kmsThrottled() {
    return new EngineError(
        Reason.THROTTLED,
        "KMS.ThrottlingException",
        400,
        "You have exceeded the rate at which you may call KMS. Reduce the frequency of your calls.",
        true);
  }

  /** Too many messages are in flight for a short poll. */
  public static EngineError overLimit() {
    return EngineError.overLimit();
  }

  /** The queue does not exist, or not any more. */
  public static EngineError queueDoesNotExist() {
    return new EngineError(
        Reason.QUEUE_MISSING,
        "AWS.SimpleQueueService.NonExistentQueue",
        400,
        "The specified queue does not exist.",
        true);
  }

  /** The temporary credentials are too old. */
  public static EngineError expiredToken() {
    return new EngineError(
        Reason.CREDENTIALS, "ExpiredToken", 403, "The security token included in the request is expired", true);
  }

  /**
   * A permission is missing.
   *
   * @param action the permission by its name in a policy, such as {@code sqs:DeleteMessage}
   */
  public static EngineError accessDenied(String action) {
    return new EngineError(
        Reason.DENIED,
        "AccessDenied",
        403,
        "User: arn:aws:iam::000000000000:user/worker is not authorized to perform: " + action
            + " because no identity-based policy allows the " + action + " action",
        true);
  }

  /** The permission to use the queue's key is missing. */
  public static EngineError kmsAccessDenied() {
    return new EngineError(
        Reason.DENIED,
        "KMS.AccessDeniedException",
        400,
        "The caller is not authorized to perform: kms:Decrypt on the queue's key",
        true);
  }

  /** The service cannot answer now. */
  public static EngineError unavailable() {
    return new EngineError(Reason.UNAVAILABLE, "ServiceUnavailable", 503, "Service is unavailable.", false);
  }

  /** The service failed. */
  public static EngineError internalFailure() {
    return new EngineError(
        Reason.UNAVAILABLE, "InternalFailure", 500, "We encountered an internal error. Please try again.", false);
  }
}
