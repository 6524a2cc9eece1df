package io.queueworker.examples;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.testkit.PassingQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A queue that loses a delete now and then: the answer says done, and yet the message comes again. Amazon SQS documents
 * this for standard queues: "On rare occasions, you might receive a message again even after you delete it", under
 * DeleteMessage in its API reference. Here it happens to every tenth message.
 *
 * <p>It also writes down each receive with the queue's own receive count, so that redeliveries can be counted. Thread-safe.
 */
final class FaultyQueue extends PassingQueue {

  private final ReceiveTable receives;
  private final String worker;
  private final AtomicInteger firstReceives = new AtomicInteger();
  private final Set<Receipt> loseDeletes = ConcurrentHashMap.newKeySet();

  /** A queue that is as good as {@code queue}, but for deletes. */
  FaultyQueue(MessageQueue queue, ReceiveTable receives, String worker) {
    super(queue);
    this.receives = receives;
    this.worker = worker;
  }

  @Override
  public List<ReceivedMessage> receive(ReceiveRequest request) {
    List<ReceivedMessage> messages = super.receive(request);
    receives.insert(worker, messages);
    for (ReceivedMessage message : messages) {
      if (message.receiveCount() == 1 && firstReceives.incrementAndGet() % 10 == 5) {
        loseDeletes.add(message.receipt());
      }
    }
    return messages;
  }

  @Override
  public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
    List<Receipt> sent = batch.stream().filter(receipt -> !loseDeletes.contains(receipt)).toList();
    List<EntryResult> answers = sent.isEmpty() ? List.of() : super.delete(sent, timeout);
    List<EntryResult> results = new ArrayList<>(batch.size());
    for (Receipt receipt : batch) {
      int index = sent.indexOf(receipt);
      results.add(index < 0 ? new EntryResult.Done(receipt) : answers.get(index));
    }
    return results;
  }
}
