package io.queueworker.testkit.endpoint;

import static io.queueworker.testkit.endpoint.Calls.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.testkit.endpoint.EndpointCall.Outcome;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** Each fault as the SDK's client sees it, and what it leaves in the queue. */
class HttpFaultsTest {

  private static final Duration SHORT = Duration.ofMillis(700);

  private StrictSqs sqs;
  private SqsClient client;
  private StrictQueue queue;

  @BeforeEach
  void start() {
    sqs = StrictSqs.start();
    client = Calls.plain(sqs);
    queue = sqs.queue("faults").create();
  }

  @AfterEach
  void close() {
    client.close();
    sqs.close();
  }

  private void send() {
    client.sendMessage(call -> call.queueUrl(queue.url()).messageBody("a"));
  }

  private void sendWithin(Duration timeout) {
    client.sendMessage(
        call -> call.queueUrl(queue.url()).messageBody("a").overrideConfiguration(o -> o.apiCallTimeout(timeout)));
  }

  private Outcome outcome() {
    return queue.calls(Operation.SEND).get(0).outcome();
  }

  @Test
  void a_reset_call_has_no_effect_and_its_connection_ends_with_a_tcp_reset() {
    ScriptedFault fault = queue.next(Operation.SEND, HttpFault.reset());
    assertThatThrownBy(this::send).isInstanceOf(SdkClientException.class).hasRootCauseInstanceOf(SocketException.class)
        .rootCause().hasMessageContaining("reset");
    assertThat(fault.fired()).isEqualTo(1);
    assertThat(outcome()).isEqualTo(Outcome.UNANSWERED);
    assertThat(queue.counts().total()).isZero();
    send();
    assertThat(queue.counts().visible()).as("after the next call, which went well").isEqualTo(1);
  }

  @Test
  void a_lost_reply_leaves_the_effect() {
    ScriptedFault fault = queue.next(Operation.SEND, HttpFault.loseReply());
    assertThatThrownBy(this::send).isInstanceOf(SdkClientException.class).hasRootCauseInstanceOf(SocketException.class);
    assertThat(fault.fired()).isEqualTo(1);
    assertThat(outcome()).isEqualTo(Outcome.UNANSWERED);
    assertThat(queue.counts().visible()).isEqualTo(1);
  }

  @Test
  void a_lost_request_leaves_no_effect_and_no_answer() {
    ScriptedFault fault = queue.next(Operation.SEND, HttpFault.loseRequest());
    assertThatThrownBy(() -> sendWithin(SHORT)).isInstanceOf(ApiCallTimeoutException.class);
    assertThat(fault.fired()).isEqualTo(1);
    assertThat(outcome()).isEqualTo(Outcome.UNANSWERED);
    assertThat(queue.counts().total()).isZero();
  }

  @Test
  void a_hanging_body_leaves_the_effect_and_the_client_waiting_for_the_end_of_the_answer() {
    ScriptedFault fault = queue.next(Operation.SEND, HttpFault.hangBody());
    assertThatThrownBy(() -> sendWithin(SHORT)).isInstanceOf(ApiCallTimeoutException.class);
    assertThat(fault.fired()).isEqualTo(1);
    assertThat(outcome()).isEqualTo(Outcome.UNANSWERED);
    assertThat(queue.counts().visible()).isEqualTo(1);
  }

  @Test
  void a_delayed_request_has_its_effect_after_its_client_gave_up() {
    ScriptedFault fault = queue.next(Operation.SEND, HttpFault.delayRequest(Duration.ofSeconds(2)));
    assertThatThrownBy(() -> sendWithin(SHORT)).isInstanceOf(ApiCallTimeoutException.class);
    assertThat(queue.calls(Operation.SEND).get(0).outcome()).isEqualTo(Outcome.UNDER_WAY);
    queue.await("has the late message", counts -> counts.visible() == 1, LONG);
    assertThat(fault.fired()).isEqualTo(1);
  }

  @Test
  void a_delayed_reply_has_its_effect_at_once() {
    ScriptedFault fault = queue.next(Operation.SEND, HttpFault.delayReply(Duration.ofMinutes(10)));
    assertThatThrownBy(() -> sendWithin(SHORT)).isInstanceOf(ApiCallTimeoutException.class);
    assertThat(fault.fired()).isEqualTo(1);
    assertThat(queue.counts().visible()).isEqualTo(1);
    assertThat(outcome()).isEqualTo(Outcome.UNDER_WAY);
  }

