package io.queueworker.testkit.contract;

import static io.queueworker.testkit.contract.QueueCaller.HELD;
import static io.queueworker.testkit.contract.QueueCaller.done;
import static io.queueworker.testkit.contract.QueueCaller.on;
import static io.queueworker.testkit.contract.QueueCaller.onHeldQueue;
import static io.queueworker.testkit.contract.QueueCaller.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.Receipt;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What takes hours: for a queue whose time {@linkplain QueueSubject#pass can be moved}. Time may go on by itself too, by up to
 * half a minute in a test.
 */
public interface LongHoldContract extends QueueUnderTest {

  /** By how much time may go on by itself. */
  Duration SLACK = Duration.ofSeconds(30);

  /** A message can be held up to the service's cap by extensions, and no longer. */
  @Test
  default void a_message_is_held_up_to_the_cap_and_no_longer() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      Receipt receipt = caller.receiveOne().receipt();
      Duration beat = Duration.ofHours(1);
      for (int hour = 1; hour <= 11; hour++) {
        receipt = caller.extended(receipt, beat.plusMinutes(1));
        queue.pass(beat);
        caller.counts(0, 1);
      }
      Optional<Duration> cap = caller.traits.totalCap();
      if (cap.isEmpty()) {
        receipt = caller.extended(receipt, Duration.ofHours(12));
        queue.pass(Duration.ofHours(11));
        caller.counts(0, 1);
        return;
      }
      Duration left = cap.get().minus(beat.multipliedBy(11));
      assertInstanceOf(EntryResult.Lost.class, caller.extend(receipt, left.plusSeconds(1)));
      caller.extended(receipt, left.minus(SLACK));
      queue.pass(left.minus(SLACK.multipliedBy(2)));
      caller.counts(0, 1);
      queue.pass(SLACK.multipliedBy(2));
      caller.counts(1, 0);
    });
  }

  /** After the cap even a delete is refused, and the message stays. */
  @Test
  default void a_delete_after_the_cap_is_lost() throws Exception {
    onHeldQueue(this, (queue, caller) -> {
      queue.send("a");
      Receipt receipt = caller.receiveOne().receipt();
      Optional<Duration> cap = caller.traits.totalCap();
      queue.pass(cap.orElse(Duration.ofHours(12)).plusSeconds(1));
      EntryResult late = caller.delete(receipt);
      if (cap.isPresent() || caller.traits.reportsLeaseLoss()) {
        refused(late, "a delete after the cap");
        caller.counts(1, 0);
      } else {
        done(late, "the late delete");
      }
    });
  }

  /** Retention goes on while a message is in flight: it disappears, and its delete is no failure. */
  @Test
  default void a_message_in_flight_disappears_when_its_retention_ends() throws Exception {
    SubjectSettings settings = SubjectSettings.visibility(HELD).retention(Duration.ofMinutes(3));
    on(this, settings, (queue, caller) -> {
      queue.send("a");
      Receipt receipt = caller.receiveOne().receipt();
      queue.pass(Duration.ofMinutes(2));
      caller.counts(0, 1);
      queue.pass(Duration.ofMinutes(2));
      caller.counts(0, 0);
      EntryResult late = caller.delete(receipt);
      assertEquals(late instanceof EntryResult.Gone ? new EntryResult.Gone() : new EntryResult.Done(receipt), late);
    });
  }
}
