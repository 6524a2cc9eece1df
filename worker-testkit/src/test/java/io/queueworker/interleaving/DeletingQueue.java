package io.queueworker.interleaving;

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
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A queue that takes every delete at once and remembers it. Thread-safe. */
final class DeletingQueue implements MessageQueue {

  private final Queue<String> deleted = new ConcurrentLinkedQueue<>();

  /** The receipts of the deletes, in the order in which they came. */
  List<String> deleted() {
    return List.copyOf(deleted);
  }

  @Override
  public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
    batch.forEach(receipt -> deleted.add(receipt.value()));
    return batch.stream().<EntryResult>map(EntryResult.Done::new).toList();
  }

  @Override
  public String name() {
    return "orders";
  }

  @Override
  public QueueTraits traits() {
    return new QueueTraits(
        10, Duration.ofSeconds(20), Duration.ZERO, Duration.ofHours(12), Optional.empty(), true, false, true, false,
        false);
  }

  @Override
  public QueueAttributes attributes() {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<ReceivedMessage> receive(ReceiveRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<EntryResult> release(List<VisibilityChange> batch, Duration timeout) {
    throw new UnsupportedOperationException();
  }

  @Override
  public SendResult send(OutgoingMessage message, Duration timeout) {
    throw new UnsupportedOperationException("nobody sends");
  }

  @Override
  public Optional<MessageQueue> deadLetters() {
    return Optional.empty();
  }

  @Override
  public void close() {
    // Nothing was opened.
  }
}
