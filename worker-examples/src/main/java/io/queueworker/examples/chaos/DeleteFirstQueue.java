package io.queueworker.examples.chaos;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.VisibilityChange;
import io.queueworker.testkit.PassingQueue;
import java.time.Duration;
import java.util.List;

/**
 * A queue whose messages are deleted as they are received, which is how consumers lose work. Thread-safe.
 */
final class DeleteFirstQueue extends PassingQueue {

  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  DeleteFirstQueue(MessageQueue queue) {
    super(queue);
  }

  @Override
  public List<ReceivedMessage> receive(ReceiveRequest request) {
    List<ReceivedMessage> messages = super.receive(request);
    if (!messages.isEmpty()) {
      super.delete(messages.stream().map(ReceivedMessage::receipt).toList(), TIMEOUT);
    }
    return messages;
  }

  @Override
  public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
    // Nothing is left to extend. The service would refuse, and the handler would be told, which is not the point here.
    return batch.stream().map(change -> (EntryResult) new EntryResult.Done(change.receipt())).toList();
  }
}
