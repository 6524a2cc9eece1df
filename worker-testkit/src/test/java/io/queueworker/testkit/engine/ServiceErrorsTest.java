package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The codes of the table in docs/queue-facts.md A1. */
class ServiceErrorsTest {

  private static EngineError named(String name) {
    return switch (name) {
      case "requestThrottled" -> ServiceErrors.requestThrottled();
      case "throttlingException" -> ServiceErrors.throttlingException();
      case "kmsThrottled" -> ServiceErrors.kmsThrottled();
      case "overLimit" -> ServiceErrors.overLimit();
      case "queueDoesNotExist" -> ServiceErrors.queueDoesNotExist();
      case "expiredToken" -> ServiceErrors.expiredToken();
      case "accessDenied" -> ServiceErrors.accessDenied("sqs:DeleteMessage");
      case "kmsAccessDenied" -> ServiceErrors.kmsAccessDenied();
      case "unavailable" -> ServiceErrors.unavailable();
      case "internalFailure" -> ServiceErrors.internalFailure();
      default -> throw new IllegalArgumentException(name);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "requestThrottled, RequestThrottled, 403, true",
    "throttlingException, ThrottlingException, 400, true",
    "kmsThrottled, KMS.ThrottlingException, 400, true",
    "overLimit, OverLimit, 403, true",
    "queueDoesNotExist, AWS.SimpleQueueService.NonExistentQueue, 400, true",
    "expiredToken, ExpiredToken, 403, true",
    "accessDenied, AccessDenied, 403, true",
    "kmsAccessDenied, KMS.AccessDeniedException, 400, true",
    "unavailable, ServiceUnavailable, 503, false",
    "internalFailure, InternalFailure, 500, false"
  })
  void each_has_its_code_and_status(String name, String code, int status, boolean senderFault) {
    EngineError error = named(name);
    assertThat(error.code()).isEqualTo(code);
    assertThat(error.status()).isEqualTo(status);
    assertThat(error.senderFault()).isEqualTo(senderFault);
    assertThat(error.message()).isNotBlank();
  }

  @Test
  void a_missing_permission_is_named() {
    assertThat(ServiceErrors.accessDenied("sqs:DeleteMessage").message()).contains("perform: sqs:DeleteMessage ");
  }

  @Test
  void no_text_of_the_engine_shows_a_body_or_a_receipt_handle() {
    Bench queue = Bench.standard();
    queue.engine.send(
        NewMessage.of("secret").withAttributes(java.util.Map.of("a", MessageAttribute.text("secret"))), queue.now);
    HandedOut message = queue.one();
    String shown =
        MessageAttribute.text("secret") + " " +
            message + " " + queue.engine.list(queue.now) + " " + NewMessage.of("secret") + " "
            + queue.change(message, 1)
            + " " + queue.delete(message) + " " + queue.change(message, 1) + " " + queue.delete(message);
    assertThat(shown).doesNotContain("secret").doesNotContain(message.receipt());
  }
}
