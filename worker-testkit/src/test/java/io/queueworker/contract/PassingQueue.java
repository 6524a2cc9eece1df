package io.queueworker.contract;

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

/** A queue that passes each call on; one that overrides a call breaks it. */
class PassingQueue implements MessageQueue {

  final MessageQueue sound;

  PassingQueue(MessageQueue sound) {
    this.sound = sound;
  }

  @Override
  public String name() {
    return sound.name();
  }

  @Override
  public QueueTraits traits() {
    return sound.traits();
  }

  @Override
  public QueueAttributes attributes() {
    return sound.attributes();
  }

  @Override
  public List<ReceivedMessage> receive(ReceiveRequest request) {
    return sound.receive(request);
  }

  @Override
  public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
    return sound.extend(batch, timeout);
  }

  @Override
  public List<EntryResult> release(List<VisibilityChange> batch, Duration timeout) {
    return sound.release(batch, timeout);
  }

  @Override
  public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
    return sound.delete(batch, timeout);
  }

  @Override
  public SendResult send(OutgoingMessage message, Duration timeout) {
    return sound.send(message, timeout);
  }

  @Override
  public Optional<MessageQueue> deadLetters() {
    return sound.deadLetters();
  }

  @Override
  public void close() {
    sound.close();
  }
}
