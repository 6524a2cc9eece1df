package io.queueworker.testkit.simulation;

import static io.queueworker.timing.Timing.ThreadKind.VIRTUAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.VisibilityChange;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedFifoQueueTest {

  private static final Duration CALL = Duration.ofSeconds(3);

  /** A test that needs a FIFO queue and a connection. */
  private interface Scenario {
    void play(SimulatedTiming timing, SimulatedQueue queue, MessageQueue client) throws Exception;
  }

  private static void fifo(Scenario scenario) {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.fifo(timing, "orders.fifo").latency(Duration.ZERO, Duration.ZERO);
          scenario.play(timing, queue, queue.connect());
        });
  }

  private static List<ReceivedMessage> receive(MessageQueue client, int max, Duration wait) {
    return client.receive(new ReceiveRequest(max, wait, null));
  }

  private static List<String> bodies(List<ReceivedMessage> messages) {
    return messages.stream().map(ReceivedMessage::body).toList();
  }

  @Test
  void its_traits_say_fifo_and_that_lapsed_receipts_are_refused() {
    fifo(
        (timing, queue, client) -> {
          assertThat(client.traits().fifo()).isTrue();
          assertThat(client.traits().reportsLeaseLoss()).isTrue();
          assertThat(client.traits().totalCap()).contains(Duration.ofHours(12));
        });
  }

  @Test
  void a_message_shows_its_group_and_the_services_attributes() {
    fifo(
        (timing, queue, client) -> {
          queue.send("x", "g", "d");
          ReceivedMessage message = receive(client, 1, Duration.ZERO).get(0);
          assertThat(message.group()).contains("g");
          assertThat(message.system())
              .containsEntry("MessageGroupId", "g")
              .containsEntry("MessageDeduplicationId", "d")
              .containsEntry("ApproximateReceiveCount", "1")
              .containsKeys("SequenceNumber", "SentTimestamp", "ApproximateFirstReceiveTimestamp");
          assertThat(message.sentAt()).contains(timing.now());
        });
  }

  @Test
  void a_repeated_send_gives_the_first_id_and_adds_nothing() {
    fifo(
        (timing, queue, client) -> {
          String id = queue.send("x", "g", "d");
          assertThat(queue.send("x", "g", "d")).isEqualTo(id);
          assertThat(queue.visible()).hasSize(1);
        });
  }

  @Test
  void a_group_is_blocked_while_one_of_its_messages_is_in_flight_and_a_delete_wakes_the_poll_for_the_next() {
    fifo(
        (timing, queue, client) -> {
          queue.send("m1", "g", "1");
          queue.send("m2", "g", "2");
          ReceivedMessage head = receive(client, 1, Duration.ZERO).get(0);
          assertThat(receive(client, 10, Duration.ZERO)).isEmpty();
          timing.start(VIRTUAL, "deleter", () -> {
            timing.advance(Duration.ofSeconds(4));
            client.delete(List.of(head.receipt()), CALL);
          });
          assertThat(bodies(receive(client, 10, Duration.ofSeconds(20)))).containsExactly("m2");
          assertThat(timing.elapsed()).isEqualTo(Duration.ofSeconds(4));
        });
  }

  @Test
  void a_delete_and_an_extension_after_the_timeout_are_lost_without_the_receipt_in_the_words() {
    fifo(
        (timing, queue, client) -> {
          queue.send("x", "g", "d");
          ReceivedMessage message = receive(client, 1, Duration.ZERO).get(0);
          timing.sleep(Duration.ofSeconds(30));
          EntryResult expired = new EntryResult.Lost("The receipt handle has expired.");
          assertThat(client.delete(List.of(message.receipt()), CALL)).containsExactly(expired);
          assertThat(client.extend(List.of(new VisibilityChange(message.receipt(), CALL)), CALL))
              .containsExactly(expired);
          assertThat(queue.visible()).hasSize(1);
        });
  }

  @Test
  void dead_letters_go_to_a_queue_of_the_same_kind_that_workers_can_read() {
    fifo(
        (timing, queue, client) -> {
          SimulatedQueue dead = SimulatedQueue.fifo(timing, "dead.fifo");
          queue.redrive(1, dead).visibility(Duration.ofSeconds(5));
          String id = queue.send("poison", "g", "d");
          receive(client, 1, Duration.ZERO);
          timing.sleep(Duration.ofSeconds(5));
          assertThat(receive(client, 1, Duration.ZERO)).isEmpty();
          ReceivedMessage letter = receive(dead.connect(), 1, Duration.ofSeconds(20)).get(0);
          assertThat(letter.id()).isEqualTo(id);
          assertThat(letter.system()).containsKey("DeadLetterQueueSourceArn");
          assertThat(queue.deadLetters()).extracting(SimulatedMessage::id).containsExactly(id);
          assertThatThrownBy(() -> queue.redrive(1, SimulatedQueue.standard(timing, "other")))
              .isInstanceOf(IllegalArgumentException.class);
        });
  }

  @Test
  void without_a_redrive_policy_there_are_no_dead_letters() {
    fifo((timing, queue, client) -> assertThat(queue.deadLetters()).isEmpty());
  }
}
