package io.queueworker.queue.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.queueworker.queue.MessageAttribute;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.SendResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.SqsClient;

/** What a send puts on the wire, what its answers mean, and where the dead-letter queue is looked for. */
class SqsSendsTest {

  private static final Duration CALL = Duration.ofSeconds(3);
  private static final OutgoingMessage PLAIN =
      new OutgoingMessage("body", Map.of(), Optional.empty(), Optional.empty());

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
  void a_plain_message_is_a_queue_and_a_body() {
    answerSent("body", "");

    assertThat(queue.send(PLAIN, CALL)).isEqualTo(new SendResult.Sent("m1"));

    assertThat(sqs.request().operation()).isEqualTo("SendMessage");
    assertThat(sqs.request().body())
        .contains("\"QueueUrl\":\"" + sqs.url("orders") + "\"")
        .contains("\"MessageBody\":\"body\"")
        .doesNotContain("MessageAttributes", "MessageGroupId", "MessageDeduplicationId", "MessageSystemAttributes");
  }

  @Test
  void group_deduplication_id_trace_and_typed_attributes_are_sent() {
    sqs.thenError(500, "InternalFailure", "the checksums are not what this is about");

    queue.send(
        new OutgoingMessage(
            "body",
            Map.of("n", new MessageAttribute("Number.int", "12"), "b", new MessageAttribute("Binary", "AP8=")),
            Optional.of("group"), Optional.of("once"), Optional.of("Root=1-2-3")),
        CALL);

    assertThat(sqs.request().body())
        .contains("\"MessageGroupId\":\"group\"", "\"MessageDeduplicationId\":\"once\"")
        .contains("\"AWSTraceHeader\":{", "\"StringValue\":\"Root=1-2-3\"")
        .contains("\"StringValue\":\"12\"", "\"DataType\":\"Number.int\"")
        .contains("\"BinaryValue\":\"AP8=\"", "\"DataType\":\"Binary\"");
  }

  @Test
  void a_binary_attribute_that_is_no_base64_is_refused_without_a_call() {
    SendResult answer =
        queue.send(PLAIN.withAttributes(Map.of("b", new MessageAttribute("Binary", "not base64!"))), CALL);

    assertThat(answer).isInstanceOf(SendResult.Refused.class);
    assertThat(sqs.requests()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "AccessDenied, 403, not authorized to perform sqs:SendMessage, sqs:SendMessage",
    "AccessDeniedException, 400, not authorized to perform sqs:sendmessage, sqs:SendMessage",
    "KMS.AccessDeniedException, 400, not authorized to perform: kms:GenerateDataKey on the key, kms:GenerateDataKey",
    "KMS.AccessDeniedException, 400, not authorized to perform: kms:Decrypt on the key, kms:Decrypt"
  })
  void a_missing_permission_is_named(String code, int status, String words, String action) {
    sqs.thenError(status, code, words);
    assertThat(queue.send(PLAIN, CALL)).isEqualTo(new SendResult.Denied(action));
  }

  @ParameterizedTest
  @ValueSource(strings = {"InvalidMessageContents", "InvalidParameterValue", "InvalidAttributeValue",
    "MissingParameter", "AWS.SimpleQueueService.UnsupportedOperation", "AWS.SimpleQueueService.BatchRequestTooLong"})
  void what_will_never_be_taken_is_refused_in_the_services_words(String code) {
    sqs.thenError(400, code, "words of the service");
    assertThat(queue.send(PLAIN, CALL))
        .asInstanceOf(type(SendResult.Refused.class))
        .satisfies(refused -> assertThat(refused.reason()).contains("queue=orders", "words of the service"));
  }

  @ParameterizedTest
  @CsvSource({
    "InternalError, 500",
    "RequestThrottled, 403",
    "KMS.ThrottlingException, 400",
    "AWS.SimpleQueueService.NonExistentQueue, 400",
    "ExpiredToken, 403",
    "SomethingNew, 400"
  })
  void what_may_pass_is_retryable(String code, int status) {
    sqs.thenError(status, code, "words of the service");
    assertThat(queue.send(PLAIN, CALL))
        .asInstanceOf(type(SendResult.Retryable.class))
        .satisfies(retryable -> assertThat(retryable.reason()).contains("queue=orders sqs:SendMessage failed"));
  }

  @Test
  void a_cut_connection_is_retryable_and_no_time_means_no_call() {
    sqs.then(new ScriptedSqs.Reply.Cut());
    assertThat(queue.send(PLAIN, CALL)).isInstanceOf(SendResult.Retryable.class);
    assertThat(queue.send(PLAIN, Duration.ZERO)).isInstanceOf(SendResult.Retryable.class);
    assertThat(sqs.requests()).hasSize(1);
  }

  @Test
  void the_dead_letter_queue_is_the_one_of_the_policy_at_the_same_endpoint_and_its_close_closes_nothing() {
    policy("{\\\"deadLetterTargetArn\\\":\\\"arn:aws:sqs:eu-west-1:000000000000:orders-dead\\\","
        + "\\\"maxReceiveCount\\\":5}");

    MessageQueue dead = queue.deadLetters().orElseThrow();

    assertThat(dead.name()).isEqualTo("orders-dead");
    dead.close();
    answerSent("body", "");
    assertThat(dead.send(PLAIN, CALL)).isEqualTo(new SendResult.Sent("m1"));
    assertThat(sqs.requests().get(1).body()).contains("\"QueueUrl\":\"" + sqs.url("orders-dead") + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "{\\\"maxReceiveCount\\\":5}", "{\\\"deadLetterTargetArn\\\":\\\"\\\"}",
    "{\\\"deadLetterTargetArn\\\":\\\"arn:aws:sqs:eu-west-1:000000000000:a/b\\\"}"})
  void without_a_policy_that_names_one_there_is_none(String policy) {
    policy(policy);
    assertThat(queue.deadLetters()).isEmpty();
  }

  private void policy(String json) {
    sqs.thenJson("{\"Attributes\":{\"VisibilityTimeout\":\"45\",\"RedrivePolicy\":\"" + json + "\"}}");
  }

  private void answerSent(String body, String more) {
    sqs.thenJson("{\"MessageId\":\"m1\",\"MD5OfMessageBody\":\"" + ScriptedSqs.md5(body) + "\"" + more + "}");
  }
}
