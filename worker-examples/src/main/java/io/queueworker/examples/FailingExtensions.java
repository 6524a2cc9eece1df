package io.queueworker.examples;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.QueueAttributes;
import io.queueworker.queue.QueueTraits;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.SendResult;
import io.queueworker.queue.VisibilityChange;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A queue whose extensions never reach the service from some time after the first message on; all else works. Thread-safe.
 */
final class FailingExtensions implements MessageQueue {

  private final MessageQueue queue;
  private final long fromNanos;
  private volatile @Nullable Long receivedAt;

  /** A queue that is as good as {@code queue} until {@code from} after its first message. */
  FailingExtensions(MessageQueue queue, Duration from) {
    this.queue = queue;
    this.fromNanos = from.toNanos();
  }

  @Override
  public List<ReceivedMessage> receive(ReceiveRequest request) {
    List<ReceivedMessage> messages = queue.receive(request);
    if (receivedAt == null && !messages.isEmpty()) {
      receivedAt = System.nanoTime();
    }
    return messages;
  }

  @Override
  public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
    Long since = receivedAt;
    if (since != null && System.nanoTime() - since >= fromNanos) {
      return Collections.nCopies(batch.size(), new EntryResult.Retryable("the service cannot be reached"));
    }
    return queue.extend(batch, timeout);
  }

  @Override
  public List<EntryResult> release(List<VisibilityChange> batch, Duration timeout) {
    return queue.release(batch, timeout);
  }

  @Override
  public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
    return queue.delete(batch, timeout);
  }

  @Override
  public String name() {
    return queue.name();
  }

  @Override
  public QueueTraits traits() {
    return queue.traits();
  }

  @Override
  public QueueAttributes attributes() {
    return queue.attributes();
  }

  @Override
  public SendResult send(OutgoingMessage message, Duration timeout) {
    return queue.send(message, timeout);
  }

  @Override
  public Optional<MessageQueue> deadLetters() {
    return queue.deadLetters();
  }

  @Override
  public void close() {
    queue.close();
  }
}
