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
import java.util.List;
import java.util.Optional;

/** A queue on which one delete hangs before it is sent, until its process is killed. For one thread. */
final class HangingDeletes implements MessageQueue {

  private final MessageQueue queue;
  private final int hangsAt;
  private int deletes;

  /** The first delete that hangs is number {@code hangsAt}. */
  HangingDeletes(MessageQueue queue, int hangsAt) {
    this.queue = queue;
    this.hangsAt = hangsAt;
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
    deletes++;
    if (deletes >= hangsAt) {
      hang();
    }
    return queue.delete(batch, timeout);
  }

  private static void hang() {
    try {
      Thread.sleep(Duration.ofMinutes(10)); // sent, and not deleted: the moment that counts
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
