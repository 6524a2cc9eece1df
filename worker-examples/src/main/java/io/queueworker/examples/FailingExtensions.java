package io.queueworker.examples;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.VisibilityChange;
import io.queueworker.testkit.PassingQueue;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue whose extensions never reach the service from some time after the first message on; all else works. Thread-safe.
 */
final class FailingExtensions extends PassingQueue {

  private final long fromNanos;
  private volatile @Nullable Long receivedAt;

  /** A queue that is as good as {@code queue} until {@code from} after its first message. */
  FailingExtensions(MessageQueue queue, Duration from) {
    super(queue);
    this.fromNanos = from.toNanos();
  }

  @Override
  public List<ReceivedMessage> receive(ReceiveRequest request) {
    List<ReceivedMessage> messages = super.receive(request);
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
    return super.extend(batch, timeout);
  }
}
