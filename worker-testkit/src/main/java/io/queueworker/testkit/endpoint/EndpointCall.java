package io.queueworker.testkit.endpoint;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One call to the endpoint: as it arrived, or as far as it has come. It knows no bodies, receipt handles or credentials.
 * Immutable.
 *
 * @param number its place among all calls, from 1 on, in the order of arrival
 * @param operation what it asks for
 * @param batch whether it came in the batch form
 * @param queue the queue's name; empty when the call is about none
 * @param arrivedAt when it arrived, since the endpoint's start
 * @param asked how many messages a receive asks for, or how many entries a call has
 * @param longPoll how long a receive is ready to wait; zero for other calls
 * @param entries the messages of the call: those that a receive brought, or those that it is about
 * @param outcome how it ended for the client
 * @param errorCode the code of the error that it was answered with; empty unless it was refused
 */
public record EndpointCall(
    int number,
    Operation operation,
    boolean batch,
    String queue,
    Duration arrivedAt,
    int asked,
    Duration longPoll,
    List<Entry> entries,
    Outcome outcome,
    String errorCode) {

  /** How a call ended for the client. */
  public enum Outcome {
    /** It waits, or is delayed. */
    UNDER_WAY,
    /** With an answer, in which single entries may have failed. */
    ANSWERED,
    /** With an error. */
    REFUSED,
    /** Without a whole answer: a fault of the script. */
    UNANSWERED
  }

  /**
   * One message of a call.
   *
   * @param messageId the message; empty when the receipt was never given out, and for a send that failed
   * @param receive the number of the receive that the receipt is from; for a receive, the one that this is; else 0
   * @param heldOnArrival whether, when the call arrived, the message was still hidden by that very receive
   * @param inTimeOnArrival the same, or it would have been so had the message not been deleted or ended by its retention before
   * @param heldAtEffect the same when the call took effect; false before, and when it never does
   * @param visibility the visibility timeout asked for; empty unless the call changes it
   * @param result {@code done}, {@code without effect} or the code of the error; empty as long as there is none
   */
  public record Entry(
      String messageId,
      int receive,
      boolean heldOnArrival,
      boolean inTimeOnArrival,
      boolean heldAtEffect,
      Optional<Duration> visibility,
      String result) {

    /** It was done. */
    public static final String DONE = "done";

    /** It was answered as if it was done, and nothing changed. */
    public static final String WITHOUT_EFFECT = "without effect";

    Entry ended(boolean held, String answer) {
      return new Entry(messageId, receive, heldOnArrival, inTimeOnArrival, held, visibility, answer);
    }
  }

  /** Copies the entries. */
  public EndpointCall {
    entries = List.copyOf(entries);
  }

  /** The ids of its messages, in order. */
  public List<String> messageIds() {
    return entries.stream().map(Entry::messageId).toList();
  }

  /**
   * Whether it changes the visibility of a message that its receipt did not hold when it arrived, and would not have held had
   * a delete or the retention not ended the message before.
   */
  public boolean isTrespass() {
    return operation == Operation.CHANGE_VISIBILITY && entries.stream().anyMatch(entry -> !entry.inTimeOnArrival());
  }

  EndpointCall with(List<Entry> known) {
    return new EndpointCall(
        number, operation, batch, queue, arrivedAt, asked, longPoll, known, outcome, errorCode);
  }

  EndpointCall ended(Outcome end, String code) {
    return new EndpointCall(number, operation, batch, queue, arrivedAt, asked, longPoll, entries, end, code);
  }
}
