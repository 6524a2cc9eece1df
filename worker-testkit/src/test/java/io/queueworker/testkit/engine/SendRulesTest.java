package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the service refuses before any rule of a message is asked (docs/queue-facts.md A3, A5). */
class SendRulesTest {

  private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String words) {
    assertThatThrownBy(call).isInstanceOf(EngineException.class).hasMessage(words);
  }

  @Test
  void a_fifo_queue_needs_a_group() {
    Bench queue = Bench.fifo();
    refused(
        () -> queue.engine.send(NewMessage.of("x").deduplicatedBy("d"), 0),
        "MissingParameter: The request must contain the parameter MessageGroupId.");
  }

  @Test
  void a_fifo_queue_takes_no_delay_of_a_single_message() {
    Bench queue = Bench.fifo();
    NewMessage delayed = NewMessage.of("x").inGroup("g").deduplicatedBy("d").delayedBy(Duration.ofSeconds(5));
    refused(
        () -> queue.engine.send(delayed, 0),
        "InvalidParameterValue: Value 5 for parameter DelaySeconds is invalid. Reason: The request include parameter that"
            + " is not valid for this queue type.");
  }

  @Test
  void a_standard_queue_takes_no_deduplication_id() {
    Bench queue = Bench.standard();
    refused(
        () -> queue.engine.send(NewMessage.of("x").deduplicatedBy("d"), 0),
        "InvalidParameterValue: Value d for parameter MessageDeduplicationId is invalid. Reason: The request include"
            + " parameter that is not valid for this queue type.");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 11})
  void a_receive_brings_one_to_ten_messages(int max) {
    refused(
        () -> RequestRules.requireMaxNumberOfMessages(max),
        "InvalidParameterValue: Value " + max
            + " for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1"
            + " and 10, if provided.");
    RequestRules.requireMaxNumberOfMessages(1);
    RequestRules.requireMaxNumberOfMessages(10);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 21})
  void a_receive_waits_up_to_twenty_seconds(int seconds) {
    refused(
        () -> RequestRules.requireWaitTimeSeconds(seconds),
        "InvalidParameterValue: Value " + seconds
            + " for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and"
            + " <= 20, if provided.");
    RequestRules.requireWaitTimeSeconds(0);
    RequestRules.requireWaitTimeSeconds(20);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 43_201})
  void a_receive_hides_for_up_to_twelve_hours(int seconds) {
    refused(
        () -> RequestRules.requireVisibilityTimeout(seconds),
        "InvalidParameterValue: Value " + seconds
            + " for parameter VisibilityTimeout is invalid. Reason: Must be between"
            + " 0 and 43200, if provided.");
    RequestRules.requireVisibilityTimeout(0);
    RequestRules.requireVisibilityTimeout(43_200);
  }

  @Test
  void the_name_of_a_fifo_queue_ends_in_fifo() {
    assertThatThrownBy(() -> QueueEngine.fifo("orders", new java.util.SplittableRandom(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name = orders: the name of a FIFO queue ends in .fifo");
  }
}
