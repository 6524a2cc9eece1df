package io.queueworker;

/**
 * Why a message came again although its work was done, or why a second message asked for the same work.
 *
 * <p>Each has words for a sentence and says what to change; docs/duplicates.md lists them with an example.
 */
public enum DuplicateCause {
  /** The work took longer than the visibility timeout, and nothing extended it. */
  TIMEOUT_TOO_SHORT(
      "the visibility timeout ran out during the work, and no heartbeat extended it",
      "Turn the heartbeat on, or set the visibility timeout that sizing() advises."),
  /** Extensions failed or were not answered until the visibility timeout had run out. */
  BEATS_FAILED(
      "the visibility timeout ran out during the work, since no extension succeeded in time",
      "Look for failed extensions in the log of that worker, and at the network between it and the queue."),
  /** The worker is not allowed to extend. */
  BEATS_DENIED(
      "the visibility timeout ran out during the work, since the worker may not extend it",
      "Allow sqs:ChangeMessageVisibility to the role of that worker."),
  /** The process or its machine stood still while the visibility timeout ran out. */
  PROCESS_FROZEN(
      "the process stood still while the visibility timeout ran out",
      "Look for long collections, a suspended or overloaded machine and a container without CPU time; a longer visibility"
          + " timeout outlasts a longer standstill."),
  /** The worker stopped to extend by a rule: {@code maxProcessingTime}, {@code stallTimeout}, {@code keepAliveWhile}, {@code maxHold}. */
  GIVEN_UP(
      "the worker had given the message up by a rule, and the handler finished all the same",
      "Raise the limit if such work is legitimate, or have the handler end when it is told to."),
  /** The worker closed and no longer extended, and the handler finished all the same. */
  WORKER_CLOSED(
      "the worker closed before the handler ended, and the handler finished all the same",
      "Raise drainTimeout, and the time that the platform gives the process to end."),
  /** The worker ended, or stood still, between the commit and the delete. */
  PROCESS_DIED(
      "the worker died or stood still between the commit and the delete",
      "Look for kills, crashes and lack of memory at that time; let the process end by a drain."),
  /** The work was done and the message was not deleted. */
  DELETE_FAILED(
      "the message was done and its delete failed",
      "Look for failed deletes in the log of that worker, at sqs:DeleteMessage and at the network."),
  /** The commit was not answered, so the worker had to ask again. */
  COMMIT_UNANSWERED(
      "the commit was not answered although it had happened",
      "Check the database and the network if this repeats; the gate has kept the effect single."),
  /** Another message asks for the same work. */
  PRODUCER_DUPLICATE(
      "another message asked for the same work",
      "Let the producer send each key once, or with a deduplication id on a FIFO queue. A redrive by the service gives a"
          + " message a new id, too."),
  /** It went through the dead-letter queue and came back. */
  REDRIVEN(
      "the message was sent back from the dead-letter queue although it was done",
      "Nothing to change here; find out why it went to the dead-letter queue after it was done, such as by failed deletes."),
  /** The service delivered it once too often, as standard queues may. */
  SERVICE_DUPLICATE(
      "the service delivered it again, which it may",
      "Nothing to change: delivery is at least once, and the gate is there for it."),
  /** What is known does not tell. */
  UNKNOWN(
      "what is known does not tell why it came again",
      "Keep the log of the worker that did the work, and use a gate that keeps a record, such as JdbcGate.");

  private final String words;
  private final String advice;

  DuplicateCause(String words, String advice) {
    this.words = words;
    this.advice = advice;
  }

  /** The cause as part of a sentence. */
  public String words() {
    return words;
  }

  /** What to change so that it does not happen again, in one or two sentences. */
  public String advice() {
    return advice;
  }
}
