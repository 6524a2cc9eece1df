package io.queueworker.testkit.endpoint;

import io.queueworker.testkit.engine.EngineError;
import java.util.Objects;

/**
 * An error as SQS answers it: the JSON shape that picks the SDK's exception class, the code of the query protocol that
 * {@code awsErrorDetails().errorCode()} shows, the HTTP status and the words (docs/queue-facts.md A1). Immutable.
 *
 * @param code the code in the header {@code x-amzn-query-error}, and the code of a failed batch entry
 * @param shape the name in the body's {@code __type}
 * @param status the HTTP status; of no meaning for a batch entry
 * @param senderFault whether the service blames the caller, so that sending the same again is useless
 * @param message the words
 */
public record ServiceError(String code, String shape, int status, boolean senderFault, String message) {

  private static final String PREFIX = "AWS.SimpleQueueService.";

  /** Checks that nothing is missing. */
  public ServiceError {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(message, "message");
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("status = " + status + ": an error's HTTP status is 400 to 599");
    }
  }

  /** An error whose shape is its code, the caller's fault below HTTP 500. */
  public static ServiceError of(String code, int status, String message) {
    return new ServiceError(code, code, status, status < 500, message);
  }

  /** The same refusal as the engine's. */
  static ServiceError of(EngineError error) {
    return new ServiceError(
        error.code(),
        error.code().substring(error.code().lastIndexOf('.') + 1),
        error.status(),
        error.senderFault(),
        error.message());
  }

  private static ServiceError sqs(String code, String shape, int status, String message) {
    return new ServiceError(PREFIX + code, shape, status, true, message);
  }

  private static ServiceError kms(String code, String shape, String message) {
    return new ServiceError("KMS." + code, shape, 400, true, message);
  }

  /** The same, blamed on the caller or on the service. */
  public ServiceError withSenderFault(boolean sender) {
    return new ServiceError(code, shape, status, sender, message);
  }

  /** The same with other words. */
  public ServiceError withMessage(String words) {
    return new ServiceError(code, shape, status, senderFault, words);
  }

  /** A parameter that the service refuses, in its words; SDK v2 has no class for it. */
  public static ServiceError invalidParameterValue(String message) {
    return of("InvalidParameterValue", 400, message);
  }

  /** A parameter that is not there. */
  public static ServiceError missingParameter(String name) {
    return of("MissingParameter", 400, "The request must contain the parameter " + name + ".");
  }

  /** A receipt handle that was never given out. */
  public static ServiceError receiptHandleIsInvalid() {
    return of("ReceiptHandleIsInvalid", 400, "The input receipt handle is invalid.");
  }

  /** A message that is not in flight; modelled, though nobody has seen the service answer it. */
  public static ServiceError messageNotInflight() {
    return sqs("MessageNotInflight", "MessageNotInflight", 400, "The specified message isn't in flight.");
  }

  /** A queue that is not there. */
  public static ServiceError queueDoesNotExist() {
    return sqs("NonExistentQueue", "QueueDoesNotExist", 400, "The specified queue does not exist.");
  }

  /** Too many messages in flight. */
  public static ServiceError overLimit() {
    return of("OverLimit", 403, "Too many messages are in flight for this queue.");
  }

  /** Too many calls, as SQS says it; the SDK repeats such calls. */
  public static ServiceError requestThrottled() {
    return of("RequestThrottled", 403, "Request is throttled.");
  }

  /** Too many calls, as a FIFO queue says it; the SDK repeats such calls. */
  public static ServiceError throttlingException() {
    return of("ThrottlingException", 400, "Rate exceeded");
  }

  /** Too many calls to KMS; the SDK takes it for no throttling and does not repeat the call. */
  public static ServiceError kmsThrottled() {
    return kms("ThrottlingException", "KmsThrottled", "Rate exceeded");
  }

  /** No access to the queue's KMS key. */
  public static ServiceError kmsAccessDenied() {
    return kms(
        "AccessDeniedException",
        "KmsAccessDenied",
        "The ciphertext refers to a customer master key that does not exist, does not exist in this region, or you are"
            + " not allowed to access.");
  }

  /** The queue's KMS key is disabled. */
  public static ServiceError kmsDisabled() {
    return kms("DisabledException", "KmsDisabled", "The key is disabled.");
  }

  /** The queue's KMS key is in a state that does not allow its use. */
  public static ServiceError kmsInvalidState() {
    return kms("InvalidStateException", "KmsInvalidState", "The key is pending deletion.");
  }

  /** The queue's KMS key is not there. */
  public static ServiceError kmsNotFound() {
    return kms("NotFoundException", "KmsNotFound", "The key does not exist.");
  }

  /** The account needs a subscription for KMS. */
  public static ServiceError kmsOptInRequired() {
    return new ServiceError(
        "KMS.OptInRequired", "KmsOptInRequired", 403, true,
        "The AWS Access Key Id needs a subscription for the service");
  }

  /** The queue's KMS key is for another use. */
  public static ServiceError kmsInvalidKeyUsage() {
    return kms("InvalidKeyUsageException", "KmsInvalidKeyUsage", "The key's usage is not ENCRYPT_DECRYPT.");
  }

  /** A call that this kind of queue does not know. */
  public static ServiceError unsupportedOperation() {
    return sqs("UnsupportedOperation", "UnsupportedOperation", 400, "This operation is not supported for this queue.");
  }

  /** An account or queue that cannot be addressed. */
  public static ServiceError invalidAddress() {
    return of("InvalidAddress", 404, "The address is not valid for this endpoint.");
  }

  /** A request without TLS where it is needed. */
  public static ServiceError invalidSecurity() {
    return of("InvalidSecurity", 403, "The request was not made over HTTPS.");
  }

  /** A batch of more than ten. */
  public static ServiceError tooManyEntriesInBatchRequest(int sent) {
    return sqs(
        "TooManyEntriesInBatchRequest",
        "TooManyEntriesInBatchRequest",
        400,
        "Maximum number of entries per request are 10. You have sent " + sent + ".");
  }

  /** A batch of none. */
  public static ServiceError emptyBatchRequest(String entryType) {
    return sqs(
        "EmptyBatchRequest",
        "EmptyBatchRequest",
        400,
        "There should be at least one " + entryType + " in the request.");
  }

  /** Two entries of one id. */
  public static ServiceError batchEntryIdsNotDistinct(String id) {
    return sqs("BatchEntryIdsNotDistinct", "BatchEntryIdsNotDistinct", 400, "Id " + id + " repeated.");
  }

  /** An entry's id that breaks the rule for ids. */
  public static ServiceError invalidBatchEntryId() {
    return sqs(
        "InvalidBatchEntryId",
        "InvalidBatchEntryId",
        400,
        "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80"
            + " letters long.");
  }

  /** A batch of more bytes than one message may have. */
  public static ServiceError batchRequestTooLong(long sent) {
    return sqs(
        "BatchRequestTooLong",
        "BatchRequestTooLong",
        400,
        "Batch requests cannot be longer than 1048576 bytes. You have sent " + sent + " bytes.");
  }

  /** A second purge within 60 s. */
  public static ServiceError purgeQueueInProgress(String queue) {
    return sqs(
        "PurgeQueueInProgress",
        "PurgeQueueInProgress",
        403,
        "Only one PurgeQueue operation on " + queue + " is allowed every 60 seconds.");
  }

  /** A queue made again within 60 s of its deletion. */
  public static ServiceError queueDeletedRecently() {
    return sqs(
        "QueueDeletedRecently",
        "QueueDeletedRecently",
        400,
        "You must wait 60 seconds after deleting a queue before you can create another with the same name.");
  }

  /** A queue of that name with other settings. */
  public static ServiceError queueAlreadyExists(String attribute) {
    return new ServiceError(
        "QueueAlreadyExists",
        "QueueNameExists",
        400,
        true,
        "A queue already exists with the same name and a different value for attribute " + attribute);
  }

  /**
   * A policy that does not allow the call.
   *
   * @param action the permission by its name in a policy, such as {@code sqs:DeleteMessage}
   */
  public static ServiceError accessDenied(String action) {
    return new ServiceError(
        "AccessDenied",
        "AccessDeniedException",
        403,
        true,
        "User: arn:aws:iam::000000000000:user/worker is not authorized to perform: "
            + action
            + " on resource: the queue, because no identity-based policy allows the "
            + action
            + " action");
  }

  /** Credentials whose time is over. */
  public static ServiceError expiredToken() {
    return new ServiceError(
        "ExpiredToken",
        "ExpiredTokenException",
        403,
        true,
        "The security token included in the request is expired");
  }

  /** Credentials that nobody gave out. */
  public static ServiceError invalidClientTokenId() {
    return new ServiceError(
        "InvalidClientTokenId",
        "UnrecognizedClientException",
        403,
        true,
        "The security token included in the request is invalid.");
  }

  /** The service's own failure; the SDK repeats such calls. */
  public static ServiceError internalFailure() {
    return of("InternalFailure", 500, "We encountered an internal error. Please try again.");
  }

  /** A service that is down for now; the SDK repeats such calls. */
  public static ServiceError serviceUnavailable() {
    return of("ServiceUnavailable", 503, "Service is unavailable.");
  }

  /** Names the error without its words, which may quote a receipt handle. */
  @Override
  public String toString() {
    return "ServiceError[" + code + "]";
  }
}
