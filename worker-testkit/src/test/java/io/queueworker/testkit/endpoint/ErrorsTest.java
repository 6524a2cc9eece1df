package io.queueworker.testkit.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchEntryIdsNotDistinctException;
import software.amazon.awssdk.services.sqs.model.BatchRequestTooLongException;
import software.amazon.awssdk.services.sqs.model.EmptyBatchRequestException;
import software.amazon.awssdk.services.sqs.model.InvalidAddressException;
import software.amazon.awssdk.services.sqs.model.InvalidBatchEntryIdException;
import software.amazon.awssdk.services.sqs.model.InvalidSecurityException;
import software.amazon.awssdk.services.sqs.model.KmsAccessDeniedException;
import software.amazon.awssdk.services.sqs.model.KmsDisabledException;
import software.amazon.awssdk.services.sqs.model.KmsInvalidKeyUsageException;
import software.amazon.awssdk.services.sqs.model.KmsInvalidStateException;
import software.amazon.awssdk.services.sqs.model.KmsNotFoundException;
import software.amazon.awssdk.services.sqs.model.KmsOptInRequiredException;
import software.amazon.awssdk.services.sqs.model.KmsThrottledException;
import software.amazon.awssdk.services.sqs.model.MessageNotInflightException;
import software.amazon.awssdk.services.sqs.model.OverLimitException;
import software.amazon.awssdk.services.sqs.model.PurgeQueueInProgressException;
import software.amazon.awssdk.services.sqs.model.QueueDeletedRecentlyException;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.QueueNameExistsException;
import software.amazon.awssdk.services.sqs.model.ReceiptHandleIsInvalidException;
import software.amazon.awssdk.services.sqs.model.RequestThrottledException;
import software.amazon.awssdk.services.sqs.model.SqsException;
import software.amazon.awssdk.services.sqs.model.TooManyEntriesInBatchRequestException;
import software.amazon.awssdk.services.sqs.model.UnsupportedOperationException;

/** Each error of the service, with the class and code that the SDK makes of it (docs/queue-facts.md A1). */
class ErrorsTest {

  private static StrictSqs sqs;
  private static SqsClient client;
  private static StrictQueue queue;

  @BeforeAll
  static void start() {
    sqs = StrictSqs.start();
    client = Calls.plain(sqs);
    queue = sqs.queue("errors").create();
  }

  @AfterAll
  static void close() {
    client.close();
    sqs.close();
  }

