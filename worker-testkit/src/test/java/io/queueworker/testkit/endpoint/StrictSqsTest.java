package io.queueworker.testkit.endpoint;

import static io.queueworker.testkit.endpoint.Calls.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** The endpoint as the SDK's client sees it when nothing goes wrong. */
class StrictSqsTest {

  private static StrictSqs sqs;

  @BeforeAll
  static void start() {
    sqs = StrictSqs.start();
  }

  @AfterAll
  static void close() {
    sqs.close();
  }

  @Test
  void a_message_goes_round_with_its_attributes_and_the_checksums_that_the_sdk_checks() {
    StrictQueue queue = sqs.queue("round").create();
    Map<String, MessageAttributeValue> attributes =
        Map.of(
            "text", MessageAttributeValue.builder().dataType("String").stringValue("ä").build(),
            "count", MessageAttributeValue.builder().dataType("Number.int").stringValue("7").build(),
            "bytes",
            MessageAttributeValue.builder().dataType("Binary").binaryValue(SdkBytes.fromByteArray(new byte[]{0, -1}))
                .build());
    String id =
        queue.client()
            .sendMessage(call -> call.queueUrl(queue.url()).messageBody("höchst").messageAttributes(attributes))
            .messageId();
    Message message = Calls.receiveOne(queue);
    assertThat(message.body()).isEqualTo("höchst");
    assertThat(message.messageId()).isEqualTo(id);
    assertThat(message.messageAttributes()).isEqualTo(attributes);
    assertThat(message.attributes())
        .containsEntry(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "1")
        .containsKeys(
            MessageSystemAttributeName.SENT_TIMESTAMP,
            MessageSystemAttributeName.APPROXIMATE_FIRST_RECEIVE_TIMESTAMP,
            MessageSystemAttributeName.SENDER_ID);
    assertThat(queue.counts().inFlight()).isEqualTo(1);
    queue.client().deleteMessage(call -> call.queueUrl(queue.url()).receiptHandle(message.receiptHandle()));
    queue.awaitEmpty(LONG);
    assertThat(queue.deleted()).containsExactly(id);
  }

  @Test
  void attributes_come_only_when_they_are_asked_for() {
    StrictQueue queue = sqs.queue("asked").create();
    queue.client()
        .sendMessage(
            call -> call
                .queueUrl(queue.url())
                .messageBody("a")
                .messageAttributes(
                    Map.of(
                        "trace.id", MessageAttributeValue.builder().dataType("String").stringValue("1").build(),
                        "other", MessageAttributeValue.builder().dataType("String").stringValue("2").build())));
    Message some =
        queue.client()
            .receiveMessage(
                call -> call
                    .queueUrl(queue.url())
                    .visibilityTimeout(0)
                    .messageAttributeNames("trace.*")
                    .messageSystemAttributeNames(MessageSystemAttributeName.SENT_TIMESTAMP))
            .messages()
            .get(0);
    assertThat(some.messageAttributes()).containsOnlyKeys("trace.id");
    assertThat(some.attributes()).containsOnlyKeys(MessageSystemAttributeName.SENT_TIMESTAMP);
    Message none = queue.client().receiveMessage(call -> call.queueUrl(queue.url())).messages().get(0);
    assertThat(none.messageAttributes()).isEmpty();
    assertThat(none.attributes()).isEmpty();
  }

  @Test
  void a_waiting_receive_gets_a_message_that_is_sent_meanwhile() throws Exception {
    StrictQueue queue = sqs.queue("waiting").create();
    CompletableFuture<Message> received = CompletableFuture.supplyAsync(() -> Calls.receiveOne(queue));
    queue.await("has a receive that waits", any -> queue.waitingReceives() == 1, LONG);
    queue.send("late");
    assertThat(received.get(LONG.toSeconds(), TimeUnit.SECONDS).body()).isEqualTo("late");
  }

