package io.queueworker.testkit.contract;

import static io.queueworker.testkit.contract.QueueCaller.CALL;
import static io.queueworker.testkit.contract.QueueCaller.HELD;
import static io.queueworker.testkit.contract.QueueCaller.SHORT;
import static io.queueworker.testkit.contract.QueueCaller.on;
import static io.queueworker.testkit.contract.QueueCaller.onHeldQueue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.queueworker.queue.MessageCounts;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the port promises about receives and about what a queue says of itself. */
public interface ReceiveContract extends QueueUnderTest {

  /** A first receive brings the message as it was sent. */
  @Test
  default void a_message_comes_with_its_id_its_body_and_a_count_of_one() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      String id = queue.send("käse 🧀 <&>\n");

      ReceivedMessage message = caller.receiveOne();

      assertEquals(id, message.id());
      assertEquals("käse 🧀 <&>\n", message.body());
      assertEquals(1, message.receiveCount());
      assertTrue(message.sentAt().isPresent(), "no time of sending");
      assertFalse(message.receipt().value().isBlank(), "no receipt");
    });
  }

  /** A message that was received is not there for others. */
  @Test
  default void a_received_message_is_hidden() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      caller.receiveOne();

      assertEquals(List.of(), caller.look(1));
      caller.counts(0, 1);
    });
  }

  /** The queue's own visibility timeout ends a receive that asked for none. */
  @Test
  default void a_message_comes_back_when_the_queues_visibility_timeout_ran_out() throws Exception {
    on(this, SubjectSettings.visibility(SHORT), (queue, caller) -> {
      queue.send("a");
      ReceivedMessage first = caller.receiveOne();
      ReceivedMessage second = caller.receiveOne();
      assertEquals(first.id(), second.id());
    });
  }

  /** Each receive of a message counts, and has a receipt of its own. */
  @Test
  default void each_receive_has_another_receipt_and_a_higher_count() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      String id = queue.send("a");
      Set<String> receipts = new HashSet<>();
      for (int receive = 1; receive <= 3; receive++) {
        ReceivedMessage message = caller.receiveOne();
        assertEquals(id, message.id());
        assertEquals(receive, message.receiveCount());
        assertTrue(receipts.add(message.receipt().value()), "receive " + receive + " has an earlier receive's receipt");
        QueueCaller.done(caller.release(message.receipt(), caller.traits.smallestDelay()), "the release");
      }
    });
  }

  /** A receive may set its own visibility timeout where the service knows that, and is refused where it does not. */
  @Test
  default void a_receive_sets_its_own_visibility_timeout_or_is_refused() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      ReceiveRequest own = new ReceiveRequest(1, Duration.ofSeconds(20), SHORT);
      if (!caller.traits.receiveVisibility()) {
        assertThrows(IllegalArgumentException.class, () -> caller.queue.receive(own));
        return;
      }
      List<ReceivedMessage> first = caller.queue.receive(own);
      assertEquals(1, first.size());
      assertEquals(2, caller.receiveOne().receiveCount());
    });
  }

  /** A receive never brings more than it asked for, and no message twice. */
  @Test
  default void a_receive_brings_at_most_what_it_asked_for() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      Set<String> sent = new HashSet<>();
      for (int i = 0; i < 3; i++) {
        sent.add(queue.send("m" + i));
      }

      List<ReceivedMessage> two = caller.poll(2);
      assertTrue(!two.isEmpty() && two.size() <= 2, () -> "a receive of at most 2 brought " + two);

      List<ReceivedMessage> rest = caller.receive(3 - two.size());
      Set<String> received = new HashSet<>();
      two.forEach(message -> received.add(message.id()));
      rest.forEach(message -> received.add(message.id()));
      assertEquals(sent, received);
    });
  }

  /** A receive on an empty queue brings nothing, and that is no failure. */
  @Test
  default void an_empty_queue_brings_an_empty_list() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      assertEquals(List.of(), caller.look(caller.traits.maxBatch()));
      assertEquals(List.of(), caller.queue.receive(new ReceiveRequest(1, Duration.ofSeconds(1), null)));
    });
  }

  /** A long poll on a queue with nothing visible brings what becomes visible meanwhile. */
  @Test
  default void a_long_poll_brings_a_message_whose_time_runs_out_meanwhile() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      caller.extended(caller.receiveOne().receipt(), SHORT);

      assertEquals(List.of("a"), bodies(caller.poll(1)));
    });
  }

  /** A long poll brings what is sent meanwhile. */
  @Test
  default void a_long_poll_brings_a_message_that_is_sent_meanwhile() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.meanwhile(() -> queue.send("late"));
      assertEquals("late", caller.receiveOne().body());
    });
  }

  /** What a receive may not ask for is refused without a call. */
  @Test
  default void a_receive_outside_the_limits_is_refused() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      Duration tooLong = caller.traits.maxWait().plusSeconds(1);
      for (ReceiveRequest request : List.of(
          new ReceiveRequest(0, Duration.ZERO, null),
          new ReceiveRequest(caller.traits.maxBatch() + 1, Duration.ZERO, null),
          new ReceiveRequest(1, tooLong, null),
          new ReceiveRequest(1, Duration.ofSeconds(-1), null))) {
        assertThrows(IllegalArgumentException.class, () -> caller.queue.receive(request), request::toString);
      }
      caller.counts(1, 0);
    });
  }

  /** A queue says its visibility timeout, and that it has no dead-letter queue. */
  @Test
  default void a_queue_says_its_visibility_timeout() throws Exception {
    on(this, SubjectSettings.visibility(Duration.ofSeconds(42)), (queue, caller) -> {
      assertEquals(Duration.ofSeconds(42), caller.queue.attributes().visibility());
      assertEquals(OptionalInt.empty(), caller.queue.attributes().maxReceiveCount());
    });
  }

  /** A queue that counts its messages counts those that a receive could bring, and those that one has brought. */
  @Test
  default void a_queue_that_counts_its_messages_tells_visible_ones_from_hidden_ones() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      queue.send("b");
      caller.receiveOne();
      caller.counts(1, 1);
      caller.queue.attributes().counts().ifPresent(counts -> assertEquals(new MessageCounts(1, 1, 0), counts));
    });
  }

  /** A queue says after how many receives it gives a message up. */
  @Test
  default void a_queue_says_after_how_many_receives_it_gives_a_message_up() throws Exception {
    on(this, SubjectSettings.visibility(HELD).maxReceiveCount(7), (queue, caller) -> assertEquals(
        OptionalInt.of(7), caller.queue.attributes().maxReceiveCount()));
  }

  /** A message that was received too often comes on the dead-letter queue, and there its count goes on. */
  @Test
  default void the_receive_after_the_last_allowed_one_moves_the_message_to_the_dead_letter_queue() throws Exception {
    on(this, SubjectSettings.visibility(HELD).maxReceiveCount(2), (queue, caller) -> {
      queue.send("poison");
      for (int receive = 1; receive <= 2; receive++) {
        ReceivedMessage message = caller.receiveOne();
        assertEquals(receive, message.receiveCount());
        caller.lapse(message.receipt());
      }

      assertEquals(List.of(), caller.look(1));

      try (var dead = queue.connectDeadLetters()) {
        ReceivedMessage moved = new QueueCaller(queue, dead).receiveOne();
        assertEquals("poison", moved.body());
        assertEquals(3, moved.receiveCount());
        QueueCaller.done(dead.delete(List.of(moved.receipt()), CALL).get(0), "the delete of the dead letter");
      }
      caller.counts(0, 0);
    });
  }

  /** Two connections are two consumers of one queue, with one name and the same traits. */
  @Test
  default void two_connections_share_the_queue() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      ReceivedMessage first = caller.receiveOne();
      try (var other = queue.connect()) {
        assertEquals(caller.queue.name(), other.name());
        assertEquals(caller.traits, other.traits());
        caller.lapse(first.receipt());
        ReceivedMessage second = new QueueCaller(queue, other).receiveOne();
        assertEquals(first.id(), second.id());
        assertNotEquals(first.receipt(), second.receipt());
      }
    });
  }

  private static List<String> bodies(List<ReceivedMessage> messages) {
    return messages.stream().map(ReceivedMessage::body).toList();
  }
}
