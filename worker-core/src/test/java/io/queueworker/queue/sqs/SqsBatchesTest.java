package io.queueworker.queue.sqs;

import static io.queueworker.queue.sqs.ScriptedSqs.batch;
import static io.queueworker.queue.sqs.ScriptedSqs.failed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.EntryResult.Denied;
import io.queueworker.queue.EntryResult.Done;
import io.queueworker.queue.EntryResult.Gone;
import io.queueworker.queue.EntryResult.Lost;
import io.queueworker.queue.EntryResult.Retryable;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.VisibilityChange;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.SqsClient;

/** What extend, release and delete make of every answer that the service can give. */
class SqsBatchesTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final String HANDLE = "AQEBsecret+handle/of==";

  private ScriptedSqs sqs;
  private SqsClient client;
  private SqsQueue queue;

  @BeforeEach
  void open() {
    sqs = new ScriptedSqs();
    client = ScriptedClients.once(sqs);
    queue = SqsQueue.at(sqs.url("orders"), client, client);
  }

  @AfterEach
  void close() {
    client.close();
    sqs.close();
  }

  @Test
  void an_entry_that_worked_is_done_with_the_same_receipt() {
    sqs.thenJson(batch(List.of(0))).thenJson(batch(List.of(0))).thenJson(batch(List.of(0)));

    assertThat(queue.extend(List.of(change(Duration.ofSeconds(30))), TIMEOUT)).containsExactly(done(0));
    assertThat(queue.release(List.of(change(Duration.ZERO)), TIMEOUT)).containsExactly(done(0));
    assertThat(queue.delete(receipts(1), TIMEOUT)).containsExactly(done(0));
    assertThat(sqs.requests())
        .extracting(ScriptedSqs.Request::operation)
        .containsExactly("ChangeMessageVisibilityBatch", "ChangeMessageVisibilityBatch", "DeleteMessageBatch");
  }

  @Test
  void each_entry_of_a_partly_failed_batch_gets_its_own_answer_whatever_the_order() {
    sqs.thenJson(
        batch(
            List.of(9, 0, 4),
            failed(8, "InternalError", "try later", false),
            failed(1, "ReceiptHandleIsInvalid", "The receipt handle has expired", true),
            failed(2, "InvalidParameterValue", "Message does not exist or is not available for x.", true),
            failed(3, "RequestThrottled", "slow down", false),
            failed(5, "AccessDenied", "no", true),
            failed(6, "KMS.AccessDeniedException", "no", true)));

    List<EntryResult> results = queue.delete(receipts(10), TIMEOUT);

    assertThat(results.get(0)).isEqualTo(done(0));
    assertThat(results.get(1)).isInstanceOf(Lost.class);
    assertThat(results.get(2)).isEqualTo(new Gone());
    assertThat(reason(results.get(3))).contains("throttled", "RequestThrottled");
    assertThat(results.get(4)).isEqualTo(done(4));
    assertThat(results.get(5)).isEqualTo(new Denied("sqs:DeleteMessage"));
    assertThat(results.get(6)).isEqualTo(new Denied("kms:Decrypt"));
    assertThat(reason(results.get(7))).contains("leaves this entry out");
    assertThat(reason(results.get(8))).contains("queue=orders", "sqs:DeleteMessage", "InternalError", "try later");
    assertThat(results.get(9)).isEqualTo(done(9));
    assertThat(results).hasSize(10);
  }

  @Test
  void an_answer_without_any_entry_leaves_each_entry_retryable() {
    sqs.thenJson("{}").thenJson("{}");

    assertThat(queue.delete(receipts(2), TIMEOUT)).hasSize(2).hasOnlyElementsOfType(Retryable.class);
    assertThat(queue.extend(List.of(change(TIMEOUT)), TIMEOUT)).singleElement().isInstanceOf(Retryable.class);
  }

  @Test
  void an_entry_named_as_done_and_as_failed_counts_as_failed() {
    sqs.thenJson(batch(List.of(0), failed(0, "InternalError", "no", false)));

    assertThat(queue.delete(receipts(1), TIMEOUT)).singleElement().isInstanceOf(Retryable.class);
  }

  @Test
  void a_failed_entry_without_code_and_message_is_retryable() {
    sqs.thenJson("{\"Failed\":[{\"Id\":\"0\"}]}");

    assertThat(queue.delete(receipts(1), TIMEOUT)).singleElement().isInstanceOf(Retryable.class);
  }

  /** The codes of docs/queue-facts.md A1, as the code of one entry and as the failure of the whole call. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      ReceiptHandleIsInvalid | 400 | The input receipt handle "HANDLE" is not a valid receipt handle. | Lost
      ReceiptHandleIsInvalid | 404 | The receipt handle has expired | Lost
      AWS.SimpleQueueService.MessageNotInflight | 400 | The message referred to is not in flight. | Lost
      InvalidIdFormat | 400 | The specified receipt handle is not valid. | Lost
      InvalidParameterValue | 400 | Value HANDLE for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired. | Lost
      InvalidParameterValue | 400 | The receipt handle has expired. | Lost
      InvalidParameterValue | 400 | Value HANDLE for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change. | Gone
      InvalidParameterValue | 400 | Value 43200 for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds] | Lost
      InvalidParameterValue | 400 | Value 43201 for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and 43200. | Retryable
      AccessDenied | 403 | User: arn:aws:iam::1:user/u is not authorized to perform: sqs:x | Denied
      AccessDeniedException | 400 | no | Denied
      KMS.AccessDeniedException | 400 | The ciphertext refers to a key that does not exist | Key
      AccessDenied | 403 | User: u is not authorized to perform: kms:Decrypt | Key
      ExpiredToken | 403 | The security token included in the request is expired | Denied
      ExpiredTokenException | 400 | The security token included in the request is expired | Denied
      InvalidClientTokenId | 403 | The security token included in the request is invalid | Denied
      UnrecognizedClientException | 400 | The security token included in the request is invalid | Denied
      SignatureDoesNotMatch | 403 | The Canonical String for this request should have been x | Denied
      InvalidSecurity | 403 | not secure | Denied
      RequestThrottled | 403 | slow down | Throttled
      ThrottlingException | 400 | Rate exceeded | Throttled
      Throttling | 400 | Rate exceeded | Throttled
      TooManyRequestsException | 429 | Rate exceeded | Throttled
      KMS.ThrottlingException | 400 | kms is throttled | Throttled
      KMS.DisabledException | 400 | disabled | Retryable
      KMS.NotFoundException | 400 | not found | Retryable
      KMS.OptInRequired | 403 | not subscribed | Retryable
      OverLimit | 403 | too many in flight | Retryable
      AWS.SimpleQueueService.NonExistentQueue | 400 | The specified queue does not exist. | Retryable
      InvalidAddress | 404 | The address is not valid for this endpoint | Retryable
      AWS.SimpleQueueService.UnsupportedOperation | 400 | unsupported | Retryable
      AWS.SimpleQueueService.TooManyEntriesInBatchRequest | 400 | Maximum number of entries per request are 10. | Retryable
      AWS.SimpleQueueService.BatchEntryIdsNotDistinct | 400 | Id 0 repeated. | Retryable
      AWS.SimpleQueueService.InvalidBatchEntryId | 400 | bad id | Retryable
      SomethingNobodyListed | 400 | a new sender fault | Retryable
      InternalError | 500 | internal | Retryable
      ServiceUnavailable | 503 | unavailable | Retryable
      """)
  void a_code_means_the_same_for_a_call_and_for_an_entry(String code, int status, String words, String expected) {
    String said = words.replace("HANDLE", HANDLE);
    String entry = batch(List.of(), failed(0, code, said, status < 500));
    sqs.thenError(status, code, said).thenJson(entry).thenError(status, code, said).thenJson(entry);

    List<EntryResult> deletes =
        List.of(queue.delete(receipts(1), TIMEOUT).get(0), queue.delete(receipts(1), TIMEOUT).get(0));
    List<EntryResult> extensions =
        List.of(
            queue.extend(List.of(change(TIMEOUT)), TIMEOUT).get(0),
            queue.extend(List.of(change(TIMEOUT)), TIMEOUT).get(0));

    assertThat(deletes).allSatisfy(result -> assertMeans(expected, "sqs:DeleteMessage", result));
    assertThat(extensions).allSatisfy(result -> assertMeans(expected, "sqs:ChangeMessageVisibility", result));
    assertThat(List.of(deletes, extensions).toString()).doesNotContain(HANDLE).doesNotContain("secret");
    assertThat(sqs.requests()).hasSize(4);
  }

  private static void assertMeans(String expected, String permission, EntryResult result) {
    switch (expected) {
      case "Lost" -> assertThat(result).isInstanceOf(Lost.class);
      case "Gone" -> assertThat(result).isEqualTo(new Gone());
      case "Denied" -> assertThat(result).isEqualTo(new Denied(permission));
      case "Key" -> assertThat(result).isEqualTo(new Denied("kms:Decrypt"));
      case "Throttled" -> assertThat(reason(result)).contains("throttled by the service");
      case "Retryable" -> assertThat(reason(result)).contains("queue=orders", permission);
      default -> throw new AssertionError("no such expectation: " + expected);
    }
  }

  @Test
  void the_code_is_read_without_the_header_of_the_query_protocol_too() {
    String body =
        "{\"__type\":\"com.amazonaws.sqs#ReceiptHandleIsInvalid\",\"message\":\"The receipt handle is not valid\"}";
    sqs.then(new ScriptedSqs.Reply.Answer(400, "", body))
        .then(new ScriptedSqs.Reply.Answer(400, "com.amazonaws.sqs#ReceiptHandleIsInvalid;Sender", body));

    assertThat(queue.delete(receipts(1), TIMEOUT)).singleElement().isInstanceOf(Lost.class);
    assertThat(queue.delete(receipts(1), TIMEOUT)).singleElement().isInstanceOf(Lost.class);
  }

  @Test
  void a_failed_call_is_the_same_failure_for_each_entry_and_is_sent_once() {
    sqs.thenError(503, "ServiceUnavailable", "later");

    List<EntryResult> results = queue.delete(receipts(10), TIMEOUT);

    assertThat(results).hasSize(10).hasOnlyElementsOfType(Retryable.class);
    assertThat(sqs.requests()).hasSize(1);
  }

  @Test
  void a_call_that_is_refused_because_of_one_handle_gives_up_no_other_lease() {
    String words = " for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.";
    sqs.thenError(400, "InvalidParameterValue", "Value " + receipt(1).value() + words)
        .thenError(400, "InvalidParameterValue", "The receipt handle has expired.");

    List<EntryResult> quoted = queue.delete(receipts(3), TIMEOUT);
    List<EntryResult> unnamed = queue.delete(receipts(3), TIMEOUT);

    assertThat(quoted.get(1)).isInstanceOf(Lost.class);
    assertThat(List.of(quoted.get(0), quoted.get(2))).hasOnlyElementsOfType(Retryable.class);
    assertThat(unnamed).hasSize(3).hasOnlyElementsOfType(Retryable.class);
    assertThat(List.of(quoted, unnamed).toString()).doesNotContain("secret");
  }

  @Test
  void a_handle_that_is_the_start_of_the_refused_one_is_not_blamed() {
    List<Receipt> handles =
        List.of(new Receipt("AQEBsecret"), new Receipt("AQEBsecretAndMore"), new Receipt("secretAndMore"));
    sqs.thenError(
        400,
        "InvalidParameterValue",
        "Value AQEBsecretAndMore for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.")
        .thenError(
            400,
            "ReceiptHandleIsInvalid",
            "The input receipt handle \"AQEBsecretAndMore\" is not a valid receipt handle.")
        .thenError(500, "InternalError", "cannot serve AQEBsecretAndMore");

    for (List<EntryResult> results : List.of(queue.delete(handles, TIMEOUT), queue.delete(handles, TIMEOUT))) {
      assertThat(results.get(1)).isInstanceOf(Lost.class);
      assertThat(List.of(results.get(0), results.get(2))).hasOnlyElementsOfType(Retryable.class);
      assertThat(results.toString()).doesNotContain("secret").doesNotContain("AndMore");
    }
    assertThat(queue.delete(handles, TIMEOUT).toString()).doesNotContain("secret").doesNotContain("AndMore");
  }

  @Test
  void an_answer_that_never_comes_is_retryable_for_each_entry_and_nothing_is_repeated() {
    sqs.then(new ScriptedSqs.Reply.Silence());

    List<EntryResult> results = queue.extend(List.of(change(TIMEOUT)), Duration.ofMillis(300));

    assertThat(results).hasSize(1).allSatisfy(result -> assertThat(reason(result)).contains("no answer in time"));
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(sqs.requests()).hasSize(1);
  }

  @Test
  void a_cut_connection_is_retryable_and_nothing_is_repeated() {
    sqs.then(new ScriptedSqs.Reply.Cut());

    assertThat(queue.delete(receipts(2), TIMEOUT)).hasSize(2).hasOnlyElementsOfType(Retryable.class);
    assertThat(sqs.requests()).hasSize(1);
  }

  @Test
  void a_refused_connection_is_retryable() {
    sqs.close();

    assertThat(queue.delete(receipts(1), TIMEOUT)).singleElement().isInstanceOf(Retryable.class);
  }

  @Test
  void an_answer_that_is_no_json_is_retryable() {
    sqs.thenJson("<html>a proxy</html>");

    assertThat(queue.delete(receipts(1), TIMEOUT)).singleElement().isInstanceOf(Retryable.class);
  }

  @Test
  void a_closed_client_is_retryable() {
    client.close();

    assertThat(queue.delete(receipts(1), TIMEOUT)).singleElement().isInstanceOf(Retryable.class);
  }

  @Test
  void without_time_left_nothing_is_sent() {
    assertThat(queue.delete(receipts(2), Duration.ZERO)).hasSize(2).hasOnlyElementsOfType(Retryable.class);
    assertThat(queue.extend(List.of(change(TIMEOUT)), Duration.ofSeconds(-1)))
        .singleElement()
        .isInstanceOf(Retryable.class);
    assertThat(sqs.requests()).isEmpty();
  }

  @Test
  void a_timeout_below_a_millisecond_is_a_timeout_not_an_error() {
    sqs.then(new ScriptedSqs.Reply.Silence());

    assertThat(queue.delete(receipts(1), Duration.ofNanos(1))).singleElement().isInstanceOf(Retryable.class);
  }

  @Test
  void an_interrupted_thread_gets_a_retryable_result_and_keeps_its_flag() {
    Thread.currentThread().interrupt();

    List<EntryResult> results = queue.delete(receipts(1), TIMEOUT);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(results).singleElement().satisfies(result -> assertThat(reason(result)).contains("interrupted"));
    assertThat(sqs.requests()).isEmpty();
  }

  @Test
  void credentials_that_cannot_be_loaded_are_a_denial() {
    SqsClient without =
        ScriptedClients.with(
            sqs,
            () -> {
              throw SdkClientException.create("Unable to load credentials from any of the providers in the chain");
            });
    try (without) {
      SqsQueue denied = SqsQueue.at(sqs.url("orders"), client, without);

      assertThat(denied.delete(receipts(1), TIMEOUT)).containsExactly(new Denied("sqs:DeleteMessage"));
      assertThat(sqs.requests()).isEmpty();
    }
  }

  @Test
  void an_error_of_the_process_is_not_taken_for_an_answer() {
    SqsClient broken =
        ScriptedClients.with(
            sqs,
            () -> {
              throw new OutOfMemoryError("as a test");
            });
    try (broken) {
      SqsQueue failing = SqsQueue.at(sqs.url("orders"), client, broken);

      assertThatThrownBy(() -> failing.delete(receipts(1), TIMEOUT)).isInstanceOf(OutOfMemoryError.class);
    }
  }

  @Test
  void entries_are_named_by_position_and_carry_their_handle() {
    sqs.thenJson(batch(IntStream.range(0, 10).boxed().toList()));

    queue.delete(receipts(10), TIMEOUT);

    for (int i = 0; i < 10; i++) {
      assertThat(sqs.request().body())
          .contains("{\"Id\":\"" + i + "\",\"ReceiptHandle\":\"" + receipt(i).value() + "\"}");
    }
  }

  @ParameterizedTest
  @CsvSource({"PT0S,0", "PT-5S,0", "PT0.001S,1", "PT1S,1", "PT29.000000001S,30", "PT12H,43200", "PT12H0.1S,43200",
    "P90D,43200"})
  void the_visibility_is_rounded_up_and_kept_within_what_the_service_takes(Duration asked, int sent) {
    for (Function<List<VisibilityChange>, List<EntryResult>> call : List
        .<Function<List<VisibilityChange>, List<EntryResult>>>of(
            changes -> queue.extend(changes, TIMEOUT), changes -> queue.release(changes, TIMEOUT))) {
      sqs.thenJson(batch(List.of(0)));
      assertThat(call.apply(List.of(change(asked)))).containsExactly(done(0));
    }

    assertThat(sqs.requests())
        .hasSize(2)
        .allSatisfy(request -> assertThat(request.body()).contains("\"VisibilityTimeout\":" + sent + "}"));
  }

  @Test
  void an_empty_batch_sends_nothing_and_a_batch_of_eleven_is_refused() {
    assertThat(queue.delete(List.of(), TIMEOUT)).isEmpty();
    assertThat(queue.extend(List.of(), TIMEOUT)).isEmpty();
    assertThatThrownBy(() -> queue.delete(receipts(11), TIMEOUT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("11")
        .hasMessageContaining("at most 10");
    assertThat(sqs.requests()).isEmpty();
  }

  private static String reason(EntryResult result) {
    assertThat(result).isInstanceOf(Retryable.class);
    return ((Retryable) result).reason();
  }

  private static Receipt receipt(int i) {
    return new Receipt(i == 0 ? HANDLE : "AQEBsecret" + i);
  }

  private static List<Receipt> receipts(int count) {
    return IntStream.range(0, count).mapToObj(SqsBatchesTest::receipt).toList();
  }

  private static VisibilityChange change(Duration visibility) {
    return new VisibilityChange(receipt(0), visibility);
  }

  private static EntryResult done(int i) {
    return new Done(receipt(i));
  }
}
