package io.queueworker.benchmarks;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * A queue in this process that hands each of its messages out once, as fast as it is asked, and notes the deletes. The messages
 * are made beforehand, so that they cost nothing while it is measured. It has no visibility timeout: nothing comes again.
 * Thread-safe.
 */
final class StubQueue {

  private final Message[] messages;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicIntegerArray deleted;
  private final AtomicInteger left;
  private final CountDownLatch empty = new CountDownLatch(1);
  private final int visibilitySeconds;

  /** A queue of so many messages. */
  StubQueue(int total, int visibilitySeconds) {
    this.visibilitySeconds = visibilitySeconds;
    this.deleted = new AtomicIntegerArray(total);
    this.left = new AtomicInteger(total);
    this.messages = new Message[total];
    Map<String, String> attributes =
        Map.of(
            "ApproximateReceiveCount",
            "1",
            "SentTimestamp",
            Long.toString(Instant.now().toEpochMilli()),
            "ApproximateFirstReceiveTimestamp",
            Long.toString(Instant.now().toEpochMilli()),
            "SenderId",
            "127.0.0.1");
    for (int index = 0; index < total; index++) {
      messages[index] =
          Message.builder()
              .messageId("message-" + index)
              .receiptHandle(Integer.toString(index))
              .body(Body.of(index))
              .attributesWithStrings(attributes)
              .build();
    }
  }

  /** Up to {@code most} messages, none when there are no more. */
  List<Message> take(int most) {
    int from = next.get() >= messages.length ? messages.length : next.getAndAdd(most);
    List<Message> taken = new ArrayList<>(most);
    for (int index = from; index < Math.min(messages.length, from + most); index++) {
      taken.add(messages[index]);
    }
    return taken;
  }

  /** Notes a delete; one of what was deleted before is no error. */
  void delete(String receipt) {
    if (deleted.compareAndSet(Integer.parseInt(receipt), 0, 1) && left.decrementAndGet() == 0) {
      empty.countDown();
    }
  }

  /** Waits until every message is deleted; false when that takes longer. */
  boolean awaitEmpty(int seconds) throws InterruptedException {
    return empty.await(seconds, TimeUnit.SECONDS);
  }

  /** Messages that are not deleted. */
  int left() {
    return left.get();
  }

  /** What a client reads of it. */
  Map<QueueAttributeName, String> attributes() {
    return Map.of(
        QueueAttributeName.VISIBILITY_TIMEOUT,
        Integer.toString(visibilitySeconds),
        QueueAttributeName.QUEUE_ARN,
        "arn:aws:sqs:eu-west-1:000000000000:stub");
  }
}
