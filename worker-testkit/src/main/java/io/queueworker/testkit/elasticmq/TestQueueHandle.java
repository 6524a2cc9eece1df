package io.queueworker.testkit.elasticmq;

import io.queueworker.queue.MessageQueue;
import io.queueworker.testkit.SqsTestQueue;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/**
 * A queue on an ElasticMQ server, with what a test does to it: send, count, wait until it is empty.
 *
 * <p>Its calls block on loopback I/O. Thread-safe.
 */
public final class TestQueueHandle implements SqsTestQueue {

  private static final String FIFO = ".fifo";

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

  @Override
  public String name() {
    return name;
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public SqsClient client() {
    return server.client();
  }

  @Override
  public MessageQueue connect() {
    return server.connect(url);
  }

  @Override
  public TestQueueHandle deadLetters() {
    return deadLetters.orElseThrow(
        () -> new IllegalStateException("queue " + name + " has no dead-letter queue: give it a maxReceiveCount"));
  }

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

  @Override
  public String toString() {
    return "TestQueueHandle[" + name + "]";
  }
}
