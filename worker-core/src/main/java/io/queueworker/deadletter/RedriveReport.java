package io.queueworker.deadletter;

import java.util.List;

/**
 * How a redrive went. Immutable, so thread-safe.
 *
 * @param end why it ended
 * @param detail what ended it, in words that say what to do; empty when it finished
 * @param redriven sent back and deleted from the dead-letter queue; in a dry run, what would have been
 * @param passedOver what the filter left out
 * @param cameBack what became a dead letter again during this run, and was left there, or the next round would go on for ever
 * @param ofOtherQueues what the service had moved from another queue, or a worker had rejected from one
 * @param notGivenBack what was not taken and stays hidden until its visibility timeout runs out, as giving it back failed
 * @param left what was taken but is still on the dead-letter queue, or maybe there, each with why
 */
public record RedriveReport(
    End end, String detail, int redriven, int passedOver, int cameBack, int ofOtherQueues, int notGivenBack,
    List<Left> left) {

  public RedriveReport {
    left = List.copyOf(left);
  }

  /**
   * Whether everything visible that was asked for went back: it came to its end, nothing is left, and nothing became a dead
   * letter again meanwhile. False when a count ended it, and when the one message was not found.
   */
  public boolean isComplete() {
    return end == End.FINISHED && left.isEmpty() && cameBack == 0;
  }

  /** Why a redrive ended. */
  public enum End {
    /** Nothing more was visible, or the one message was found. Messages that others hold, or that are delayed, were not. */
    FINISHED,
    /** The one message was not visible, or is one of another queue. */
    NOT_FOUND,
    /** The last receives brought only messages that were passed over, left before or late. There may be others among them; go on with another run. */
    NOTHING_NEW,
    /** A send was tried of as many as were asked for. */
    COUNT_REACHED,
    /** By the caller, or by an interrupt. */
    CANCELLED,
    /** A permission or valid credentials are missing. */
    DENIED,
    /** A queue is missing or did not answer for a visibility timeout. */
    FAILED
  }

  /** Why a message is left. */
  public enum Why {
    /** The source queue will never take it as it is. */
    REFUSED,
    /** Its send had no answer, or failed: the source queue may have it. The next redrive sends it again; the gate suppresses a second effect. */
    NOT_ANSWERED,
    /** The source queue has it, but its delete is not confirmed, or its visibility timeout ran out first. The next redrive sends it again; the gate suppresses a second effect. */
    NOT_DELETED,
    /** An earlier message of its group is left, and order is kept. */
    BEHIND,
    /** Its visibility timeout ran out before it was its turn, since extensions failed. Nothing was sent. */
    LATE
  }

  /**
   * One message that is left.
   *
   * @param messageId its id on the dead-letter queue
   * @param why the kind of reason
   * @param reason the service's words, or ours
   */
  public record Left(String messageId, Why why, String reason) {}
}
