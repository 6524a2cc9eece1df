package io.queueworker.benchmarks;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * A queue in this process that hands each of its messages out once, as fast as it is asked, and notes the deletes. It has no visibility timeout: nothing comes again.
 * Thread-safe.
 */
final class StubQueue {

  private final List<Message> made;
  private final int total;
  private final Map<String, String> messageAttributes;
  private final Optional<Beats> beats;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicIntegerArray deleted;
  private final AtomicInteger left;
  private final CountDownLatch empty = new CountDownLatch(1);
  private final int visibilitySeconds;

  private StubQueue(int total, int visibilitySeconds, boolean beforehand) {
    this.total = total;
    this.visibilitySeconds = visibilitySeconds;
    this.deleted = new AtomicIntegerArray(total);
    this.left = new AtomicInteger(total);
    String now = Long.toString(Instant.now().toEpochMilli());
    this.messageAttributes =
        Map.of(
            "ApproximateReceiveCount",
            "1",
            "SentTimestamp",
            now,
            "ApproximateFirstReceiveTimestamp",
            now,
            "SenderId",
            "127.0.0.1");
    this.made = beforehand ? IntStream.range(0, total).mapToObj(this::message).toList() : List.of();
    this.beats = beforehand ? Optional.empty() : Optional.of(new Beats(total, visibilitySeconds));
  }

  /** A queue of so many messages, made beforehand. */
  static StubQueue full(int total, int visibilitySeconds) {
    return new StubQueue(total, visibilitySeconds, true);
  }

  /** A queue that makes each message when it is received, so that it is not what holds it, and that notes the beats. */
  static StubQueue watched(int total, int visibilitySeconds) {
    return new StubQueue(total, visibilitySeconds, false);
  }

  /** Makes a message. */
  Message message(int index) {
    return Message.builder()
        .messageId(new UUID(0, index).toString())
        .receiptHandle(Integer.toString(index))
        .body(Body.of(index))
        .attributesWithStrings(messageAttributes)
        .build();
  }

  /** Up to {@code most} messages, none when there are no more. */
  List<Message> take(int most) {
    int from = next.get() >= total ? total : next.getAndAdd(most);
    List<Message> taken = new ArrayList<>(most);
    for (int index = from; index < Math.min(total, from + most); index++) {
      taken.add(made.isEmpty() ? message(index) : made.get(index));
      if (beats.isPresent()) {
        beats.get().received(index);
      }
    }
    return taken;
  }

  /** Notes a delete; one of what was deleted before is no error. */
  void delete(String receipt) {
    beats.ifPresent(watch -> watch.ended(Integer.parseInt(receipt)));
    if (deleted.compareAndSet(Integer.parseInt(receipt), 0, 1) && left.decrementAndGet() == 0) {
      empty.countDown();
    }
  }

  /** Waits until every message is deleted; false when that takes longer. */
  boolean awaitEmpty(int seconds) throws InterruptedException {
    return empty.await(seconds, TimeUnit.SECONDS);
  }

  /** Notes an extension. */
  void extend(String receipt) {
    beats.ifPresent(watch -> watch.extended(Integer.parseInt(receipt)));
  }

  /** What is known of the beats, if it was asked to note them. */
  Optional<Beats> beats() {
    return beats;
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
