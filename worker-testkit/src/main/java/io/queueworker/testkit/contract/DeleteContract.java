package io.queueworker.testkit.contract;

import static io.queueworker.testkit.contract.QueueCaller.CALL;
import static io.queueworker.testkit.contract.QueueCaller.done;
import static io.queueworker.testkit.contract.QueueCaller.neverIssued;
import static io.queueworker.testkit.contract.QueueCaller.onHeldQueue;
import static io.queueworker.testkit.contract.QueueCaller.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.VisibilityChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the port promises about deletes and about calls that cannot be made. */
public interface DeleteContract extends QueueUnderTest {

  /** A deleted message never comes again. */
  @Test
  default void a_delete_is_final() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("deleted");
      queue.send("kept");
      List<ReceivedMessage> two = caller.receive(2);
      int deleted = two.get(0).body().equals("deleted") ? 0 : 1;
      done(caller.delete(two.get(deleted).receipt()), "the delete");
      caller.counts(0, 1);
      caller.lapse(two.get(1 - deleted).receipt());
      assertEquals("kept", caller.receiveOne().body());
      caller.counts(0, 1);
    });
  }

  /** A second delete, for example of a call whose answer was lost, is no failure. */
  @Test
  default void a_second_delete_is_no_failure() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      Receipt receipt = caller.receiveOne().receipt();
      done(caller.delete(receipt), "the delete");

      EntryResult again = caller.delete(receipt);

      if (differences().contains(QueueDifference.SECOND_DELETE_IS_LOST)) {
        assertInstanceOf(EntryResult.Lost.class, again);
      } else {
        assertTrue(
            again instanceof EntryResult.Done || again instanceof EntryResult.Gone,
            () -> "the second delete was answered with " + again);
      }
      caller.counts(0, 0);
    });
  }

  /** Deletes are answered in the order of the batch, and a bad one among good ones fails alone. */
  @Test
  default void deletes_are_answered_in_the_order_of_the_batch_and_a_bad_entry_fails_alone() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      queue.send("b");
      List<ReceivedMessage> two = caller.receive(2);

      List<EntryResult> answers =
          caller.queue.delete(List.of(two.get(0).receipt(), neverIssued(), two.get(1).receipt()), CALL);

      assertEquals(3, answers.size(), answers::toString);
      assertEquals(two.get(0).receipt(), done(answers.get(0), "the first entry"));
      assertInstanceOf(EntryResult.Lost.class, answers.get(1), "the bad entry in the middle");
      assertEquals(two.get(1).receipt(), done(answers.get(2), "the last entry"));
      caller.counts(0, 0);
    });
  }

  /** A receipt that is none at all is lost, and does not take the rest of its batch with it. */
  @Test
  default void a_malformed_receipt_fails_alone() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      Receipt good = caller.receiveOne().receipt();

      List<EntryResult> answers = caller.queue.delete(List.of(new Receipt("#"), good), CALL);

      if (differences().contains(QueueDifference.MALFORMED_RECEIPT_FAILS_THE_CALL)) {
        // What became of the good one nobody can tell from that.
        answers.forEach(answer -> assertInstanceOf(EntryResult.Retryable.class, answer));
      } else {
        assertInstanceOf(EntryResult.Lost.class, answers.get(0));
        assertEquals(good, done(answers.get(1), "the good entry"));
        caller.counts(0, 0);
      }
    });
  }

  /** A batch may be empty, and never larger than the traits say. */
  @Test
  default void a_delete_takes_no_entry_to_as_many_as_the_traits_say() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      int most = caller.traits.maxBatch();
      List<Receipt> batch = new ArrayList<>();
      for (int i = 0; i <= most; i++) {
        queue.send("m" + i);
      }
      caller.receive(most + 1).forEach(message -> batch.add(message.receipt()));

      assertEquals(List.of(), caller.queue.delete(List.of(), CALL));
      assertThrows(IllegalArgumentException.class, () -> caller.queue.delete(batch, CALL));
      caller.counts(0, most + 1);
      for (EntryResult result : caller.queue.delete(batch.subList(0, most), CALL)) {
        done(result, "an entry of a full batch");
      }
      caller.counts(0, 1);
    });
  }

  /**
   * A delete after the timeout, when nobody received the message since: done where the service does not report lost
   * leases, and there the message is deleted; refused where it does, and there the message stays.
   */
  @Test
  default void a_delete_after_the_timeout_deletes_or_is_refused_as_the_traits_say() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      Receipt receipt = caller.lapse(caller.receiveOne().receipt());

      EntryResult answer = caller.delete(receipt);

      if (caller.traits.reportsLeaseLoss()
          && !differences().contains(QueueDifference.LAPSED_FIFO_DELETE_IS_DONE)) {
        refused(answer, "a delete after the timeout");
        caller.counts(1, 0);
      } else {
        done(answer, "the late delete");
        caller.counts(0, 0);
      }
    });
  }

  /** A delete with the receipt of an earlier receive is done, unless the service reports lost leases. */
  @Test
  default void a_delete_with_an_earlier_receives_receipt_is_done_or_refused_as_the_traits_say() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      Receipt old = caller.lapse(caller.receiveOne().receipt());
      Receipt current = caller.receiveOne().receipt();

      EntryResult answer = caller.delete(old);

      if (caller.traits.reportsLeaseLoss() || differences().contains(QueueDifference.OLD_RECEIPT_CANNOT_DELETE)) {
        refused(answer, "a delete with an earlier receive's receipt");
        caller.counts(0, 1);
        done(caller.delete(current), "the holder's delete");
      } else {
        done(answer, "the delete with the old receipt");
      }
    });
  }

  /** A call for which no time is left is not made, and says so for each entry. */
  @Test
  default void a_call_without_time_is_not_made() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      Receipt receipt = caller.receiveOne().receipt();
      List<VisibilityChange> change = List.of(new VisibilityChange(receipt, Duration.ofSeconds(1)));
      for (List<EntryResult> answers : List.of(
          caller.queue.delete(List.of(receipt), Duration.ZERO),
          caller.queue.extend(change, Duration.ZERO),
          caller.queue.release(change, Duration.ofSeconds(-1)))) {
        assertEquals(1, answers.size());
        assertInstanceOf(EntryResult.Retryable.class, answers.get(0));
      }
      caller.counts(0, 1);
    });
  }

  /** No answer shows a receipt: it is a capability. */
  @Test
  default void no_answer_shows_a_receipt() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      Receipt secret = new Receipt("secret-receipt-0123456789");
      List<VisibilityChange> change = List.of(new VisibilityChange(secret, Duration.ofSeconds(1)));
      for (Object answers : List.of(
          caller.queue.delete(List.of(secret), CALL), caller.queue.extend(change, CALL),
          caller.queue.release(change, CALL))) {
        assertTrue(!answers.toString().contains(secret.value()), "an answer shows its receipt");
      }
    });
  }
}
