package io.queueworker.testkit.contract;

import io.queueworker.queue.MessageQueue;
import io.queueworker.testkit.QueueCounts;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * One queue under test, empty at first: the port to it, and what happens to it beside the port.
 *
 * <p>Called from the thread of {@link QueueUnderTest#withQueue}, and from those that {@link #meanwhile} starts.
 */
public interface QueueSubject {

  /** The port to the queue, as a worker gets it. The contract closes each. */
  MessageQueue connect();

  /** The port to the queue's dead-letter queue; called only when its settings ask for one. */
  MessageQueue connectDeadLetters();

  /** Sends a message, on a FIFO queue in a group of its own, and gives back the id that the service gave it. */
  String send(String body);

  /**
   * Sends a message in a group. On a FIFO queue it is a message also when another has the same body.
   */
  String send(String body, String group);

  /**
   * Sends a message in a group with a deduplication id, and gives back the id that the service answered. Only {@link
   * FifoQueueContract} calls it.
   */
  default String sendOnce(String body, String group, String deduplicationId) {
    throw new UnsupportedOperationException(
        "no deduplication id " + deduplicationId + " for the group " + group + ": the subject sends none");
  }

  /** How many messages are hidden by a receive, and how many are not, also those that their group blocks. */
  QueueCounts counts();

  /**
   * Waits until at least so many messages are visible. Looks by the real clock, a hundred times a second; a subject in
   * virtual time moves that instead.
   *
   * @throws AssertionError when they are not within a minute
   */
  default void awaitVisible(int messages) {
    long start = System.nanoTime();
    while (counts().visible() < messages) {
      if (System.nanoTime() - start > Duration.ofMinutes(1).toNanos() || Thread.currentThread().isInterrupted()) {
        throw new AssertionError(
            "not within a minute: " + messages + " visible messages; the queue has " + counts());
      }
      LockSupport.parkNanos(this, Duration.ofMillis(10).toNanos());
    }
  }

  /** Lets another thread do something while the test goes on: a daemon thread, unless the subject has threads of its own. */
  default void meanwhile(Runnable work) {
    Thread.ofPlatform().daemon().name("queue-contract").start(work);
  }

  /**
   * Lets time pass for the service and the caller, if it can be moved at will. Only {@link LongHoldContract} calls it.
   */
  default void pass(Duration time) {
    throw new UnsupportedOperationException("the time of " + this + " cannot be moved by " + time);
  }
}
