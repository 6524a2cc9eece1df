package io.queueworker.testkit.contract;

import static io.queueworker.testkit.contract.QueueCaller.CALL;
import static io.queueworker.testkit.contract.QueueCaller.HELD;
import static io.queueworker.testkit.contract.QueueCaller.SHORT;
import static io.queueworker.testkit.contract.QueueCaller.done;
import static io.queueworker.testkit.contract.QueueCaller.neverIssued;
import static io.queueworker.testkit.contract.QueueCaller.on;
import static io.queueworker.testkit.contract.QueueCaller.onHeldQueue;
import static io.queueworker.testkit.contract.QueueCaller.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.VisibilityChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the port promises about extensions and releases. */
public interface VisibilityContract extends QueueUnderTest {

  /** An extension keeps a message hidden when its first visibility timeout is over. */
  @Test
  default void an_extended_message_stays_hidden_beyond_its_first_timeout() throws Exception {
    on(this, SubjectSettings.visibility(Duration.ofSeconds(3)), (queue, caller) -> {
      queue.send("extended");
      queue.send("not extended");
      for (ReceivedMessage message : caller.receive(2)) {
        if (message.body().equals("extended")) {
          caller.extended(message.receipt(), HELD);
        }
      }
      queue.awaitVisible(1);
      assertEquals("not extended", caller.receiveOne().body());
    });
  }