  static Stream<Arguments> errors() {
    String prefix = "AWS.SimpleQueueService.";
    return Stream.of(
        arguments(ServiceError.invalidParameterValue("x"), SqsException.class, "InvalidParameterValue", 400, false),
        arguments(
            ServiceError.receiptHandleIsInvalid(), ReceiptHandleIsInvalidException.class, "ReceiptHandleIsInvalid", 400,
            false),
        arguments(
            ServiceError.messageNotInflight(), MessageNotInflightException.class, prefix + "MessageNotInflight", 400,
            false),
        arguments(
            ServiceError.queueDoesNotExist(), QueueDoesNotExistException.class, prefix + "NonExistentQueue", 400,
            false),
        arguments(ServiceError.overLimit(), OverLimitException.class, "OverLimit", 403, false),
        arguments(ServiceError.requestThrottled(), RequestThrottledException.class, "RequestThrottled", 403, true),
        arguments(ServiceError.throttlingException(), SqsException.class, "ThrottlingException", 400, true),
        arguments(ServiceError.kmsThrottled(), KmsThrottledException.class, "KMS.ThrottlingException", 400, false),
        arguments(ServiceError.kmsAccessDenied(), KmsAccessDeniedException.class, "KMS.AccessDeniedException", 400,
            false),
        arguments(ServiceError.kmsDisabled(), KmsDisabledException.class, "KMS.DisabledException", 400, false),
        arguments(ServiceError.kmsInvalidState(), KmsInvalidStateException.class, "KMS.InvalidStateException", 400,
            false),
        arguments(ServiceError.kmsNotFound(), KmsNotFoundException.class, "KMS.NotFoundException", 400, false),
        arguments(ServiceError.kmsOptInRequired(), KmsOptInRequiredException.class, "KMS.OptInRequired", 403, false),
        arguments(
            ServiceError.kmsInvalidKeyUsage(), KmsInvalidKeyUsageException.class, "KMS.InvalidKeyUsageException", 400,
            false),
        arguments(
            ServiceError.unsupportedOperation(), UnsupportedOperationException.class, prefix + "UnsupportedOperation",
            400, false),
        arguments(ServiceError.invalidAddress(), InvalidAddressException.class, "InvalidAddress", 404, false),
        arguments(ServiceError.invalidSecurity(), InvalidSecurityException.class, "InvalidSecurity", 403, false),
        arguments(
            ServiceError.tooManyEntriesInBatchRequest(11), TooManyEntriesInBatchRequestException.class,
            prefix + "TooManyEntriesInBatchRequest", 400, false),
        arguments(
            ServiceError.emptyBatchRequest("x"), EmptyBatchRequestException.class, prefix + "EmptyBatchRequest", 400,
            false),
        arguments(
            ServiceError.batchEntryIdsNotDistinct("0"), BatchEntryIdsNotDistinctException.class,
            prefix + "BatchEntryIdsNotDistinct", 400, false),
        arguments(
            ServiceError.invalidBatchEntryId(), InvalidBatchEntryIdException.class, prefix + "InvalidBatchEntryId", 400,
            false),
        arguments(
            ServiceError.batchRequestTooLong(2), BatchRequestTooLongException.class, prefix + "BatchRequestTooLong",
            400,
            false),
        arguments(
            ServiceError.purgeQueueInProgress("q"), PurgeQueueInProgressException.class,
            prefix + "PurgeQueueInProgress", 403, false),
        arguments(
            ServiceError.queueDeletedRecently(), QueueDeletedRecentlyException.class, prefix + "QueueDeletedRecently",
            400, false),
        arguments(
            ServiceError.queueAlreadyExists("x"), QueueNameExistsException.class, "QueueAlreadyExists", 400, false),
        arguments(ServiceError.accessDenied("sqs:DeleteMessage"), SqsException.class, "AccessDenied", 403, false),
        arguments(ServiceError.expiredToken(), SqsException.class, "ExpiredToken", 403, false),
        arguments(ServiceError.invalidClientTokenId(), SqsException.class, "InvalidClientTokenId", 403, false),
        arguments(ServiceError.internalFailure(), SqsException.class, "InternalFailure", 500, false),
        arguments(ServiceError.serviceUnavailable(), SqsException.class, "ServiceUnavailable", 503, false));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void the_sdk_makes_the_right_exception_of_an_error(
      ServiceError error, Class<?> exception, String code, int status, boolean throttling) {
    ScriptedFault fault = queue.next(Operation.SEND, HttpFault.error(error));
    SqsException thrown = catchThrowableOfType(SqsException.class, () -> queueSend("a"));
    assertThat(thrown).isExactlyInstanceOf(exception);
    assertThat(thrown.awsErrorDetails().errorCode()).isEqualTo(code);
    assertThat(thrown.awsErrorDetails().errorMessage()).isEqualTo(error.message());
    assertThat(thrown.statusCode()).isEqualTo(status);
    assertThat(thrown.isThrottlingException()).isEqualTo(throttling);
    assertThat(thrown.requestId()).isNotBlank();
    assertThat(fault.fired()).isEqualTo(1);
    assertThat(queue.counts().total()).as("messages, since the call had no effect").isZero();
  }

  /** Without the script the same call goes well, so the exceptions above are its doing. */
  @Test
  void the_next_call_goes_well_again() {
    StrictQueue other = sqs.queue("after").create();
    ScriptedFault fault = other.next(Operation.SEND, HttpFault.error(ServiceError.serviceUnavailable()));
    SqsException thrown =
        catchThrowableOfType(
            SqsException.class, () -> client.sendMessage(call -> call.queueUrl(other.url()).messageBody("a")));
    client.sendMessage(call -> call.queueUrl(other.url()).messageBody("a"));
    assertThat(thrown.statusCode()).isEqualTo(503);
    assertThat(fault.fired()).isEqualTo(1);
    assertThat(other.counts().visible()).isEqualTo(1);
  }

  @Test
  void the_sdk_repeats_a_throttled_call_and_not_one_throttled_by_kms() {
    try (SqsClient repeating = sqs.newClient(AwsRetryStrategy.standardRetryStrategy())) {
      ScriptedFault throttled = queue.next(Operation.GET_ATTRIBUTES, HttpFault.error(ServiceError.requestThrottled()));
      repeating.getQueueAttributes(call -> call.queueUrl(queue.url()));
      ScriptedFault byKms = queue.next(Operation.GET_ATTRIBUTES, HttpFault.error(ServiceError.kmsThrottled()));
      SqsException thrown =
          catchThrowableOfType(SqsException.class, () -> repeating.getQueueAttributes(c -> c.queueUrl(queue.url())));
      assertThat(thrown).isExactlyInstanceOf(KmsThrottledException.class);
      assertThat(throttled.fired()).isEqualTo(1);
      assertThat(byKms.fired()).isEqualTo(1);
    }
  }

  private static void queueSend(String body) {
    client.sendMessage(call -> call.queueUrl(queue.url()).messageBody(body));
  }
}