  @Test
  void forty_receives_that_wait_leave_room_for_other_calls() {
    StrictQueue quiet = sqs.queue("quiet").create();
    StrictQueue busy = sqs.queue("busy").create();
    try (SqsClient client = Calls.plain(sqs)) {
      List<CompletableFuture<?>> polls = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        polls.add(
            CompletableFuture.runAsync(
                () -> client.receiveMessage(call -> call.queueUrl(quiet.url()).waitTimeSeconds(20)),
                task -> Thread.ofVirtual().start(task)));
      }
      quiet.await("has 40 receives that wait", any -> quiet.waitingReceives() == 40, LONG);
      busy.send("a", "b", "c");
      assertThat(Calls.receive(busy)).hasSize(3);
      assertThat(quiet.waitingReceives()).isEqualTo(40);
      quiet.close();
      CompletableFuture.allOf(polls.toArray(CompletableFuture[]::new)).join();
    }
  }

  @Test
  void S40_a_receive_whose_client_went_away_still_takes_the_next_message() {
    StrictQueue queue = sqs.queue("gone").visibility(Duration.ofSeconds(1)).create();
    assertThatThrownBy(
        () -> queue.client()
            .receiveMessage(
                call -> call
                    .queueUrl(queue.url())
                    .waitTimeSeconds(20)
                    .overrideConfiguration(timeout -> timeout.apiCallTimeout(Duration.ofMillis(300)))))
        .isInstanceOf(ApiCallTimeoutException.class);
    assertThat(queue.waitingReceives()).isEqualTo(1);
    queue.send("swallowed");
    queue.await("has given the message away", counts -> counts.inFlight() == 1, LONG);
    Message again = Calls.receiveOne(queue);
    assertThat(again.attributes()).containsEntry(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "2");
  }

  @Test
  void a_message_received_too_often_moves_to_the_dead_letter_queue_with_its_id() {
    StrictQueue queue = sqs.queue("redrive").visibility(Duration.ZERO).maxReceiveCount(2).create();
    queue.send("poison");
    String id = Calls.receiveOne(queue).messageId();
    assertThat(Calls.receiveOne(queue).messageId()).isEqualTo(id);
    assertThat(queue.client().receiveMessage(call -> call.queueUrl(queue.url())).messages()).isEmpty();
    Message dead = Calls.receiveOne(queue.deadLetters());
    assertThat(dead.messageId()).isEqualTo(id);
    assertThat(dead.attributes())
        .containsEntry(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "3")
        .containsEntry(MessageSystemAttributeName.DEAD_LETTER_QUEUE_SOURCE_ARN,
            "arn:aws:sqs:us-east-1:000000000000:redrive");
    assertThat(queue.client().listDeadLetterSourceQueues(call -> call.queueUrl(queue.deadLetters().url())).queueUrls())
        .containsExactly(queue.url());
  }

  @Test
  void a_fifo_queue_keeps_the_order_and_recognises_a_message_that_is_sent_again() {
    StrictQueue queue = sqs.queue("ordered.fifo").contentBasedDeduplication().create();
    for (String body : List.of("a", "b", "a")) {
      queue.client().sendMessage(call -> call.queueUrl(queue.url()).messageBody(body).messageGroupId("g"));
    }
    List<Message> messages = Calls.receive(queue);
    assertThat(messages).extracting(Message::body).containsExactly("a", "b");
    assertThat(messages)
        .extracting(message -> message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID))
        .containsOnly("g");
    assertThat(messages)
        .extracting(message -> message.attributes().get(MessageSystemAttributeName.SEQUENCE_NUMBER))
        .isSorted();
    queue.sendFifo("g", "c");
    assertThat(queue.client().receiveMessage(call -> call.queueUrl(queue.url())).messages()).isEmpty();
  }

  @Test
  void a_queue_is_made_found_changed_listed_purged_and_deleted_by_the_api() {
    SqsClient client = sqs.client();
    Map<QueueAttributeName, String> attributes = Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "7");
    String url = client.createQueue(call -> call.queueName("by-api").attributes(attributes)).queueUrl();
    assertThat(client.createQueue(call -> call.queueName("by-api").attributes(attributes)).queueUrl()).isEqualTo(url);
    assertThat(client.getQueueUrl(call -> call.queueName("by-api")).queueUrl()).isEqualTo(url);
    client.setQueueAttributes(
        call -> call.queueUrl(url).attributes(Map.of(QueueAttributeName.DELAY_SECONDS, "900")));
    client.sendMessage(call -> call.queueUrl(url).messageBody("a"));
    assertThat(
        client.getQueueAttributes(call -> call.queueUrl(url).attributeNames(QueueAttributeName.ALL)).attributes())
        .containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "7")
        .containsEntry(QueueAttributeName.DELAY_SECONDS, "900")
        .containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED, "1")
        .containsEntry(QueueAttributeName.QUEUE_ARN, "arn:aws:sqs:us-east-1:000000000000:by-api");
    assertThat(client.listQueues(call -> call.queueNamePrefix("by-")).queueUrls()).containsExactly(url);
    client.purgeQueue(call -> call.queueUrl(url));
    assertThat(
        client.getQueueAttributes(call -> call.queueUrl(url).attributeNames(QueueAttributeName.ALL)).attributes())
        .containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED, "0");
    client.deleteQueue(call -> call.queueUrl(url));
    assertThatThrownBy(() -> client.getQueueUrl(call -> call.queueName("by-api")))
        .isInstanceOf(QueueDoesNotExistException.class);
  }

  @Test
  void each_call_is_kept_with_its_messages_and_without_their_bodies_and_receipts() {
    StrictQueue queue = sqs.queue("kept").visibility(Duration.ZERO).create();
    queue.send("secret body");
    Message first = Calls.receiveOne(queue);
    queue.client().changeMessageVisibility(
        call -> call.queueUrl(queue.url()).receiptHandle(first.receiptHandle()).visibilityTimeout(9));
    queue.client().deleteMessage(call -> call.queueUrl(queue.url()).receiptHandle(first.receiptHandle()));
    assertThat(queue.calls(Operation.RECEIVE))
        .singleElement()
        .satisfies(call -> {
          assertThat(call.asked()).isEqualTo(10);
          assertThat(call.longPoll()).isEqualTo(Duration.ofSeconds(10));
          assertThat(call.messageIds()).containsExactly(first.messageId());
          assertThat(call.outcome()).isEqualTo(EndpointCall.Outcome.ANSWERED);
        });
    assertThat(queue.trespasses()).isEqualTo(queue.calls(Operation.CHANGE_VISIBILITY)).singleElement()
        .satisfies(call -> assertThat(call.entries()).singleElement().satisfies(entry -> {
          assertThat(entry.receive()).isEqualTo(1);
          assertThat(entry.heldOnArrival()).isFalse();
          assertThat(entry.visibility()).contains(Duration.ofSeconds(9));
          assertThat(entry.result()).isEqualTo(EndpointCall.Entry.WITHOUT_EFFECT);
        }));
    assertThat(queue.calls(Operation.DELETE)).singleElement()
        .satisfies(call -> assertThat(call.entries().get(0).result()).isEqualTo(EndpointCall.Entry.DONE));
    assertThat(sqs.calls().toString()).doesNotContain("secret").doesNotContain(first.receiptHandle());
    assertThat(new HashSet<>(sqs.calls().stream().map(EndpointCall::number).toList())).hasSize(sqs.calls().size());
  }

  @Test
  void an_extension_of_a_held_message_is_no_trespass() {
    StrictQueue queue = sqs.queue("held").create();
    queue.send("a");
    Message message = Calls.receiveOne(queue);
    queue.client().changeMessageVisibility(
        call -> call.queueUrl(queue.url()).receiptHandle(message.receiptHandle()).visibilityTimeout(9));
    assertThat(queue.calls(Operation.CHANGE_VISIBILITY)).hasSize(1);
    assertThat(queue.trespasses()).isEmpty();
  }

  @Test
  void an_extension_in_time_is_no_trespass_when_its_own_delete_came_first() {
    StrictQueue queue = sqs.queue("deleted-first").create();
    queue.send("a");
    Message message = Calls.receiveOne(queue);
    queue.client().deleteMessage(call -> call.queueUrl(queue.url()).receiptHandle(message.receiptHandle()));
    assertThatThrownBy(
        () -> queue.client().changeMessageVisibility(
            call -> call.queueUrl(queue.url()).receiptHandle(message.receiptHandle()).visibilityTimeout(9)))
        .hasMessageContaining("does not exist");
    assertThat(queue.calls(Operation.CHANGE_VISIBILITY)).singleElement()
        .satisfies(call -> assertThat(call.entries().get(0).heldOnArrival()).isFalse());
    assertThat(queue.trespasses()).isEmpty();
  }

  @Test
  void an_extension_of_a_message_that_the_next_holder_deleted_is_a_trespass() {
    StrictQueue queue = sqs.queue("deleted-by-next").visibility(Duration.ZERO).create();
    queue.send("a");
    Message lapsed = Calls.receiveOne(queue);
    Message next = Calls.receiveOne(queue);
    queue.client().deleteMessage(call -> call.queueUrl(queue.url()).receiptHandle(next.receiptHandle()));
    assertThatThrownBy(
        () -> queue.client().changeMessageVisibility(
            call -> call.queueUrl(queue.url()).receiptHandle(lapsed.receiptHandle()).visibilityTimeout(9)))
        .hasMessageContaining("does not exist");
    assertThat(queue.trespasses()).hasSize(1);
  }

  @Test
  void it_starts_on_a_given_port_and_gives_it_back() {
    int port;
    try (StrictSqs first = StrictSqs.start()) {
      port = first.port();
      assertThatThrownBy(() -> StrictSqs.start(port)).isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("port " + port).hasMessageContaining("give one that is free");
    }
    try (StrictSqs second = StrictSqs.start(port)) {
      assertThat(second.queue("q").create().url()).isEqualTo("http://127.0.0.1:" + port + "/000000000000/q");
    }
  }
}