  @Test
  void a_delayed_extension_is_judged_by_its_arrival_and_logged_with_what_it_met() {
    StrictQueue brief = sqs.queue("brief").visibility(Duration.ofSeconds(1)).create();
    brief.send("a");
    Message message = Calls.receiveOne(brief);
    ScriptedFault fault =
        brief.next(Operation.CHANGE_VISIBILITY, HttpFault.delayRequest(Duration.ofMillis(1500)));
    client.changeMessageVisibility(
        call -> call.queueUrl(brief.url()).receiptHandle(message.receiptHandle()).visibilityTimeout(30));
    assertThat(fault.fired()).isEqualTo(1);
    assertThat(brief.calls(Operation.CHANGE_VISIBILITY).get(0).entries()).singleElement().satisfies(entry -> {
      assertThat(entry.heldOnArrival()).isTrue();
      assertThat(entry.heldAtEffect()).isFalse();
      assertThat(entry.result()).isEqualTo(EndpointCall.Entry.WITHOUT_EFFECT);
    });
    assertThat(brief.trespasses()).isEmpty();
  }

  @Test
  void the_sdk_refuses_an_answer_with_a_wrong_checksum_and_takes_the_same_answer_with_the_right_one() {
    queue.send("a");
    ScriptedFault fault = queue.next(Operation.RECEIVE, HttpFault.corruptMd5());
    assertThatThrownBy(
        () -> client.receiveMessage(call -> call.queueUrl(queue.url()).visibilityTimeout(0)))
        .isInstanceOf(SdkClientException.class).hasMessageContaining("MD5");
    assertThat(fault.fired()).isEqualTo(1);
    assertThat(client.receiveMessage(call -> call.queueUrl(queue.url())).messages()).hasSize(1);
    ScriptedFault onSend = queue.next(Operation.SEND, HttpFault.corruptMd5());
    assertThatThrownBy(this::send).isInstanceOf(SdkClientException.class).hasMessageContaining("MD5");
    assertThat(onSend.fired()).isEqualTo(1);
  }

  @Test
  void chosen_entries_of_a_batch_fail_with_either_fault_and_the_others_do_not() {
    IntStream.range(0, 4).forEach(i -> queue.send("m" + i));
    List<Message> messages = Calls.receive(queue);
    ScriptedFault sender =
        queue.next(Operation.DELETE, HttpFault.entriesAt(ServiceError.receiptHandleIsInvalid(), 1));
    ScriptedFault receiver =
        queue.next(
            Operation.DELETE,
            HttpFault.entriesAt(ServiceError.internalFailure().withMessage("try again"), 0, 3));
    DeleteMessageBatchResponse first = deleteAll(messages);
    assertThat(first.failed()).singleElement().satisfies(failed -> {
      assertThat(failed.id()).isEqualTo("1");
      assertThat(failed.code()).isEqualTo("ReceiptHandleIsInvalid");
      assertThat(failed.senderFault()).isTrue();
    });
    assertThat(queue.counts().total()).isEqualTo(1);
    DeleteMessageBatchResponse second = deleteAll(messages);
    assertThat(second.failed()).extracting(BatchResultErrorEntry::id).containsExactly("0", "3");
    assertThat(second.failed()).extracting(BatchResultErrorEntry::senderFault).containsOnly(false);
    assertThat(second.failed()).extracting(BatchResultErrorEntry::message).containsOnly("try again");
    assertThat(queue.counts().total()).isZero();
    assertThat(queue.calls(Operation.DELETE).get(0).entries())
        .extracting(EndpointCall.Entry::result)
        .containsExactly("done", "ReceiptHandleIsInvalid", "done", "done");
    assertThat(sender.fired()).isEqualTo(1);
    assertThat(receiver.fired()).isEqualTo(1);
  }

