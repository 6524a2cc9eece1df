package io.queueworker.examples.chaos;

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

/**
 * A queue whose messages are deleted as they are received, which is how consumers lose work. Thread-safe.
 *
 * @param queue the queue itself
 */
record DeleteFirstQueue(MessageQueue queue) implements MessageQueue {

  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  @Override
  public List<ReceivedMessage> receive(ReceiveRequest request) {
    List<ReceivedMessage> messages = queue.receive(request);
    if (!messages.isEmpty()) {
      queue.delete(messages.stream().map(ReceivedMessage::receipt).toList(), TIMEOUT);
    }
    return messages;
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
  public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
    // Nothing is left to extend. The service would refuse, and the handler would be told, which is not the point here.
    return batch.stream().map(change -> (EntryResult) new EntryResult.Done(change.receipt())).toList();
  }

  @Override
  public List<EntryResult> release(List<VisibilityChange> batch, Duration timeout) {
    return queue.release(batch, timeout);
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
