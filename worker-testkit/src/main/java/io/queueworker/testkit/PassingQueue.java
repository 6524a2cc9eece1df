package io.queueworker.testkit;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.MoveTasks;
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
 * A queue that passes each call on to another. A test, or a program that shows a fault, extends it and overrides the call that
 * is to go wrong. As thread-safe as the other.
 */
public class PassingQueue implements MessageQueue {

  private final MessageQueue queue;

  /** Passes calls on to {@code queue}, which it closes when it is closed. */
  public PassingQueue(MessageQueue queue) {
    this.queue = queue;
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
  public List<ReceivedMessage> receive(ReceiveRequest request) {
    return queue.receive(request);
  }

  @Override
  public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
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
  public SendResult send(OutgoingMessage message, Duration timeout) {
    return queue.send(message, timeout);
  }

  @Override
  public Optional<MessageQueue> deadLetters() {
    return queue.deadLetters();
  }

  @Override
  public Optional<MoveTasks> moveTasks() {
    return queue.moveTasks();
  }

  @Override
  public void close() {
    queue.close();
  }
}
