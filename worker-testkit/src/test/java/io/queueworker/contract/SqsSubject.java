package io.queueworker.contract;

import io.queueworker.queue.MessageQueue;
import io.queueworker.testkit.QueueCounts;
import io.queueworker.testkit.SqsTestQueue;
import io.queueworker.testkit.contract.QueueSubject;
import io.queueworker.testkit.contract.QueueTest;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/** A queue of an endpoint that speaks SQS, under the contract, through {@code SqsQueue}. Thread-safe, as its queue is. */
final class SqsSubject implements QueueSubject {

  private static final AtomicInteger QUEUES = new AtomicInteger();

  private final SqsTestQueue queue;
  private final Consumer<Duration> clock;

  private SqsSubject(SqsTestQueue queue, Consumer<Duration> clock) {
    this.queue = queue;
    this.clock = clock;
  }

  /** Runs a test on a queue of its own, which is deleted then. */
  static void on(SqsTestQueue queue, QueueTest test) throws Exception {
    on(
        queue,
        time -> {
          throw new UnsupportedOperationException("the time of " + queue + " cannot be moved by " + time);
        },
        test);
  }

  /** Runs a test on a queue whose time {@code clock} puts forward. */
  static void on(SqsTestQueue queue, Consumer<Duration> clock, QueueTest test) throws Exception {
    try (queue) {
      test.on(new SqsSubject(queue, clock));
    }
  }

  /** A name that no other queue has. */
  static String newName() {
    return "contract-" + QUEUES.incrementAndGet();
  }

  @Override
  public MessageQueue connect() {
    return queue.connect();
  }

  @Override
  public MessageQueue connectDeadLetters() {
    return queue.deadLetters().connect();
  }

  @Override
  public String send(String body) {
    return isFifo() ? send(body, UUID.randomUUID().toString()) : send(message(body));
  }

  @Override
  public String send(String body, String group) {
    return isFifo()
        ? sendOnce(body, group, UUID.randomUUID().toString())
        : send(message(body).messageGroupId(group));
  }

  @Override
  public String sendOnce(String body, String group, String deduplicationId) {
    return send(message(body).messageGroupId(group).messageDeduplicationId(deduplicationId));
  }

  @Override
  public QueueCounts counts() {
    return queue.counts();
  }

  @Override
  public void pass(Duration time) {
    clock.accept(time);
  }

  private boolean isFifo() {
    return queue.name().endsWith(".fifo");
  }

  private SendMessageRequest.Builder message(String body) {
    return SendMessageRequest.builder().queueUrl(queue.url()).messageBody(body);
  }

  private String send(SendMessageRequest.Builder message) {
    return queue.client().sendMessage(message.build()).messageId();
  }
}
