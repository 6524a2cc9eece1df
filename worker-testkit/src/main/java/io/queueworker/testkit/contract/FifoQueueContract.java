package io.queueworker.testkit.contract;

import static io.queueworker.testkit.contract.QueueCaller.HELD;
import static io.queueworker.testkit.contract.QueueCaller.SHORT;
import static io.queueworker.testkit.contract.QueueCaller.done;
import static io.queueworker.testkit.contract.QueueCaller.onHeldQueue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.SendResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What a queue promises that keeps order in message groups: a message is deliverable if and only if no earlier message of its
 * group is invisible. The cases are those that were recorded against Amazon SQS (docs/queue-facts.md A3).
 */
public interface FifoQueueContract extends QueueUnderTest {

  /** A group comes in the order of sending, and each message names its group. */
  @Test
  default void a_group_comes_in_order() throws Exception {
    onGroup(3, (queue, caller, slice) -> {
      assertTrue(caller.traits.fifo(), "the traits do not say that it is a FIFO queue");
      assertEquals(List.of("m1", "m2", "m3"), bodies(slice));
      slice.forEach(message -> assertEquals(Optional.of("g"), message.group()));
    });
  }

  /** While the head of a group is in flight, nothing of the group comes, and other groups do. */
  @Test
  default void a_group_in_flight_blocks_its_followers_and_no_other_group() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("m1", "g");
      caller.receiveOne();
      queue.send("m2", "g");
      queue.send("other", "h");
      assertEquals(List.of("other"), bodies(caller.poll(10)));
    });
  }

  /** While one message of a group is in flight, a delete of another one does not free what follows. */
  @Test
  default void a_group_stays_blocked_after_a_partial_delete() throws Exception {
    onGroup(2, (queue, caller, slice) -> {
      queue.send("m3", "g");
      done(caller.delete(slice.get(0).receipt()), "the delete of m1");
      onlyTheClockComes(queue, caller);
    });
  }

  /** When all that was in flight of a group is deleted, its next message comes at once. */
  @Test
  default void a_group_is_free_when_all_in_flight_is_deleted() throws Exception {
    onGroup(2, (queue, caller, slice) -> {
      queue.send("m3", "g");
      for (ReceivedMessage message : slice) {
        done(caller.delete(message.receipt()), "the delete of " + message.body());
      }
      assertEquals(List.of("m3"), bodies(caller.poll(10)));
    });
  }

  /** A long poll that waits for a group wakes when the message before is deleted. */
  @Test
  default void a_delete_wakes_a_long_poll_for_the_next_of_the_group() throws Exception {
    onGroup(1, (queue, caller, slice) -> {
      queue.send("m2", "g");
      queue.meanwhile(() -> caller.delete(slice.get(0).receipt()));
      assertEquals(List.of("m2"), bodies(caller.poll(10)));
    });
  }

  /** A released head comes alone while its follower is in flight: a change is for one message only. */
  @Test
  default void a_released_head_comes_again_alone_while_its_follower_is_in_flight() throws Exception {
    onGroup(2, (queue, caller, slice) -> {
      caller.lapse(slice.get(0).receipt());
      assertEquals(List.of("m1"), bodies(caller.poll(10)));
    });
  }

  /** With the first message extended, nothing of the group comes though the others' time ran out. */
  @Test
  default void an_extended_first_message_blocks_the_whole_group() throws Exception {
    extending("m1", List.of());
  }

  /** With the second one extended, only the first one comes. */
  @Test
  default void an_extended_second_message_lets_only_the_first_come() throws Exception {
    extending("m2", List.of("m1"));
  }

  /** With the last one extended, those before it come. */
  @Test
  default void an_extended_last_message_lets_those_before_it_come() throws Exception {
    extending("m3", List.of("m1", "m2"));
  }

  /** Followers that are released behind a head with a delay stay blocked, and come behind it: the way to give a slice back. */
  @Test
  default void released_followers_stay_behind_a_delayed_head() throws Exception {
    onGroup(3, (queue, caller, slice) -> {
      caller.extended(slice.get(0).receipt(), HELD);
      for (ReceivedMessage follower : slice.subList(1, 3)) {
        done(caller.release(follower.receipt(), caller.traits.smallestDelay()), "the release of a follower");
      }
      onlyTheClockComes(queue, caller);
      done(caller.release(slice.get(0).receipt(), caller.traits.smallestDelay()), "the release of the head");
      assertEquals(List.of("m1", "m2", "m3"), bodies(caller.receive(3)));
    });
  }

  /** Of two sends with one deduplication id within five minutes there is one message, also when it is deleted between. */
  @Test
  default void a_repeated_send_makes_no_second_message() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      String first = queue.sendOnce("a", "g", "once");
      assertEquals(first, queue.sendOnce("a", "g", "once"), "the id of the repeated send");
      ReceivedMessage message = caller.receiveOne();
      assertEquals(first, message.id());
      done(caller.delete(message.receipt()), "the delete");

      queue.sendOnce("a", "g", "once");
      assertNotEquals(first, queue.sendOnce("b", "g", "another"));

      assertEquals(List.of("b"), bodies(caller.poll(10)));
      caller.counts(0, 1);
    });
  }

  private void onGroup(int messages, QueueCaller.SliceTest test) throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      IntStream.rangeClosed(1, messages).forEach(i -> queue.send("m" + i, "g"));
      test.on(queue, caller, caller.receive(messages));
    });
  }

  /** Lets the time of all but one message of a group of three run out. */
  private void extending(String kept, List<String> expected) throws Exception {
    onGroup(3, (queue, caller, slice) -> {
      queue.send("clock", "clock");
      Receipt clock = caller.receiveOne().receipt();
      for (ReceivedMessage message : slice) {
        caller.extended(message.receipt(), message.body().equals(kept) ? HELD : SHORT);
      }
      caller.extended(clock, SHORT);
      // A poll before that could bring the first one alone, and with it in flight the second one is blocked.
      queue.awaitVisible(3);
      awaitClock(caller, expected);
    });
  }

  /** Receives until the clock comes, and asserts what came of the group. */
  private static void awaitClock(QueueCaller caller, List<String> expected) {
    List<String> came = new ArrayList<>();
    for (int poll = 0; poll < 10 && !came.contains("clock"); poll++) {
      came.addAll(bodies(caller.poll(10)));
    }
    came.addAll(bodies(caller.look(10)));
    assertTrue(came.remove("clock"), "the clock did not come");
    assertEquals(expected, came);
  }

  private static void onlyTheClockComes(QueueSubject queue, QueueCaller caller) {
    queue.send("clock", "clock");
    awaitClock(caller, List.of());
  }

  private static List<String> bodies(List<ReceivedMessage> messages) {
    return messages.stream().map(ReceivedMessage::body).toList();
  }

  /** A send with a deduplication id that was seen is the earlier message; in a group, order is that of the sends. */
  @Test
  default void a_repeated_send_through_the_port_is_the_message_before() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      String first = portSend(caller, "a", "once");
      assertEquals(first, portSend(caller, "a", "once"));
      portSend(caller, "b", "other");
      assertEquals(List.of("a", "b"), caller.receive(2).stream().map(ReceivedMessage::body).toList());
      caller.counts(0, 2);
    });
  }

  /** A message without a group does not fit a FIFO queue. */
  @Test
  default void a_send_without_a_group_is_refused() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      SendResult answer =
          caller.queue.send(
              new OutgoingMessage("a", Map.of(), Optional.empty(), Optional.of("once")), QueueCaller.CALL);
      assertInstanceOf(SendResult.Refused.class, answer);
      caller.counts(0, 0);
    });
  }

  private static String portSend(QueueCaller caller, String body, String deduplicationId) {
    SendResult answer =
        caller.queue.send(
            new OutgoingMessage(body, Map.of(), Optional.of("port"), Optional.of(deduplicationId)), QueueCaller.CALL);
    return assertInstanceOf(SendResult.Sent.class, answer).messageId();
  }
}
