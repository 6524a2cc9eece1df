package io.queueworker.testkit.contract;

import static io.queueworker.testkit.contract.QueueCaller.HELD;
import static io.queueworker.testkit.contract.QueueCaller.done;
import static io.queueworker.testkit.contract.QueueCaller.on;
import static io.queueworker.testkit.contract.QueueCaller.onHeldQueue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What Amazon SQS promises beyond the port, on standard and FIFO queues. */
public interface SqsQueueContract extends QueueUnderTest {

  /** The limits of SQS. */
  @Test
  default void the_traits_are_those_of_sqs() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      assertEquals(10, caller.traits.maxBatch());
      assertEquals(10, caller.traits.maxVisibilityBatch());
      assertEquals(Duration.ofSeconds(20), caller.traits.maxWait());
      assertEquals(Duration.ZERO, caller.traits.smallestDelay());
      assertEquals(Duration.ofHours(12), caller.traits.largestVisibility());
      assertEquals(Optional.of(Duration.ofHours(12)), caller.traits.totalCap());
      assertEquals(caller.traits.fifo(), caller.traits.reportsLeaseLoss(), "only FIFO queues refuse old receipts");
    });
  }

  /** SQS counts the messages of a queue. */
  @Test
  default void the_attributes_say_how_many_messages_there_are() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      assertEquals(1, caller.queue.attributes().counts().orElseThrow().visible());
    });
  }

  /** A message is held for 12 hours from its receive at most; the service refuses more and leaves the message as it is. */
  @Test
  default void an_extension_beyond_twelve_hours_from_the_receive_is_lost() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      Receipt receipt = caller.receiveOne().receipt();
      queue.send("clock");
      caller.lapse(caller.receiveOne().receipt());

      EntryResult answer = caller.extend(receipt, Duration.ofHours(12));

      if (differences().contains(QueueDifference.NO_TOTAL_CAP)) {
        done(answer, "the extension beyond the cap");
      } else {
        String why = assertInstanceOf(EntryResult.Lost.class, answer).reason();
        assertTrue(why.contains("beyond the limit [43200 seconds]"), why);
        caller.extended(receipt, Duration.ofHours(12).minus(HELD));
      }
      caller.counts(1, 1);
    });
  }

  /** A message that moves to the dead-letter queue keeps its id, which a redrive back changes. */
  @Test
  default void a_dead_letter_keeps_its_message_id() throws Exception {
    on(this, SubjectSettings.visibility(HELD).maxReceiveCount(1), (queue, caller) -> {
      String id = queue.send("poison");
      caller.lapse(caller.receiveOne().receipt());
      assertEquals(List.of(), caller.look(1));
      try (var dead = queue.connectDeadLetters()) {
        ReceivedMessage moved = new QueueCaller(queue, dead).receiveOne();
        assertEquals(id, moved.id());
        assertEquals(2, moved.receiveCount());
        assertTrue(moved.system().containsKey("DeadLetterQueueSourceArn"), moved.system().keySet()::toString);
      }
    });
  }

  /** A message carries the service's own attributes by the service's names. */
  @Test
  default void a_message_carries_the_services_attributes() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      ReceivedMessage message = caller.receiveOne();
      assertEquals("1", message.system().get("ApproximateReceiveCount"));
      for (String name : List.of("SentTimestamp", "ApproximateFirstReceiveTimestamp")) {
        assertTrue(
            message.system().getOrDefault(name, "").matches("\\d{1,15}"), () -> name + " in " + message.system());
      }
    });
  }

  /** On a standard queue a message group is a tenant: it comes back, and orders and blocks nothing. */
  @Test
  default void a_message_group_comes_back_and_blocks_only_on_a_fifo_queue() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("first", "tenant-1");
      assertEquals(Optional.of("tenant-1"), caller.receiveOne().group());
      queue.send("second", "tenant-1");
      queue.send("other", "tenant-2");
      List<String> came = caller.receive(caller.traits.fifo() ? 1 : 2).stream().map(ReceivedMessage::body).sorted()
          .toList();
      assertEquals(caller.traits.fifo() ? List.of("other") : List.of("other", "second"), came);
    });
  }
}
