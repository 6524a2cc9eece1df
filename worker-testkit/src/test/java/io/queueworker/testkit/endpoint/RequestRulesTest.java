package io.queueworker.testkit.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** What the endpoint refuses, in the service's codes and words (docs/queue-facts.md A1, A2, A3, A5). */
class RequestRulesTest {

  private static final String PREFIX = "AWS.SimpleQueueService.";
  private static StrictSqs sqs;
  private static SqsClient client;
  private static StrictQueue standard;
  private static StrictQueue fifo;

  @BeforeAll
  static void start() {
    sqs = StrictSqs.start();
    client = Calls.plain(sqs);
    standard = sqs.queue("standard").create();
    fifo = sqs.queue("ordered.fifo").create();
  }

  @AfterAll
  static void close() {
    client.close();
    sqs.close();
  }

  /** A call that is refused. */
  private static Arguments refused(String code, String words, BiConsumer<SqsClient, String> call) {
    return arguments(code, words, call);
  }

  static Stream<Arguments> refusals() {
    String invalid = "InvalidParameterValue";
    return Stream.of(
        refused(
            invalid,
            "Value 11 for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.",
            (c, url) -> c.receiveMessage(call -> call.queueUrl(url).maxNumberOfMessages(11))),
        refused(
            invalid,
            "Value 0 for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.",
            (c, url) -> c.receiveMessage(call -> call.queueUrl(url).maxNumberOfMessages(0))),
        refused(
            invalid, "Value 21 for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided.",
            (c, url) -> c.receiveMessage(call -> call.queueUrl(url).waitTimeSeconds(21))),
        refused(
            invalid, "Value 43201 for parameter VisibilityTimeout is invalid.",
            (c, url) -> c.receiveMessage(call -> call.queueUrl(url).visibilityTimeout(43_201))),
        refused(
            invalid, "Value id for parameter ReceiveRequestAttemptId is invalid.",
            (c, url) -> c.receiveMessage(call -> call.queueUrl(url).receiveRequestAttemptId("id"))),
        refused(
            "ReceiptHandleIsInvalid", "The input receipt handle \"garbage\" is not a valid receipt handle.",
            (c, url) -> c.deleteMessage(call -> call.queueUrl(url).receiptHandle("garbage"))),
        refused(
            "MissingParameter", "The request must contain the parameter MessageBody.",
            (c, url) -> c.sendMessage(call -> call.queueUrl(url).messageBody(""))),
        refused(
            invalid, "Value 901 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.",
            (c, url) -> c.sendMessage(call -> call.queueUrl(url).messageBody("a").delaySeconds(901))),
        refused(
            invalid, "Message must be shorter than 1048576 bytes.",
            (c, url) -> c.sendMessage(call -> call.queueUrl(url).messageBody("ä".repeat(1 << 19) + "a"))),
        refused(
            "InvalidMessageContents", "Invalid characters found.",
            (c, url) -> c.sendMessage(call -> call.queueUrl(url).messageBody("\u0001"))),
        refused(
            invalid, "Value id for parameter MessageDeduplicationId is invalid.",
            (c, url) -> c.sendMessage(call -> call.queueUrl(url).messageBody("a").messageDeduplicationId("id"))),
        refused(
            PREFIX + "EmptyBatchRequest", "There should be at least one DeleteMessageBatchRequestEntry in the request.",
            (c, url) -> c.deleteMessageBatch(call -> call.queueUrl(url).entries(List.of()))),
        refused(
            PREFIX + "TooManyEntriesInBatchRequest", "Maximum number of entries per request are 10. You have sent 11.",
            (c, url) -> c.deleteMessageBatch(
                call -> call.queueUrl(url)
                    .entries(IntStream.range(0, 11).mapToObj(i -> delete("" + i, "h")).toList()))),
        refused(
            PREFIX + "BatchEntryIdsNotDistinct", "Id 0 repeated.",
            (c, url) -> c.deleteMessageBatch(call -> call.queueUrl(url).entries(delete("0", "h"), delete("0", "i")))),
        refused(
            PREFIX + "InvalidBatchEntryId", "A batch entry id can only contain alphanumeric characters",
            (c, url) -> c.deleteMessageBatch(call -> call.queueUrl(url).entries(delete("a.b", "h")))),
        refused(
            PREFIX + "InvalidBatchEntryId", "It can be at most 80 letters long.",
            (c, url) -> c.deleteMessageBatch(call -> call.queueUrl(url).entries(delete("a".repeat(81), "h")))),
        refused(
            PREFIX + "BatchRequestTooLong",
            "Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes.",
            (c, url) -> c.sendMessageBatch(
                call -> call.queueUrl(url)
                    .entries(send("0", "a".repeat(1 << 19)), send("1", "a".repeat((1 << 19) + 1))))),
        refused(
            PREFIX + "NonExistentQueue", "The specified queue does not exist.",
            (c, url) -> c.deleteMessage(call -> call.queueUrl(url + "-not").receiptHandle("h"))),
        refused(
            "InvalidAttributeValue", "Invalid value for the parameter VisibilityTimeout.",
            (c, url) -> c.setQueueAttributes(
                call -> call.queueUrl(url).attributes(Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "43201")))),
        refused(
            "InvalidAttributeName", "Unknown Attribute Nonsense.",
            (c, url) -> c.getQueueAttributes(call -> call.queueUrl(url).attributeNamesWithStrings("Nonsense"))),
        refused(
            invalid, "Dead-letter queue must be same type of queue as the source.",
            (c, url) -> c.setQueueAttributes(
                call -> call.queueUrl(url)
                    .attributes(Map.of(QueueAttributeName.REDRIVE_POLICY, redrive("ordered.fifo", 1))))),
        refused(
            invalid, "Dead letter target does not exist.",
            (c, url) -> c.setQueueAttributes(
                call -> call.queueUrl(url)
                    .attributes(Map.of(QueueAttributeName.REDRIVE_POLICY, redrive("nowhere", 1))))),
        refused(
            invalid, "Invalid value for maxReceiveCount: 1001, valid values are from 1 to 1000 both inclusive.",
            (c, url) -> c.setQueueAttributes(
                call -> call.queueUrl(url)
                    .attributes(Map.of(QueueAttributeName.REDRIVE_POLICY, redrive("standard", 1001))))),
        refused(
            "QueueAlreadyExists", "a different value for attribute VisibilityTimeout",
            (c, url) -> c.createQueue(
                call -> call.queueName("standard").attributes(Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "7")))),
        refused(
            invalid, "Can only include alphanumeric characters, hyphens, or underscores.",
            (c, url) -> c.createQueue(call -> call.queueName("no.fifo"))));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void a_call_is_refused_in_the_words_of_the_service(String code, String words, BiConsumer<SqsClient, String> call) {
    SqsException thrown = catchThrowableOfType(SqsException.class, () -> call.accept(client, standard.url()));
    assertThat(thrown.awsErrorDetails().errorCode()).isEqualTo(code);
    assertThat(thrown.awsErrorDetails().errorMessage()).contains(words);
    assertThat(thrown.statusCode()).isEqualTo(400);
  }

  @Test
  void a_batch_is_answered_entry_by_entry() {
    StrictQueue queue = sqs.queue("entries").create();
    queue.send("a");
    Message message = Calls.receiveOne(queue);
    DeleteMessageBatchResponse answer =
        client.deleteMessageBatch(
            call -> call.queueUrl(queue.url()).entries(delete("bad", "garbage"),
                delete("good", message.receiptHandle())));
    assertThat(answer.successful()).singleElement().satisfies(done -> assertThat(done.id()).isEqualTo("good"));
    assertThat(answer.failed()).singleElement().satisfies(failed -> {
      assertThat(failed.id()).isEqualTo("bad");
      assertThat(failed.code()).isEqualTo("ReceiptHandleIsInvalid");
      assertThat(failed.senderFault()).isTrue();
    });
    assertThat(queue.counts().total()).isZero();
  }

  @Test
  void a_fifo_queue_refuses_a_receipt_whose_time_ran_out_with_another_code_in_a_batch() {
    StrictQueue queue = sqs.queue("lapsing.fifo").visibility(Duration.ofSeconds(1)).create();
    queue.sendFifo("g", "a");
    Message first = Calls.receiveOne(queue);
    Message second = Calls.receiveOne(queue);
    assertThat(second.messageId()).isEqualTo(first.messageId());
    SqsException single =
        catchThrowableOfType(
            SqsException.class,
            () -> client.deleteMessage(call -> call.queueUrl(queue.url()).receiptHandle(first.receiptHandle())));
    assertThat(single.awsErrorDetails().errorCode()).isEqualTo("InvalidParameterValue");
    assertThat(single.awsErrorDetails().errorMessage()).endsWith("Reason: The receipt handle has expired.");
    List<BatchResultErrorEntry> failed =
        client.deleteMessageBatch(call -> call.queueUrl(queue.url()).entries(delete("0", first.receiptHandle())))
            .failed();
    assertThat(failed).singleElement().satisfies(entry -> {
      assertThat(entry.code()).isEqualTo("ReceiptHandleIsInvalid");
      assertThat(entry.message()).isEqualTo("The receipt handle has expired");
    });
    assertThat(
        client.changeMessageVisibilityBatch(
            call -> call.queueUrl(queue.url())
                .entries(
                    ChangeMessageVisibilityBatchRequestEntry.builder().id("0").receiptHandle(first.receiptHandle())
                        .visibilityTimeout(0).build()))
            .failed())
        .hasSize(1);
  }

  @Test
  void an_old_receipt_on_a_standard_queue_acts_on_the_new_holders_message_and_is_kept_as_a_trespass() {
    StrictQueue queue = sqs.queue("trespass").visibility(Duration.ofSeconds(1)).create();
    queue.send("a");
    Message old = Calls.receiveOne(queue);
    Message held =
        client.receiveMessage(call -> call.queueUrl(queue.url()).waitTimeSeconds(10).visibilityTimeout(600))
            .messages()
            .get(0);
    client.changeMessageVisibility(
        call -> call.queueUrl(queue.url()).receiptHandle(old.receiptHandle()).visibilityTimeout(0));
    assertThat(queue.counts().visible()).as("freed under the new holder").isEqualTo(1);
    assertThat(held.messageId()).isEqualTo(old.messageId());
    assertThat(queue.trespasses()).singleElement()
        .satisfies(call -> assertThat(call.entries().get(0).receive()).isEqualTo(1));
    client.deleteMessage(call -> call.queueUrl(queue.url()).receiptHandle(old.receiptHandle()));
    client.deleteMessage(call -> call.queueUrl(queue.url()).receiptHandle(old.receiptHandle()));
    assertThat(queue.deleted()).containsExactly(old.messageId());
  }

  @Test
  void a_short_poll_at_the_in_flight_limit_is_refused_and_a_long_one_comes_back_empty() {
    StrictQueue queue = sqs.queue("full").inFlightLimit(1).create();
    queue.send("a", "b");
    Calls.receiveOne(queue);
    SqsException thrown =
        catchThrowableOfType(SqsException.class, () -> client.receiveMessage(call -> call.queueUrl(queue.url())));
    assertThat(thrown.awsErrorDetails().errorCode()).isEqualTo("OverLimit");
    assertThat(thrown.statusCode()).isEqualTo(403);
    assertThat(client.receiveMessage(call -> call.queueUrl(queue.url()).waitTimeSeconds(1)).messages()).isEmpty();
  }

  @Test
  void of_attributes_among_which_one_is_refused_none_is_set() {
    StrictQueue queue = sqs.queue("half-good").create();
    Map<QueueAttributeName, String> attributes =
        Map.of(
            QueueAttributeName.DELAY_SECONDS, "5",
            QueueAttributeName.VISIBILITY_TIMEOUT, "43201",
            QueueAttributeName.MESSAGE_RETENTION_PERIOD, "70",
            QueueAttributeName.RECEIVE_MESSAGE_WAIT_TIME_SECONDS, "7");
    assertThatThrownBy(() -> client.setQueueAttributes(call -> call.queueUrl(queue.url()).attributes(attributes)))
        .hasMessageContaining("VisibilityTimeout");
    assertThat(
        client.getQueueAttributes(call -> call.queueUrl(queue.url()).attributeNames(QueueAttributeName.ALL))
            .attributes())
        .containsEntry(QueueAttributeName.DELAY_SECONDS, "0")
        .containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "30")
        .containsEntry(QueueAttributeName.MESSAGE_RETENTION_PERIOD, "345600")
        .containsEntry(QueueAttributeName.RECEIVE_MESSAGE_WAIT_TIME_SECONDS, "0");
  }

  @Test
  void the_scope_of_deduplication_is_one_of_two_and_only_for_fifo_queues() {
    StrictQueue queue = sqs.queue("scoped.fifo").create();
    Map<QueueAttributeName, String> perGroup = Map.of(QueueAttributeName.DEDUPLICATION_SCOPE, "messageGroup");
    client.setQueueAttributes(call -> call.queueUrl(queue.url()).attributes(perGroup));
    assertThatThrownBy(
        () -> client.setQueueAttributes(
            call -> call.queueUrl(queue.url()).attributes(Map.of(QueueAttributeName.DEDUPLICATION_SCOPE, "group"))))
        .hasMessageContaining("DeduplicationScope");
    assertThat(
        client.getQueueAttributes(
            call -> call.queueUrl(queue.url()).attributeNames(QueueAttributeName.DEDUPLICATION_SCOPE)).attributes())
        .isEqualTo(perGroup);
    StrictQueue standard = sqs.queue("unscoped").create();
    assertThatThrownBy(
        () -> client.setQueueAttributes(call -> call.queueUrl(standard.url()).attributes(perGroup)))
        .hasMessageContaining("Unknown Attribute DeduplicationScope");
  }

  @Test
  void a_queue_is_purged_once_a_minute_and_its_name_is_free_a_minute_after_its_deletion() {
    StrictQueue queue = sqs.queue("minute").create();
    client.purgeQueue(call -> call.queueUrl(queue.url()));
    SqsException purge =
        catchThrowableOfType(SqsException.class, () -> client.purgeQueue(call -> call.queueUrl(queue.url())));
    assertThat(purge.awsErrorDetails().errorCode()).isEqualTo(PREFIX + "PurgeQueueInProgress");
    queue.close();
    SqsException again =
        catchThrowableOfType(SqsException.class, () -> client.createQueue(call -> call.queueName("minute")));
    assertThat(again.awsErrorDetails().errorCode()).isEqualTo(PREFIX + "QueueDeletedRecently");
  }

  @Test
  void a_fifo_send_without_a_group_is_refused() {
    SqsException thrown =
        catchThrowableOfType(
            SqsException.class,
            () -> client.sendMessage(
                call -> call.queueUrl(fifo.url()).messageBody("a").messageDeduplicationId("id")));
    assertThat(thrown.awsErrorDetails().errorMessage())
        .isEqualTo("The request must contain the parameter MessageGroupId.");
  }

  @Test
  void an_operation_that_it_does_not_know_is_refused() throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(URI.create(sqs.endpoint() + "/"))
                  .header("X-Amz-Target", "AmazonSQS.SingASong")
                  .POST(HttpRequest.BodyPublishers.ofString("no JSON"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.headers().firstValue("x-amzn-query-error")).contains("InvalidAction;Sender");
      assertThat(answer.body()).contains("The action SingASong is not valid for this endpoint.");
    }
  }

  private static DeleteMessageBatchRequestEntry delete(String id, String receipt) {
    return DeleteMessageBatchRequestEntry.builder().id(id).receiptHandle(receipt).build();
  }

  private static SendMessageBatchRequestEntry send(String id, String body) {
    return SendMessageBatchRequestEntry.builder().id(id).messageBody(body).build();
  }

  private static String redrive(String target, int maxReceiveCount) {
    return "{\"deadLetterTargetArn\":\"arn:aws:sqs:us-east-1:000000000000:" + target + "\",\"maxReceiveCount\":"
        + maxReceiveCount + "}";
  }
}
