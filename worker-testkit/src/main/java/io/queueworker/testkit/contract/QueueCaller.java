package io.queueworker.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueTraits;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.VisibilityChange;
import io.queueworker.testkit.QueueCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of one consumer to a queue under test, as a worker makes them.
 *
 * <p>Not thread-safe: belongs to its test.
 */
final class QueueCaller {

  /** A visibility timeout that no test outlasts. */
  static final Duration HELD = Duration.ofMinutes(5);

  /** The shortest visibility timeout that every service knows. */
  static final Duration SHORT = Duration.ofSeconds(1);

  /** The time of a call, far above what it takes. */
  static final Duration CALL = Duration.ofSeconds(20);

  private static final int EMPTY_POLLS = 4;

  private final QueueSubject subject;
  final MessageQueue queue;
  final QueueTraits traits;

  QueueCaller(QueueSubject subject, MessageQueue queue) {
    this.subject = subject;
    this.queue = queue;
    this.traits = queue.traits();
  }

  /** A test that makes calls as a consumer. */
  interface CallerTest {
    void on(QueueSubject queue, QueueCaller caller) throws Exception;
  }

  /** A test with the slice of one group that a consumer received. */
  interface SliceTest {
    void on(QueueSubject queue, QueueCaller caller, List<ReceivedMessage> slice) throws Exception;
  }

  /** Runs a test with one consumer on a queue whose messages stay hidden for as long as the test may last. */
  static void onHeldQueue(QueueUnderTest contract, CallerTest test) throws Exception {
    on(contract, SubjectSettings.visibility(HELD), test);
  }

  /** Runs a test with one consumer. */
  static void on(QueueUnderTest contract, SubjectSettings settings, CallerTest test) throws Exception {
    contract.withQueue(
        settings,
        subject -> {
          try (MessageQueue queue = subject.connect()) {
            test.on(subject, new QueueCaller(subject, queue));
          }
        });
  }

  /** What one long poll brings. */
  List<ReceivedMessage> poll(int most) {
    return queue.receive(new ReceiveRequest(most, longPoll(), null));
  }

  /** What a receive brings that does not wait. */
  List<ReceivedMessage> look(int most) {
    return queue.receive(new ReceiveRequest(most, Duration.ZERO, null));
  }

  /** So many messages, in the order of coming, over as many long polls as it takes. */
  List<ReceivedMessage> receive(int messages) {
    List<ReceivedMessage> received = new ArrayList<>();
    for (int empty = 0; received.size() < messages && empty < EMPTY_POLLS;) {
      List<ReceivedMessage> more = poll(Math.min(messages - received.size(), traits.maxBatch()));
      received.addAll(more);
      empty += more.isEmpty() ? 1 : 0;
    }
    assertEquals(messages, received.size(), () -> "messages received over several long polls: " + received);
    return received;
  }

  /** The one message that a long poll brings. */
  ReceivedMessage receiveOne() {
    return receive(1).get(0);
  }

  EntryResult extend(Receipt receipt, Duration visibility) {
    return only(queue.extend(List.of(new VisibilityChange(receipt, visibility)), CALL));
  }

  EntryResult release(Receipt receipt, Duration delay) {
    return only(queue.release(List.of(new VisibilityChange(receipt, delay)), CALL));
  }

  EntryResult delete(Receipt receipt) {
    return only(queue.delete(List.of(receipt), CALL));
  }

  /** The receipt to go on with after a visibility call that must work. */
  Receipt extended(Receipt receipt, Duration visibility) {
    return done(extend(receipt, visibility), "the extension to " + visibility);
  }

  /** Lets the time of a receive run out, and gives back its last receipt. */
  Receipt lapse(Receipt receipt) {
    int before = subject.counts().visible();
    Receipt last = extended(receipt, SHORT);
    subject.awaitVisible(before + 1);
    return last;
  }

  /** The receipt that an entry brought which must have worked. */
  static Receipt done(EntryResult result, String what) {
    return assertInstanceOf(EntryResult.Done.class, result, what).receipt();
  }

  /** Asserts that the service will have nothing more to do with the receipt. */
  static void refused(EntryResult result, String what) {
    assertTrue(
        result instanceof EntryResult.Lost || result instanceof EntryResult.Gone,
        () -> what + " must be refused, but was answered with " + result);
  }

  /** Asserts how many messages are visible and in flight. */
  void counts(int visible, int inFlight) {
    QueueCounts counts = subject.counts();
    assertEquals(
        visible + " visible, " + inFlight + " in flight",
        counts.visible() + " visible, " + counts.inFlight() + " in flight");
  }

  static Receipt neverIssued() {
    return new Receipt("never-issued");
  }

  private Duration longPoll() {
    Duration longest = Duration.ofSeconds(20);
    return traits.maxWait().compareTo(longest) < 0 ? traits.maxWait() : longest;
  }

  private static EntryResult only(List<EntryResult> results) {
    assertEquals(1, results.size(), "answers to a call with one entry");
    return results.get(0);
  }
}
