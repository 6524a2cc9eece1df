package io.queueworker.testkit.elasticmq;

import io.queueworker.queue.MessageQueue;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/**
 * A queue on an ElasticMQ server, with what a test does to it: send, count, wait until it is empty.
 *
 * <p>Its calls block on loopback I/O. Thread-safe.
 */
public final class TestQueueHandle implements AutoCloseable {

  private static final String FIFO = ".fifo";
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  private final ElasticMq server;
  private final String name;
  private final String url;
  private final Optional<TestQueueHandle> deadLetters;

  private TestQueueHandle(ElasticMq server, String name, String url, Optional<TestQueueHandle> deadLetters) {
    this.server = server;
    this.name = name;
    this.url = url;
    this.deadLetters = deadLetters;
  }

  /** Makes a queue, and its dead-letter queue when {@code maxReceiveCount} is above zero. */
  static TestQueueHandle create(ElasticMq server, String name, Duration visibility, int maxReceiveCount, boolean fifo) {
    if (maxReceiveCount < 0 || maxReceiveCount > 1000) {
      throw new IllegalArgumentException("maxReceiveCount = " + maxReceiveCount + ": give 1 to 1000, or 0 for none");
    }
    Map<QueueAttributeName, String> attributes = new HashMap<>();
    attributes.put(QueueAttributeName.VISIBILITY_TIMEOUT, Long.toString(visibility.toSeconds()));
    if (fifo) {
      attributes.put(QueueAttributeName.FIFO_QUEUE, "true");
    }
    Optional<TestQueueHandle> dead =
        maxReceiveCount == 0 ? Optional.empty() : Optional.of(create(server, name + "-dead", visibility, 0, fifo));
    dead.ifPresent(
        queue -> attributes.put(
            QueueAttributeName.REDRIVE_POLICY,
            "{\"deadLetterTargetArn\":\"" + queue.arn() + "\",\"maxReceiveCount\":" + maxReceiveCount + "}"));
    String fullName = fifo ? name + FIFO : name;
    String url = server.client().createQueue(queue -> queue.queueName(fullName).attributes(attributes)).queueUrl();
    return new TestQueueHandle(server, fullName, url, dead);
  }

  /** Its name, with {@code .fifo} when it is one. */
  public String name() {
    return name;
  }

  /** Its URL. */
  public String url() {
    return url;
  }

  /** The server's client, for calls of the test's own. */
  public SqsClient client() {
    return server.client();
  }

  /** The queue as a worker reaches it. */
  public MessageQueue connect() {
    return server.connect(url);
  }

  /** Where messages go that were received too often. */
  public TestQueueHandle deadLetters() {
    return deadLetters.orElseThrow(
        () -> new IllegalStateException("queue " + name + " has no dead-letter queue: give it a maxReceiveCount"));
  }

  /** Sends messages, in order. */
  public void send(String... bodies) {
    for (String body : bodies) {
      client().sendMessage(message -> message.queueUrl(url).messageBody(body));
    }
  }

  /** Sends messages of one group, in order; each counts as a message of its own whatever its body. */
  public void sendFifo(String group, String... bodies) {
    for (String body : bodies) {
      client()
          .sendMessage(
              message -> message
                  .queueUrl(url)
                  .messageBody(body)
                  .messageGroupId(group)
                  .messageDeduplicationId(UUID.randomUUID().toString()));
    }
  }

  /** How many messages it has now. */
  public QueueCounts counts() {
    Map<QueueAttributeName, String> values =
        client()
            .getQueueAttributes(
                request -> request
                    .queueUrl(url)
                    .attributeNames(
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED))
            .attributes();
    return new QueueCounts(
        number(values, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES),
        number(values, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE),
        number(values, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED));
  }

  /** Waits until no message is visible, in flight or delayed. */
  public void awaitEmpty(Duration atMost) {
    await("is empty", counts -> counts.total() == 0, atMost);
  }

  /**
   * Waits until the counts are as wanted, looking about twenty times a second.
   *
   * @param what the wanted state in words that follow the queue's name, for the failure
   * @throws AssertionError when they are not within {@code atMost}, or the thread is interrupted; the flag then stays set
   */
  public void await(String what, Predicate<QueueCounts> wanted, Duration atMost) {
    long start = System.nanoTime();
    QueueCounts counts = counts();
    while (!wanted.test(counts)) {
      if (System.nanoTime() - start > atMost.toNanos() || Thread.currentThread().isInterrupted()) {
        throw new AssertionError("not within " + atMost + ": queue " + name + " " + what + "; it has " + counts);
      }
      LockSupport.parkNanos(this, BETWEEN_LOOKS.toNanos());
      counts = counts();
    }
  }

  /** Deletes it and its dead-letter queue. Close workers first: their polls would fail. */
  @Override
  public void close() {
    deadLetters.ifPresent(TestQueueHandle::close);
    try {
      client().deleteQueue(request -> request.queueUrl(url));
    } catch (QueueDoesNotExistException alreadyDeletedByTheTest) {
      // That is what was wanted.
    }
  }

  private String arn() {
    Map<QueueAttributeName, String> values =
        client()
            .getQueueAttributes(request -> request.queueUrl(url).attributeNames(QueueAttributeName.QUEUE_ARN))
            .attributes();
    return Objects.requireNonNull(values.get(QueueAttributeName.QUEUE_ARN), "the server gave no QueueArn");
  }

  private static int number(Map<QueueAttributeName, String> values, QueueAttributeName name) {
    return Integer.parseInt(values.getOrDefault(name, "0"));
  }

  @Override
  public String toString() {
    return "TestQueueHandle[" + name + "]";
  }
}
