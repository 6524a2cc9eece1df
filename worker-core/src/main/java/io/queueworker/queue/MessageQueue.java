package io.queueworker.queue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A queue whose messages are hidden for a visibility timeout when they are received, and come back unless deleted.
 *
 * <p>This is the port: one adapter per service implements it, and nothing above it knows a service's SDK. Every method
 * blocks on I/O and is called from threads that the worker never interrupts. Implementations are thread-safe. An
 * instance serves one worker, which closes it once it was built.
 *
 * <p>The calls that change messages take a batch and answer entry by entry, in the order of the batch. They do not
 * throw for anything that the service or the network did: a call that fails as a whole is the same failure for each of
 * its entries. They do not retry; the worker owns retries. The list holds at most {@link QueueTraits#maxBatch()}
 * entries, for {@link #extend} and {@link #release} one when the service has no {@linkplain QueueTraits#batchExtend()
 * batch extension}, and a receipt stands in it at most once.
 */
public interface MessageQueue extends AutoCloseable {

  /** The queue's name, for logs, meters and as the default scope of idempotency keys. */
  String name();

  /** What this kind of queue can do. Constant, and needs no call to the service. */
  QueueTraits traits();

  /**
   * Reads the queue's settings, and how many messages it has, from the service with one call.
   *
   * @throws QueueException when the queue is missing, the call is denied or the service cannot be reached
   */
  QueueAttributes attributes();

  /**
   * Receives up to {@link ReceiveRequest#max()} messages, waiting for the first one as long as the request allows.
   *
   * @return the messages in the service's order; empty when none came
   * @throws QueueException for every failure
   */
  List<ReceivedMessage> receive(ReceiveRequest request);

  /** Sets the visibility timeout of received messages to the given value, counted from the service's side of the call. */
  List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout);

  /** Makes received messages visible again after the given delay, at once for zero. */
  List<EntryResult> release(List<VisibilityChange> batch, Duration timeout);

  /** Deletes received messages for good. Deleting one that is gone already is {@link EntryResult.Done} or {@link EntryResult.Gone}. */
  List<EntryResult> delete(List<Receipt> batch, Duration timeout);

  /**
   * Sends a message to this queue. Like the batch calls it throws nothing for what the service or the network did, and does
   * not retry: an answer that was lost is {@link SendResult.Retryable}, and a second send then may leave two messages,
   * unless a deduplication id of a FIFO queue recognises it.
   */
  SendResult send(OutgoingMessage message, Duration timeout);

  /**
   * The queue to which this queue's redrive policy moves messages that were received too often; empty when there is none. It
   * shares what this instance uses to reach the service, so it is good until this one is closed, and closing it does nothing.
   *
   * @throws QueueException when the policy cannot be read, as with {@link #attributes()}
   */
  Optional<MessageQueue> deadLetters();

  /** The service's own tasks that move everything off this queue, if it is a dead-letter queue and the service has such tasks. */
  default Optional<MoveTasks> moveTasks() {
    return Optional.empty();
  }

  /** Frees what this instance opened itself; never throws. A client that was passed in stays open. */
  @Override
  void close();
}
