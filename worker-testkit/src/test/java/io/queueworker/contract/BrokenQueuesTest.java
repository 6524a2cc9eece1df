package io.queueworker.contract;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageCounts;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueAttributes;
import io.queueworker.queue.QueueTraits;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.VisibilityChange;
import io.queueworker.testkit.PassingQueue;
import io.queueworker.testkit.contract.FifoQueueContract;
import io.queueworker.testkit.contract.MessageQueueContract;
import io.queueworker.testkit.contract.QueueDifference;
import io.queueworker.testkit.contract.QueueTest;
import io.queueworker.testkit.contract.SqsQueueContract;
import io.queueworker.testkit.contract.SubjectSettings;
import io.queueworker.testkit.simulation.SimulatedQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The contract finds the queues that break it. */
class BrokenQueuesTest {

  @Test
  void a_queue_that_answers_entries_in_another_order_fails() {
    Subject reversed = new Subject(sound -> new PassingQueue(sound) {
      @Override
      public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
        return turned(super.extend(batch, timeout));
      }

      @Override
      public List<EntryResult> release(List<VisibilityChange> batch, Duration timeout) {
        return turned(super.release(batch, timeout));
      }

      @Override
      public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
        return turned(super.delete(batch, timeout));
      }
    });
    fails(reversed::extensions_are_answered_in_the_order_of_the_batch_and_a_bad_entry_fails_alone);
    fails(reversed::releases_are_answered_in_the_order_of_the_batch_and_a_bad_entry_fails_alone);
    fails(reversed::deletes_are_answered_in_the_order_of_the_batch_and_a_bad_entry_fails_alone);
  }

  @Test
  void a_queue_that_drops_releases_fails() {
    Subject dropping = new Subject(sound -> new PassingQueue(sound) {
      @Override
      public List<EntryResult> release(List<VisibilityChange> batch, Duration timeout) {
        return allDone(batch.stream().map(VisibilityChange::receipt).toList());
      }
    });
    fails(dropping::a_released_message_comes_back);
    fails(dropping::a_message_released_with_a_delay_stays_hidden_until_then);
    fails(dropping::a_receipt_that_was_never_given_out_is_lost);
  }

  @Test
  void a_queue_that_drops_extensions_fails() {
    Subject dropping = new Subject(sound -> new PassingQueue(sound) {
      @Override
      public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
        return allDone(batch.stream().map(VisibilityChange::receipt).toList());
      }
    });
    fails(dropping::an_extended_message_stays_hidden_beyond_its_first_timeout);
    fails(dropping::an_extension_counts_from_the_call_and_does_not_add);
    fails(dropping::an_extension_of_a_deleted_message_says_that_it_is_gone);
  }

  @Test
  void a_queue_that_adds_extensions_to_what_is_left_fails() {
    Subject adding = new Subject(sound -> new PassingQueue(sound) {
      @Override
      public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
        return super.extend(
            batch.stream().map(change -> new VisibilityChange(change.receipt(), change.visibility().plusMinutes(5)))
                .toList(),
            timeout);
      }
    });
    fails(adding::an_extension_counts_from_the_call_and_does_not_add);
  }

  @Test
  void a_queue_that_drops_deletes_fails() {
    Subject dropping = new Subject(sound -> new PassingQueue(sound) {
      @Override
      public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
        return allDone(batch);
      }
    });
    fails(dropping::a_delete_is_final);
    fails(dropping::a_delete_after_the_timeout_deletes_or_is_refused_as_the_traits_say);
  }

  @Test
  void a_queue_that_throws_for_a_refused_entry_or_gives_up_its_whole_batch_fails() {
    Subject throwing = new Subject(sound -> new PassingQueue(sound) {
      @Override
      public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
        List<EntryResult> answers = super.delete(batch, timeout);
        if (answers.stream().anyMatch(EntryResult.Lost.class::isInstance)) {
          throw new IllegalStateException("a receipt was refused");
        }
        return answers;
      }

      @Override
      public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
        List<EntryResult> answers = super.extend(batch, timeout);
        Optional<EntryResult> lost = answers.stream().filter(EntryResult.Lost.class::isInstance).findFirst();
        return lost.map(result -> Collections.nCopies(batch.size(), result)).orElse(answers);
      }
    });
    fails(throwing::a_receipt_that_was_never_given_out_is_lost);
    fails(throwing::a_malformed_receipt_fails_alone);
    fails(throwing::extensions_are_answered_in_the_order_of_the_batch_and_a_bad_entry_fails_alone);
  }

  @Test
  void a_queue_that_gives_out_an_earlier_receipt_again_fails() {
    Map<String, Receipt> first = new HashMap<>();
    Subject repeating = new Subject(sound -> new PassingQueue(sound) {
      @Override
      public List<ReceivedMessage> receive(ReceiveRequest request) {
        return super.receive(request).stream()
            .map(m -> new ReceivedMessage(
                m.id(), first.computeIfAbsent(m.id(), any -> m.receipt()), m.body(), m.attributes(), m.receiveCount(),
                m.sentAt(), m.group(), m.system()))
            .toList();
      }
    });
    fails(repeating::each_receive_has_another_receipt_and_a_higher_count);
  }

  @Test
  void a_queue_that_does_not_wait_or_takes_any_request_fails() {
    Subject hasty = new Subject(sound -> new PassingQueue(sound) {
      @Override
      public List<ReceivedMessage> receive(ReceiveRequest request) {
        return super.receive(
            new ReceiveRequest(Math.clamp(request.max(), 1, 10), Duration.ZERO, request.visibility()));
      }
    });
    fails(hasty::a_long_poll_brings_a_message_whose_time_runs_out_meanwhile);
    fails(hasty::a_receive_outside_the_limits_is_refused);
  }

  @Test
  void a_queue_that_counts_hidden_messages_as_visible_fails() {
    Subject miscounting = new Subject(sound -> new PassingQueue(sound) {
      @Override
      public QueueAttributes attributes() {
        QueueAttributes real = super.attributes();
        return new QueueAttributes(
            real.visibility(), real.maxReceiveCount(), real.deadLetterQueue(),
            real.counts().map(counts -> new MessageCounts(counts.total(), 0, 0)));
      }
    });
    fails(miscounting::a_queue_that_counts_its_messages_tells_visible_ones_from_hidden_ones);
  }

  @Test
  void a_queue_whose_traits_promise_too_much_fails() {
    Subject boasting = new Subject(sound -> new PassingQueue(sound) {
      @Override
      public QueueTraits traits() {
        QueueTraits real = super.traits();
        return new QueueTraits(
            real.maxBatch() + 1, real.maxWait(), real.smallestDelay(), real.largestVisibility(), real.totalCap(),
            real.receiveVisibility(), true, real.batchExtend(), true, real.fifo());
      }
    });
    fails(boasting::a_delete_takes_no_entry_to_as_many_as_the_traits_say);
    fails(boasting::an_extension_gives_the_receipt_to_use_from_now_on);
    fails(boasting::an_extension_after_the_timeout_does_not_hide_the_message_again);
    fails(boasting::a_delete_after_the_timeout_deletes_or_is_refused_as_the_traits_say);
  }

  @Test
  void a_queue_that_does_not_lock_groups_fails() {
    Unlocked unlocked = new Unlocked();
    fails(unlocked::a_group_in_flight_blocks_its_followers_and_no_other_group);
    fails(unlocked::a_group_stays_blocked_after_a_partial_delete);
    fails(unlocked::an_extended_first_message_blocks_the_whole_group);
    fails(unlocked::an_extended_second_message_lets_only_the_first_come);
    fails(unlocked::released_followers_stay_behind_a_delayed_head);
  }

  @Test
  void an_emulator_that_learned_better_than_its_known_differences_fails() {
    Emulator standard = new Emulator(SimulatedQueue::standard);
    fails(standard::a_delete_with_an_earlier_receives_receipt_is_done_or_refused_as_the_traits_say);
    fails(standard::a_second_delete_is_no_failure);
    fails(standard::a_release_with_an_earlier_receives_receipt_acts_on_the_new_holders_message);
    fails(standard::an_extension_of_a_deleted_message_says_that_it_is_gone);
    fails(standard::an_extension_after_the_timeout_does_not_hide_the_message_again);
    fails(standard::an_extension_beyond_twelve_hours_from_the_receive_is_lost);
    fails(standard::a_malformed_receipt_fails_alone);
    Emulator fifo = new Emulator((timing, name) -> SimulatedQueue.fifo(timing, name + ".fifo"));
    fails(fifo::a_delete_after_the_timeout_deletes_or_is_refused_as_the_traits_say);
  }

  @Test
  void the_same_queue_unbroken_passes() {
    Subject sound = new Subject(PassingQueue::new);
    for (ThrowingCallable test : List.<ThrowingCallable>of(
        sound::extensions_are_answered_in_the_order_of_the_batch_and_a_bad_entry_fails_alone,
        sound::releases_are_answered_in_the_order_of_the_batch_and_a_bad_entry_fails_alone,
        sound::deletes_are_answered_in_the_order_of_the_batch_and_a_bad_entry_fails_alone,
        sound::a_released_message_comes_back,
        sound::a_message_released_with_a_delay_stays_hidden_until_then,
        sound::a_receipt_that_was_never_given_out_is_lost,
        sound::an_extended_message_stays_hidden_beyond_its_first_timeout,
        sound::an_extension_counts_from_the_call_and_does_not_add,
        sound::an_extension_of_a_deleted_message_says_that_it_is_gone,
        sound::a_delete_is_final,
        sound::a_delete_after_the_timeout_deletes_or_is_refused_as_the_traits_say,
        sound::a_malformed_receipt_fails_alone,
        sound::each_receive_has_another_receipt_and_a_higher_count,
        sound::a_long_poll_brings_a_message_whose_time_runs_out_meanwhile,
        sound::a_receive_outside_the_limits_is_refused,
        sound::a_delete_takes_no_entry_to_as_many_as_the_traits_say,
        sound::an_extension_gives_the_receipt_to_use_from_now_on,
        sound::an_extension_after_the_timeout_does_not_hide_the_message_again)) {
      assertThatCode(test).doesNotThrowAnyException();
    }
  }

  private static void fails(ThrowingCallable contract) {
    assertThatThrownBy(contract).isInstanceOf(AssertionError.class);
  }

  private static List<EntryResult> allDone(List<Receipt> receipts) {
    return receipts.stream().map(receipt -> (EntryResult) new EntryResult.Done(receipt)).toList();
  }

  private static List<EntryResult> turned(List<EntryResult> answers) {
    List<EntryResult> turned = new ArrayList<>(answers);
    Collections.reverse(turned);
    return turned;
  }

  /**
   * A simulated standard queue, reached through something broken.
   *
   * @param through what makes a sound queue a broken one
   */
  private record Subject(UnaryOperator<MessageQueue> through) implements MessageQueueContract {

    @Override
    public void withQueue(SubjectSettings settings, QueueTest test) {
      SimulatedSubject.on(SimulatedQueue::standard, through, settings, test);
    }
  }

  /** A standard queue that says that it is a FIFO queue. */
  private static final class Unlocked implements FifoQueueContract {

    @Override
    public void withQueue(SubjectSettings settings, QueueTest test) {
      SimulatedSubject.on(SimulatedQueue::standard, Unlocked::fifo, settings, test);
    }

    private static MessageQueue fifo(MessageQueue standard) {
      return new PassingQueue(standard) {
        @Override
        public QueueTraits traits() {
          QueueTraits real = super.traits();
          return new QueueTraits(
              real.maxBatch(), real.maxWait(), real.smallestDelay(), real.largestVisibility(), real.totalCap(),
              real.receiveVisibility(), real.receiptChangesOnExtend(), real.batchExtend(), real.reportsLeaseLoss(),
              true);
        }
      };
    }
  }

  /**
   * A queue that does as SQS does, and is said to differ in every known way.
   *
   * @param kind which queue
   */
  private record Emulator(SimulatedSubject.Kind kind) implements MessageQueueContract, SqsQueueContract {

    @Override
    public void withQueue(SubjectSettings settings, QueueTest test) {
      SimulatedSubject.on(kind, settings, test);
    }

    @Override
    public Set<QueueDifference> differences() {
      return EnumSet.allOf(QueueDifference.class);
    }
  }
}