  @Test
  void failing_entries_wait_for_a_batch_in_which_they_fail_anything() {
    IntStream.range(0, 3).forEach(i -> queue.send("m" + i));
    List<Message> messages = Calls.receive(queue);
    AtomicInteger asked = new AtomicInteger();
    String last = messages.get(2).messageId();
    ScriptedFault fault =
        queue.next(Operation.DELETE, HttpFault.entries((position, messageId) -> {
          asked.incrementAndGet();
          return messageId.equals(last) ? Optional.of(ServiceError.internalFailure()) : Optional.empty();
        }));
    client.deleteMessage(call -> call.queueUrl(queue.url()).receiptHandle(messages.get(0).receiptHandle()));
    assertThat(deleteAll(messages.subList(1, 2)).failed()).isEmpty();
    assertThat(fault.fired()).as("faults that did nothing").isZero();
    assertThat(deleteAll(messages.subList(1, 3)).failed()).extracting(BatchResultErrorEntry::id).containsExactly("1");
    assertThat(fault.fired()).isEqualTo(1);
    assertThat(asked).as("entries of batches").hasValue(3);
  }

  @Test
  void wrong_checksums_wait_for_an_answer_that_has_checksums() {
    ScriptedFault fault = sqs.next(1, call -> call.queue().equals("faults"), HttpFault.corruptMd5());
    client.getQueueAttributes(call -> call.queueUrl(queue.url()));
    assertThat(client.receiveMessage(call -> call.queueUrl(queue.url())).messages()).isEmpty();
    assertThatThrownBy(
        () -> client.receiveMessage(call -> call.queueUrl(queue.url()).maxNumberOfMessages(11)))
        .hasMessageContaining("MaxNumberOfMessages");
    assertThat(fault.fired()).as("faults that did nothing").isZero();
    assertThatThrownBy(this::send).hasMessageContaining("MD5");
    assertThat(fault.fired()).isEqualTo(1);
  }

  @Test
  void the_answer_to_a_refused_call_hangs_or_is_lost_too() {
    queue.next(Operation.RECEIVE, HttpFault.hangBody());
    assertThatThrownBy(
        () -> client.receiveMessage(
            call -> call.queueUrl(queue.url()).maxNumberOfMessages(11)
                .overrideConfiguration(o -> o.apiCallTimeout(SHORT))))
        .as("the SDK takes the status and goes without the words that it waited for in vain")
        .isInstanceOf(SqsException.class).hasMessageContaining("status code 400")
        .hasMessageNotContaining("MaxNumberOfMessages");
    queue.next(Operation.RECEIVE, HttpFault.loseReply());
    assertThatThrownBy(() -> client.receiveMessage(call -> call.queueUrl(queue.url()).maxNumberOfMessages(11)))
        .isInstanceOf(SdkClientException.class).hasRootCauseInstanceOf(SocketException.class);
    assertThat(queue.calls(Operation.RECEIVE)).extracting(EndpointCall::outcome).containsOnly(Outcome.UNANSWERED);
  }

  private DeleteMessageBatchResponse deleteAll(List<Message> messages) {
    List<DeleteMessageBatchRequestEntry> entries =
        IntStream.range(0, messages.size())
            .mapToObj(
                i -> DeleteMessageBatchRequestEntry.builder()
                    .id(Integer.toString(i))
                    .receiptHandle(messages.get(i).receiptHandle())
                    .build())
            .toList();
    return client.deleteMessageBatch(call -> call.queueUrl(queue.url()).entries(entries));
  }

  @Test
  void a_line_of_the_script_takes_the_calls_it_is_for_until_it_is_closed() {
    ScriptedFault always = queue.always(Operation.SEND, HttpFault.error(ServiceError.internalFailure()));
    StrictQueue other = sqs.queue("other").create();
    assertThatThrownBy(this::send).hasMessageContaining("internal error");
    assertThatThrownBy(this::send).hasMessageContaining("internal error");
    client.sendMessage(call -> call.queueUrl(other.url()).messageBody("goes well"));
    always.close();
    send();
    assertThat(always.fired()).isEqualTo(2);
    assertThat(always.hits()).extracting(EndpointCall::queue).containsOnly("faults");
  }

  @Test
  void a_fault_that_does_not_come_is_told() {
    ScriptedFault never = queue.next(Operation.PURGE_QUEUE, HttpFault.reset());
    assertThatThrownBy(() -> never.awaitFired(1, Duration.ofMillis(10))).isInstanceOf(AssertionError.class)
        .hasMessageContaining("1 times HttpFault[RESET]");
  }
}
