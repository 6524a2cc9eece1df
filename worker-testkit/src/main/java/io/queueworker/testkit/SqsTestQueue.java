package io.queueworker.testkit;

import io.queueworker.queue.MessageQueue;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * A queue on an endpoint that speaks SQS, with what a test does to it: send, count, wait until it is empty.
 *
 * <p>Its calls block on loopback I/O. Implementations are thread-safe.
 */
public interface SqsTestQueue extends AutoCloseable {

  /** Its name, with {@code .fifo} when it is one. */
  String name();

  /** Its URL. */
  String url();

  /** The server's client, for calls of the test's own. */
  SqsClient client();

  /** The queue as a worker reaches it. */
  MessageQueue connect();

  /**
   * Where messages go that were received too often.
   *
   * @throws IllegalStateException when the queue was made without a dead-letter queue
   */
  SqsTestQueue deadLetters();

  /** Sends messages, in order. */
  default void send(String... bodies) {
    for (String body : bodies) {
      client().sendMessage(message -> message.queueUrl(url()).messageBody(body));
    }
  }

  /** Sends messages of one group, in order; each counts as a message of its own whatever its body. */
  default void sendFifo(String group, String... bodies) {
    for (String body : bodies) {
      client()
          .sendMessage(
              message -> message
                  .queueUrl(url())
                  .messageBody(body)
                  .messageGroupId(group)
                  .messageDeduplicationId(UUID.randomUUID().toString()));
    }
  }

  /** How many messages it has now. */
  default QueueCounts counts() {
    Map<QueueAttributeName, String> values =
        client()
            .getQueueAttributes(
                request -> request
                    .queueUrl(url())
                    .attributeNames(
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED))
            .attributes();
    return new QueueCounts(
        Integer.parseInt(values.getOrDefault(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "0")),
        Integer.parseInt(values.getOrDefault(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE, "0")),
        Integer.parseInt(values.getOrDefault(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED, "0")));
  }

  /** Waits until no message is visible, in flight or delayed. */
  default void awaitEmpty(Duration atMost) {
    await("is empty", counts -> counts.total() == 0, atMost);
  }

  /**
   * Waits until the counts are as wanted, looking about twenty times a second.
   *
   * @param what the wanted state in words that follow the queue's name, for the failure
   * @throws AssertionError when they are not within {@code atMost}, or the thread is interrupted; the flag then stays set
   */
  default void await(String what, Predicate<QueueCounts> wanted, Duration atMost) {
    Duration betweenLooks = Duration.ofMillis(50);
    long start = System.nanoTime();
    QueueCounts counts = counts();
    while (!wanted.test(counts)) {
      if (System.nanoTime() - start > atMost.toNanos() || Thread.currentThread().isInterrupted()) {
        throw new AssertionError("not within " + atMost + ": queue " + name() + " " + what + "; it has " + counts);
      }
      LockSupport.parkNanos(this, betweenLooks.toNanos());
      counts = counts();
    }
  }

  /** Deletes it and its dead-letter queue. Close workers first: their polls would fail. */
  @Override
  void close();
}
