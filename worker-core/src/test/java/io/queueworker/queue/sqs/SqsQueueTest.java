package io.queueworker.queue.sqs;

import static io.queueworker.queue.sqs.ScriptedSqs.message;
import static io.queueworker.queue.sqs.ScriptedSqs.received;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.QueueException.Kind;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.VisibilityChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.RequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.SqsClient;

/** What a receive and an attribute read send, and what they make of every answer that the service can give. */
class SqsQueueTest {

  private static final ReceiveRequest TEN = new ReceiveRequest(10, Duration.ofSeconds(20), Duration.ofSeconds(30));

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
  void a_receive_asks_for_everything_that_a_worker_needs() {
    sqs.thenJson("{}");

    assertThat(queue.receive(TEN)).isEmpty();

    assertThat(sqs.request().operation()).isEqualTo("ReceiveMessage");
    assertThat(sqs.request().body())
        .contains("\"QueueUrl\":\"" + sqs.url("orders") + "\"")
        .contains("\"MaxNumberOfMessages\":10")
        .contains("\"WaitTimeSeconds\":20")
        .contains("\"VisibilityTimeout\":30")
        .contains("\"MessageSystemAttributeNames\":[\"All\"]")
        .contains("\"MessageAttributeNames\":[\"All\"]")
        .doesNotContain("\"AttributeNames\"")
        .doesNotContain("ReceiveRequestAttemptId");
  }