  /** The new timeout counts from the call, so that it can also end earlier than the old one. */
  @Test
  default void an_extension_counts_from_the_call_and_does_not_add() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      caller.extended(caller.receiveOne().receipt(), SHORT);
      assertEquals(2, caller.receiveOne().receiveCount());
    });
  }

  /** An extension is for one receive: the next one has the queue's own timeout again. */
  @Test
  default void an_extension_is_for_this_receive_only() throws Exception {
    on(this, SubjectSettings.visibility(SHORT), (queue, caller) -> {
      queue.send("a");
      caller.extend(caller.receiveOne().receipt(), Duration.ofSeconds(2));
      caller.receiveOne();
      assertEquals(3, caller.receiveOne().receiveCount());
    });
  }

  /** The answer to an extension carries the receipt to use from now on, and only that one is good then. */
  @Test
  default void an_extension_gives_the_receipt_to_use_from_now_on() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      Receipt first = caller.receiveOne().receipt();
      Receipt second = caller.extended(first, HELD);
      if (caller.traits.receiptChangesOnExtend()) {
        assertNotEquals(first, second);
        refused(caller.extend(first, HELD), "an extension with the replaced receipt");
        refused(caller.delete(first), "a delete with the replaced receipt");
        caller.counts(0, 1);
      } else {
        assertEquals(first, second);
      }
      Receipt third = caller.extended(second, HELD);
      done(caller.delete(third), "the delete with the last receipt");
      caller.counts(0, 0);
    });
  }

  /** Entries are answered in the order of the batch, and a bad one among good ones fails alone. */
  @Test
  default void extensions_are_answered_in_the_order_of_the_batch_and_a_bad_entry_fails_alone() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      queue.send("b");
      List<ReceivedMessage> two = caller.receive(2);
      List<VisibilityChange> batch = withBadOne(two, HELD);
      if (!caller.traits.batchExtend()) {
        assertEquals(1, caller.traits.maxVisibilityBatch());
        assertThrows(IllegalArgumentException.class, () -> caller.queue.extend(batch, CALL));
        return;
      }
      answeredInOrder(caller.queue.extend(batch, CALL), two);
      caller.counts(0, 2);
    });
  }

  /** Releases too. */
  @Test
  default void releases_are_answered_in_the_order_of_the_batch_and_a_bad_entry_fails_alone() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      queue.send("b");
      List<ReceivedMessage> two = caller.receive(2);
      List<VisibilityChange> batch = withBadOne(two, caller.traits.smallestDelay());
      if (!caller.traits.batchExtend()) {
        assertThrows(IllegalArgumentException.class, () -> caller.queue.release(batch, CALL));
        return;
      }
      answeredInOrder(caller.queue.release(batch, CALL), two);
      queue.awaitVisible(2);
      caller.receive(2).forEach(message -> assertEquals(2, message.receiveCount()));
    });
  }

  /** A batch may be empty, and never larger than the traits say. */
  @Test
  default void a_visibility_call_takes_no_entry_to_as_many_as_the_traits_say() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      int most = caller.traits.maxVisibilityBatch();
      List<VisibilityChange> batch = new ArrayList<>();
      for (int i = 0; i < most; i++) {
        queue.send("m" + i);
      }
      caller.receive(most).forEach(message -> batch.add(new VisibilityChange(message.receipt(), HELD)));

      assertEquals(List.of(), caller.queue.extend(List.of(), CALL));
      assertEquals(List.of(), caller.queue.release(List.of(), CALL));
      for (EntryResult result : caller.queue.extend(batch, CALL)) {
        done(result, "an entry of a full batch");
      }
      batch.add(new VisibilityChange(neverIssued(), HELD));
      assertThrows(IllegalArgumentException.class, () -> caller.queue.extend(batch, CALL));
      assertThrows(IllegalArgumentException.class, () -> caller.queue.release(batch, CALL));
      caller.counts(0, most);
    });
  }

  /** A release with the shortest delay makes the message visible for the next receive. */
  @Test
  default void a_released_message_comes_back() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      ReceivedMessage first = caller.receiveOne();
      done(caller.release(first.receipt(), caller.traits.smallestDelay()), "the release");
      ReceivedMessage second = caller.receiveOne();
      assertEquals(first.id(), second.id());
      assertEquals(2, second.receiveCount());
    });
  }

  /** A release with a delay keeps the message hidden until then. */
  @Test
  default void a_message_released_with_a_delay_stays_hidden_until_then() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("soon");
      queue.send("later");
      for (ReceivedMessage message : caller.receive(2)) {
        Duration delay = message.body().equals("soon") ? SHORT : HELD;
        done(caller.release(message.receipt(), delay), "the release");
      }
      assertEquals("soon", caller.receiveOne().body());
      caller.counts(0, 2);
    });
  }

  /** A service without a zero delay refuses one; the worker then uses the smallest. */
  @Test
  default void a_release_below_the_smallest_delay_is_refused() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      Receipt receipt = caller.receiveOne().receipt();
      if (!caller.traits.smallestDelay().isZero()) {
        assertThrows(IllegalArgumentException.class, () -> caller.release(receipt, Duration.ZERO));
      } else {
        done(caller.release(receipt, Duration.ZERO), "the release");
      }
    });
  }

  /**
   * An extension of a receipt whose time ran out does not take the message back: the service refuses it, if it says so in
   * its traits, or answers well and does nothing.
   */
  @Test
  default void an_extension_after_the_timeout_does_not_hide_the_message_again() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      Receipt receipt = caller.lapse(caller.receiveOne().receipt());

      EntryResult answer = caller.extend(receipt, HELD);

      if (differences().contains(QueueDifference.LAPSED_EXTENSION_HIDES_AGAIN)) {
        done(answer, "the late extension");
        caller.counts(0, 1);
        return;
      }
      if (caller.traits.reportsLeaseLoss()) {
        refused(answer, "an extension after the timeout");
      } else {
        done(answer, "the late extension");
      }
      caller.counts(1, 0);
    });
  }

  /**
   * A release with the receipt of an earlier receive frees the message that another consumer holds: the hazard for which
   * a worker sends nothing after its lease ran out. A service that reports lost leases refuses it.
   */
  @Test
  default void a_release_with_an_earlier_receives_receipt_acts_on_the_new_holders_message() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      Receipt old = caller.lapse(caller.receiveOne().receipt());
      Receipt current = caller.receiveOne().receipt();

      EntryResult answer = caller.release(old, caller.traits.smallestDelay());

      if (caller.traits.reportsLeaseLoss() || differences().contains(QueueDifference.OLD_RECEIPT_CANNOT_CHANGE)) {
        refused(answer, "a release with an earlier receive's receipt");
        caller.counts(0, 1);
        caller.extended(current, HELD);
      } else {
        done(answer, "the release with the old receipt");
        queue.awaitVisible(1);
        caller.counts(1, 0);
      }
    });
  }

  /** An extension of a deleted message says that it is gone, or that the receipt is lost. */
  @Test
  default void an_extension_of_a_deleted_message_says_that_it_is_gone() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      Receipt receipt = caller.receiveOne().receipt();
      done(caller.delete(receipt), "the delete");

      for (EntryResult answer : List.of(caller.extend(receipt, HELD), caller.release(receipt, SHORT))) {
        if (differences().contains(QueueDifference.DELETED_MESSAGE_IS_LOST)) {
          assertInstanceOf(EntryResult.Lost.class, answer);
        } else if (caller.traits.reportsLeaseLoss()) {
          refused(answer, "a visibility call for a deleted message");
        } else {
          assertEquals(new EntryResult.Gone(), answer);
        }
      }
      caller.counts(0, 0);
    });
  }

  /** A receipt that the service never gave out is lost. */
  @Test
  default void a_receipt_that_was_never_given_out_is_lost() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      assertInstanceOf(EntryResult.Lost.class, caller.extend(neverIssued(), HELD));
      assertInstanceOf(EntryResult.Lost.class, caller.release(neverIssued(), SHORT));
      assertInstanceOf(EntryResult.Lost.class, caller.delete(neverIssued()));
    });
  }

  private static List<VisibilityChange> withBadOne(List<ReceivedMessage> two, Duration visibility) {
    return List.of(
        new VisibilityChange(two.get(0).receipt(), visibility),
        new VisibilityChange(neverIssued(), visibility),
        new VisibilityChange(two.get(1).receipt(), visibility));
  }

  private static void answeredInOrder(List<EntryResult> answers, List<ReceivedMessage> two) {
    assertEquals(3, answers.size(), answers::toString);
    assertEquals(two.get(0).receipt(), done(answers.get(0), "the first entry"));
    assertInstanceOf(EntryResult.Lost.class, answers.get(1), "the bad entry in the middle");
    assertEquals(two.get(1).receipt(), done(answers.get(2), "the last entry"));
  }
}
