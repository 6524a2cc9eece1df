package io.queueworker.deadletter;

import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.MoveTask;
import io.queueworker.queue.MoveTasks;
import io.queueworker.timing.SystemTiming;
import io.queueworker.timing.Timing;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The dead letters of a queue: what is there and why, and the way back.
 *
 * {@snippet :
 * try (SqsQueue orders = SqsQueue.connect(queueUrl)) {
 *   DeadLetters deadLetters = DeadLetters.of(orders);
 *   deadLetters.list(ListRequest.defaults()).letters().forEach(System.out::println);
 *   RedriveReport report = deadLetters.redrive(RedriveRequest.all().perSecond(50));
 * }
 * }
 *
 * <p>A redrive sends a message to the source queue, with its first id as an attribute, and deletes it from the dead-letter queue
 * once the send succeeded. When it dies in between, the message is on both, and the next redrive sends it again: nothing is lost,
 * and the workers' gate keeps the effect one.
 *
 * <p>Its methods run on the calling thread and block on I/O. Thread-safe; it has no state, and leaves the queues open. Two
 * redrives at a time work beside each other, but on FIFO queues only one keeps the order of groups.
 */
public final class DeadLetters {

  private final MessageQueue deadLetterQueue;
  private final MessageQueue source;
  private final Timing timing;

  private DeadLetters(MessageQueue deadLetterQueue, MessageQueue source, Timing timing) {
    this.deadLetterQueue = deadLetterQueue;
    this.source = source;
    this.timing = timing;
  }

  /**
   * The dead letters of {@code source}, on the queue that its redrive policy names.
   *
   * @throws IllegalArgumentException when it has no redrive policy; name both queues then
   * @throws io.queueworker.queue.QueueException when the policy cannot be read
   */
  public static DeadLetters of(MessageQueue source) {
    return of(
        source.deadLetters()
            .orElseThrow(
                () -> new IllegalArgumentException(
                    "queue " + source.name()
                        + " has no redrive policy that names a dead-letter queue: give it one, or use"
                        + " DeadLetters.of(deadLetterQueue, source)")),
        source);
  }

  /**
   * The messages on {@code deadLetterQueue}, which go back to {@code source}.
   *
   * @throws IllegalArgumentException when both are the same queue, or only one is FIFO
   */
  public static DeadLetters of(MessageQueue deadLetterQueue, MessageQueue source) {
    if (deadLetterQueue.name().equals(source.name())) {
      throw new IllegalArgumentException(
          "both queues are named " + source.name() + ": give the dead-letter queue first, then the source");
    }
    if (deadLetterQueue.traits().fifo() != source.traits().fifo()) {
      throw new IllegalArgumentException(
          "one of " + deadLetterQueue.name() + " and " + source.name()
              + " is FIFO and the other is not: a queue and its dead-letter queue are of one kind");
    }
    return new DeadLetters(deadLetterQueue, source, SystemTiming.instance());
  }

  /** The same with another clock, randomness and waiting, for simulations. */
  public DeadLetters timing(Timing replacement) {
    return new DeadLetters(deadLetterQueue, source, replacement);
  }

  /**
   * Lists dead letters. It receives them, which hides them from others for a moment and raises their receive counts by one, and
   * gives them back. Failed receives are tried again while there is time. An interrupt ends it and leaves the flag set.
   *
   * @throws io.queueworker.queue.QueueException when the queue is missing, a permission is, or it cannot be reached for a
   *     visibility timeout
   */
  public DeadLetterList list(ListRequest request) {
    return new Listing(deadLetterQueue, request, timing).run();
  }

  /**
   * Sends dead letters back, until nothing more is visible, it is cancelled, or it fails; the report says which and names what is
   * left. Once the queues were reached it throws only what the request's own functions throw. An interrupt ends it and leaves
   * the flag set.
   */
  public RedriveReport redrive(RedriveRequest request) {
    return new Redrive(deadLetterQueue, source, request, timing).run();
  }

  /**
   * Lets the service move everything back by itself, at up to 500 messages a second and without this process. It gives every
   * message a new id and cannot add attributes (docs/queue-facts.md A6), so it is refused when keys are message ids: the
   * gate would take each message for a new one.
   *
   * @param keys what the workers' keys are made of
   * @param perSecond the most messages a second, 1 to 500; empty leaves it to the service
   * @throws IllegalArgumentException when {@code keys} are message ids, or null
   * @throws UnsupportedOperationException when the service has no such task
   * @throws io.queueworker.queue.QueueException when it cannot be started, such as when one is running
   */
  public MoveTask startMoveTask(KeySource keys, OptionalInt perSecond) {
    if (keys == null) { // The caller's code may not be checked for null.
      throw new IllegalArgumentException(
          "keys = null: give BUSINESS_KEY when the workers' keys are made of something in the message itself");
    }
    if (keys == KeySource.MESSAGE_ID) {
      throw new IllegalArgumentException(
          "a move task gives messages new ids, and the keys are message ids: what had its effect already would have it again."
              + " Use redrive(RedriveRequest.all()), which keeps the first id as an attribute.");
    }
    return tasks().start(source, perSecond);
  }

  /** The service's move tasks from this dead-letter queue, the newest first, with how far they are. */
  public List<MoveTask> moveTasks() {
    return tasks().list();
  }

  /** Stops a running move task; what it moved stays moved. Gives how many that is, about. */
  public long cancelMoveTask(String handle) {
    return tasks().cancel(handle);
  }

  private MoveTasks tasks() {
    Optional<MoveTasks> tasks = deadLetterQueue.moveTasks();
    return tasks.orElseThrow(
        () -> new UnsupportedOperationException(
            "queue " + deadLetterQueue.name() + " has no move tasks: use redrive(RedriveRequest.all())"));
  }
}