  @Test
  void each_receive_from_a_fifo_queue_has_an_attempt_id_of_its_own() {
    sqs.thenJson("{}").thenJson("{}");
    SqsQueue fifo = SqsQueue.at(sqs.url("orders.fifo"), client, client);

    fifo.receive(TEN);
    fifo.receive(TEN);

    Pattern attempt = Pattern.compile("\"ReceiveRequestAttemptId\":\"([0-9a-f-]{36})\"");
    List<String> ids =
        sqs.requests().stream()
            .map(request -> attempt.matcher(request.body()))
            .filter(Matcher::find)
            .map(found -> found.group(1))
            .toList();
    assertThat(ids).hasSize(2).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource({"PT0S,0", "PT0.2S,1", "PT19.5S,20", "PT20S,20"})
  void a_long_poll_is_rounded_up_to_whole_seconds(Duration asked, int sent) {
    sqs.thenJson("{}");

    queue.receive(new ReceiveRequest(1, asked, null));

    assertThat(sqs.request().body()).contains("\"WaitTimeSeconds\":" + sent).doesNotContain("VisibilityTimeout");
  }

  @ParameterizedTest
  @CsvSource({"PT0.3S,1", "PT29.1S,30", "PT13H,43200"})
  void the_visibility_of_a_receive_is_rounded_up_and_kept_within_the_limit(Duration asked, int sent) {
    sqs.thenJson("{}");

    queue.receive(new ReceiveRequest(1, Duration.ZERO, asked));

    assertThat(sqs.request().body()).containsPattern("\"VisibilityTimeout\":" + sent + "[,}]");
  }

  @Test
  void a_request_outside_the_limits_is_refused_with_what_is_allowed() {
    for (int max : new int[]{0, 11}) {
      assertThatThrownBy(() -> queue.receive(new ReceiveRequest(max, Duration.ZERO, null)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("receive of " + max)
          .hasMessageContaining("1 to 10");
    }
    for (Duration wait : List.of(Duration.ofSeconds(21), Duration.ofMillis(-1))) {
      assertThatThrownBy(() -> queue.receive(new ReceiveRequest(1, wait, null)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(wait.toString())
          .hasMessageContaining("PT20S");
    }
    assertThat(sqs.requests()).isEmpty();
  }

  @Test
  void S55_a_message_without_attributes_counts_as_received_once() {
    sqs.thenJson(received(message("m1", "h1", "", "")));

    List<ReceivedMessage> received = queue.receive(TEN);

    assertThat(received)
        .containsExactly(
            new ReceivedMessage(
                "m1", new Receipt("h1"), "", Map.of(), 1, Optional.empty(), Optional.empty(), Map.of()));
  }

  @Test
  void attributes_are_read_and_unreadable_ones_are_as_good_as_absent() {
    String good =
        ",\"Attributes\":{\"ApproximateReceiveCount\":\"4\",\"SentTimestamp\":\"1700000000123\","
            + "\"MessageGroupId\":\"g\",\"NewInTheService\":\"x\"}";
    String odd = ",\"Attributes\":{\"ApproximateReceiveCount\":\"many\",\"SentTimestamp\":\"\",\"SenderId\":null}";
    String zero = ",\"Attributes\":{\"ApproximateReceiveCount\":\"0\"}";
    sqs.thenJson(
        received(message("m1", "h1", "a", good), message("m2", "h2", "b", odd), message("m3", "h3", "c", zero)));

    List<ReceivedMessage> received = queue.receive(TEN);

    assertThat(received).extracting(ReceivedMessage::receiveCount).containsExactly(4, 1, 1);
    assertThat(received.get(0).sentAt()).contains(Instant.ofEpochMilli(1_700_000_000_123L));
    assertThat(received.get(0).group()).contains("g");
    assertThat(received.get(0).system()).containsEntry("NewInTheService", "x");
    assertThat(received.get(1).sentAt()).isEmpty();
    assertThat(received.get(1).system()).doesNotContainKey("SenderId");
  }

  @Test
  void a_message_without_receipt_handle_does_not_harm_its_neighbour() {
    sqs.thenJson(
        received(message("m0", "h0", "x", "").replace("\"ReceiptHandle\":\"h0\",", ""), message("m1", "h1", "a", "")));

    assertThat(queue.receive(TEN)).extracting(ReceivedMessage::id).containsExactly("m1");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      AWS.SimpleQueueService.NonExistentQueue | 400 | The specified queue does not exist. | MISSING | | Create the queue
      QueueDoesNotExist | 400 | The specified queue does not exist. | MISSING | | Create the queue
      InvalidAddress | 404 | The address is not valid for this endpoint. | MISSING | | Create the queue
      AccessDenied | 403 | User u is not authorized | DENIED | sqs | Grant sqs
      AccessDeniedException | 400 | no | DENIED | sqs | Grant sqs
      KMS.AccessDeniedException | 400 | no | DENIED | kms | Grant kms:Decrypt
      AccessDenied | 403 | User u is not authorized to perform: kms:Decrypt | DENIED | kms | Grant kms:Decrypt
      ExpiredToken | 403 | The security token included in the request is expired | DENIED | sqs | credentials
      InvalidClientTokenId | 403 | The security token is invalid | DENIED | sqs | credentials
      UnrecognizedClientException | 400 | The security token is invalid | DENIED | sqs | credentials
      InvalidSecurity | 403 | insecure | DENIED | sqs | credentials
      RequestThrottled | 403 | slow down | THROTTLED | | RequestThrottled
      ThrottlingException | 400 | Rate exceeded | THROTTLED | | ThrottlingException
      Throttling | 400 | Rate exceeded | THROTTLED | | Throttling
      TooManyRequestsException | 429 | Rate exceeded | THROTTLED | | TooManyRequests
      KMS.ThrottlingException | 400 | Rate exceeded | THROTTLED | | KMS.ThrottlingException
      OverLimit | 403 | Too many messages in flight | OVER_LIMIT | | delete or release
      KMS.DisabledException | 400 | disabled | UNAVAILABLE | | Check the KMS key
      KMS.InvalidStateException | 400 | pending deletion | UNAVAILABLE | | Check the KMS key
      AWS.SimpleQueueService.UnsupportedOperation | 400 | unsupported | UNAVAILABLE | | UnsupportedOperation
      InvalidParameterValue | 400 | Value 11 for parameter MaxNumberOfMessages is invalid. | UNAVAILABLE | | MaxNumberOfMessages
      InternalError | 500 | internal | UNAVAILABLE | | HTTP 500
      ServiceUnavailable | 503 | busy | UNAVAILABLE | | HTTP 503
      """)
  void a_code_decides_the_kind_of_failure(
      String code, int status, String words, Kind kind, String service, String remedy) {
    sqs.thenError(status, code, words).thenError(status, code, words);

    QueueException receive = catchThrowableOfType(QueueException.class, () -> queue.receive(TEN));
    QueueException read = catchThrowableOfType(QueueException.class, () -> queue.attributes());

    assertFailure(receive, kind, service, "sqs:ReceiveMessage", remedy);
    assertFailure(read, kind, service, "sqs:GetQueueAttributes", remedy);
    assertThat(sqs.requests()).hasSize(2);
  }

  private static void assertFailure(QueueException failure, Kind kind, String service, String permission,
      String remedy) {
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure).hasMessageContaining("queue=orders").hasMessageContaining(permission);
    assertThat(failure).hasMessageContaining(remedy);
    if (service == null) {
      assertThat(failure.deniedAction()).isEmpty();
    } else {
      assertThat(failure.deniedAction()).contains("kms".equals(service) ? "kms:Decrypt" : permission);
    }
  }

  @Test
  void a_refused_signature_does_not_repeat_the_token_that_the_service_quotes() {
    sqs.thenError(
        403, "SignatureDoesNotMatch",
        "The Canonical String for this request should have been\nx-amz-security-token:SeCrEt");

    QueueException failure = catchThrowableOfType(QueueException.class, () -> queue.receive(TEN));

    assertThat(failure.kind()).isEqualTo(Kind.DENIED);
    assertThat(failure).hasMessageContaining("SignatureDoesNotMatch").hasMessageContaining("clock");
    assertThat(failure).hasStackTraceContaining("QueueException");
    assertThat(Throwables.getStackTrace(failure)).doesNotContain("SeCrEt");
  }

  @Test
  void credentials_that_cannot_be_loaded_are_a_denial_that_speaks_of_credentials() {
    assertDeniedFor(
        SdkClientException.create(
            "The SSO session associated with this profile has expired or is otherwise invalid. To refresh this SSO"
                + " session run aws sso login with the corresponding profile."));
    assertDeniedFor(SdkClientException.create("Unable to load credentials from any of the providers in the chain"));
    assertDeniedFor(
        AwsServiceException.builder()
            .statusCode(403)
            .awsErrorDetails(
                AwsErrorDetails.builder()
                    .serviceName("Sts")
                    .errorCode("AccessDenied")
                    .errorMessage("not authorized to perform sts:AssumeRoleWithWebIdentity")
                    .build())
            .build());
  }

  private void assertDeniedFor(RuntimeException thrown) {
    SqsClient without =
        ScriptedClients.with(
            sqs,
            () -> {
              throw thrown;
            });
    try (without) {
      SqsQueue denied = SqsQueue.at(sqs.url("orders"), without, without);
      QueueException failure = catchThrowableOfType(QueueException.class, () -> denied.receive(TEN));
      assertThat(failure.kind()).isEqualTo(Kind.DENIED);
      assertThat(failure.deniedAction()).contains("sqs:ReceiveMessage");
      assertThat(failure).hasMessageContaining("Renew or correct the credentials");
    }
  }

  @Test
  void a_checksum_that_does_not_match_is_unavailable_and_says_what_to_look_for() {
    sqs.thenJson(received(message("m1", "h1", "a", "").replace(ScriptedSqs.md5("a"), ScriptedSqs.md5("b"))));

    QueueException failure = catchThrowableOfType(QueueException.class, () -> queue.receive(TEN));

    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("checksum").hasMessageContaining("checksumValidationEnabled");
  }

  @Test
  void a_cut_connection_a_page_of_a_proxy_and_a_refused_connection_are_unavailable() {
    sqs.then(new ScriptedSqs.Reply.Cut()).thenJson("<html></html>");

    assertUnavailable();
    assertUnavailable();
    sqs.close();
    assertUnavailable();
    assertThat(sqs.requests()).hasSize(2);
  }

  @Test
  void S32_a_pool_without_a_free_connection_is_named_with_what_to_do_about_it() throws InterruptedException {
    sqs.then(new ScriptedSqs.Reply.Silence());
    try (SqsClient small = ScriptedClients.withOneConnection(sqs)) {
      SqsQueue crowded = SqsQueue.at(sqs.url("orders"), small, small);
      Thread poll =
          Thread.ofVirtual()
              .start(() -> assertThatThrownBy(() -> crowded.receive(TEN)).isInstanceOf(QueueException.class));
      while (sqs.requests().isEmpty()) {
        Thread.onSpinWait();
      }

      QueueException failure = catchThrowableOfType(QueueException.class, () -> crowded.receive(TEN));

      assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(failure).hasMessageContaining("no free connection").hasMessageContaining("maxConnections");
      sqs.close();
      poll.join();
    }
  }

  private void assertUnavailable() {
    assertThat(catchThrowableOfType(QueueException.class, () -> queue.receive(TEN)).kind()).isEqualTo(Kind.UNAVAILABLE);
  }

  @Test
  void an_answer_that_breaks_off_shows_neither_bodies_nor_receipt_handles() {
    String whole = received(message("m1", "AQEBhandle", "a secret body", ""));
    for (int cut : new int[]{whole.indexOf("handle") + 3, whole.indexOf("secret") + 3, whole.length() - 2}) {
      sqs.thenJson(whole.substring(0, cut));

      QueueException failure = catchThrowableOfType(QueueException.class, () -> queue.receive(TEN));

      assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(Throwables.getStackTrace(failure)).doesNotContain("AQEB").doesNotContain("a sec");
    }
  }

  @Test
  void an_interrupted_receive_is_unavailable_and_the_thread_keeps_its_flag() {
    Thread.currentThread().interrupt();

    QueueException failure = catchThrowableOfType(QueueException.class, () -> queue.receive(TEN));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("interrupted");
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "{\\\"deadLetterTargetArn\\\":\\\"arn\\\",\\\"maxReceiveCount\\\":5}",
    "{\\\"maxReceiveCount\\\" : \\\"5\\\",\\\"deadLetterTargetArn\\\":\\\"arn\\\"}"
  })
  void the_receive_limit_is_read_as_number_and_as_text(String policy) {
    sqs.thenJson("{\"Attributes\":{\"VisibilityTimeout\":\"45\",\"RedrivePolicy\":\"" + policy + "\"}}");

    assertThat(queue.attributes().visibility()).isEqualTo(Duration.ofSeconds(45));
    assertThat(sqs.request().body()).contains("VisibilityTimeout", "RedrivePolicy");
    sqs.thenJson("{\"Attributes\":{\"VisibilityTimeout\":\"45\",\"RedrivePolicy\":\"" + policy + "\"}}");
    assertThat(queue.attributes().maxReceiveCount()).hasValue(5);
  }

  @Test
  void a_queue_without_redrive_policy_has_no_receive_limit_and_one_without_visibility_is_not_guessed_at() {
    sqs.thenJson("{\"Attributes\":{\"VisibilityTimeout\":\"0\"}}").thenJson("{}");

    assertThat(queue.attributes().maxReceiveCount()).isEmpty();
    assertThat(catchThrowableOfType(QueueException.class, () -> queue.attributes()))
        .hasMessageContaining("VisibilityTimeout");
  }

  @Test
  void connect_retries_nothing_on_either_client_and_closes_both() {
    withSystemProperties(
        Map.of("aws.accessKeyId", "x", "aws.secretAccessKey", "x", "aws.region", "eu-west-1"),
        () -> {
          SqsQueue own = SqsQueue.connect(sqs.url("orders"));

          assertThatThrownBy(() -> own.receive(TEN)).isInstanceOf(QueueException.class);
          assertThatThrownBy(own::attributes).isInstanceOf(QueueException.class);
          assertThat(own.delete(List.of(new Receipt("h")), Duration.ofSeconds(20)))
              .singleElement()
              .isInstanceOf(EntryResult.Retryable.class);
          assertThat(sqs.requests())
              .extracting(ScriptedSqs.Request::operation)
              .containsExactly("ReceiveMessage", "GetQueueAttributes", "DeleteMessageBatch");

          own.close();
          own.close();
          assertThatThrownBy(() -> own.receive(TEN)).isInstanceOf(QueueException.class);
          assertThat(own.delete(List.of(new Receipt("h")), Duration.ofSeconds(20)))
              .singleElement()
              .isInstanceOf(EntryResult.Retryable.class);
          assertThat(sqs.requests()).hasSize(3);
        });
  }

  /** The negative control for the counts of requests: the SDK's default does repeat, and the endpoint sees it. */
  @Test
  void a_client_with_the_sdks_retries_is_seen_to_repeat() {
    try (SqsClient retrying = ScriptedClients.retrying(sqs)) {
      assertThatThrownBy(() -> SqsQueue.at(sqs.url("orders"), retrying, client).receive(TEN))
          .isInstanceOf(QueueException.class);
    }
    assertThat(sqs.requests()).hasSizeGreaterThan(1);
  }

  @Test
  void each_call_ends_by_a_timeout_of_its_own_whatever_it_repeats() {
    List<Duration> perCall = new ArrayList<>();
    SqsClient watched = ScriptedClients.watched(sqs, request -> {
      RequestOverrideConfiguration override = request.overrideConfiguration().orElseThrow();
      perCall.add(override.apiCallTimeout().orElseThrow());
    });
    try (watched) {
      SqsQueue timed = SqsQueue.at(sqs.url("orders"), watched, watched);
      sqs.thenJson("{}").thenJson("{}").thenJson("{}").thenJson("{}");
      timed.receive(new ReceiveRequest(1, Duration.ofMillis(19_100), null));
      timed.receive(new ReceiveRequest(1, Duration.ZERO, null));
      timed.delete(List.of(new Receipt("h")), Duration.ofSeconds(3));
      timed.extend(List.of(new VisibilityChange(new Receipt("h"), Duration.ofSeconds(30))), Duration.ofSeconds(2));
    }

    assertThat(perCall)
        .containsExactly(
            Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(3), Duration.ofSeconds(2));
  }

  @Test
  void one_client_for_everything_is_warned_about_and_two_clients_are_not() {
    SqsClient second = ScriptedClients.once(sqs);
    try (second; LogLines lines = LogLines.of(SqsQueue.class)) {
      SqsQueue.at(sqs.url("orders"), second, client);
      assertThat(lines.messages()).isEmpty();

      SqsQueue.at(sqs.url("orders"), client);
      assertThat(lines.messages())
          .singleElement()
          .satisfies(
              line -> assertThat(line)
                  .contains("queue=orders", "connection pool", "SqsQueue.at(url, receiveClient, controlClient)"));
    }
  }

  @Test
  void a_control_client_that_repeats_calls_is_warned_about() {
    SqsClient retrying = ScriptedClients.retrying(sqs);
    try (retrying; LogLines lines = LogLines.of(SqsQueue.class)) {
      SqsQueue.at(sqs.url("orders"), retrying, client);
      assertThat(lines.messages()).isEmpty();

      SqsQueue.at(sqs.url("orders"), client, retrying);
      assertThat(lines.messages())
          .singleElement()
          .satisfies(line -> assertThat(line).contains("queue=orders", "AwsRetryStrategy.doNotRetry()"));
    }
  }

  @Test
  void credentials_that_are_refused_for_deletes_are_told_once_until_a_call_succeeds_again() {
    String refused = ScriptedSqs.batch(List.of(), ScriptedSqs.failed(0, "ExpiredToken", "expired", true));
    String done = ScriptedSqs.batch(List.of(0));
    List.of(refused, refused, done, refused).forEach(sqs::thenJson);
    try (LogLines lines = LogLines.of(SqsBatches.class)) {
      for (int i = 0; i < 4; i++) {
        queue.delete(List.of(new Receipt("h")), Duration.ofSeconds(20));
      }
      assertThat(lines.messages())
          .hasSize(2)
          .allSatisfy(
              line -> assertThat(line).contains("queue=orders", "sqs:DeleteMessage",
                  "Renew or correct the credentials"));
    }
  }

  private static void withSystemProperties(Map<String, String> properties, Runnable test) {
    Map<String, String> before = new HashMap<>();
    properties.forEach((name, value) -> before.put(name, System.setProperty(name, value)));
    try {
      test.run();
    } finally {
      before.forEach(
          (name, value) -> {
            if (value == null) {
              System.clearProperty(name);
            } else {
              System.setProperty(name, value);
            }
          });
    }
  }
}
