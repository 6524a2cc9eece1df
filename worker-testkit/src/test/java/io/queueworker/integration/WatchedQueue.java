package io.queueworker.integration;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueTraits;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.VisibilityChange;
import io.queueworker.testkit.PassingQueue;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real queue whose calls are noted, and some of which fail before they reach it. Thread-safe.
 */
final class WatchedQueue extends PassingQueue {
  private final AtomicInteger deletesToFail;
  private final Runnable beforeDelete;
  private final QueueTraits traits;

  /** What was asked of each receive. */
  final List<ReceiveRequest> receives = new CopyOnWriteArrayList<>();

  /** Counts down with the first receive. */
  final CountDownLatch receiving = new CountDownLatch(1);

  /** The visibility of each extension. */
  final List<Duration> extensions = new CopyOnWriteArrayList<>();

  /** The number of delete calls. */
  final AtomicInteger deletes = new AtomicInteger();

  private WatchedQueue(MessageQueue queue, int deletesToFail, Runnable beforeDelete, QueueTraits traits) {
    super(queue);
    this.traits = traits;
    this.deletesToFail = new AtomicInteger(deletesToFail);
    this.beforeDelete = beforeDelete;
  }

  static WatchedQueue of(MessageQueue queue) {
    return new WatchedQueue(queue, 0, () -> {}, queue.traits());
  }

  /** The first {@code calls} deletes never reach the queue. */
  static WatchedQueue failingDeletes(MessageQueue queue, int calls) {
    return new WatchedQueue(queue, calls, () -> {}, queue.traits());
  }

  /** Runs {@code action} on the thread of each delete, before its call. */
  static WatchedQueue beforeDeletes(MessageQueue queue, Runnable action) {
    return new WatchedQueue(queue, 0, action, queue.traits());
  }

  /** A queue that says it knows no batch extension. */
  static WatchedQueue withoutBatchExtend(MessageQueue queue) {
    QueueTraits t = queue.traits();
    QueueTraits single =
        new QueueTraits(
            t.maxBatch(),
            t.maxWait(),
            t.smallestDelay(),
            t.largestVisibility(),
            t.totalCap(),
            t.receiveVisibility(),
            t.receiptChangesOnExtend(),
            false,
            t.reportsLeaseLoss(),
            t.fifo());
    return new WatchedQueue(queue, 0, () -> {}, single);
  }

  @Override
  public List<ReceivedMessage> receive(ReceiveRequest request) {
    receives.add(request);
    receiving.countDown();
    return super.receive(request);
  }

  @Override
  public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
    batch.forEach(change -> extensions.add(change.visibility()));
    return super.extend(batch, timeout);
  }

  @Override
  public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
    deletes.incrementAndGet();
    beforeDelete.run();
    if (deletesToFail.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      return Collections.nCopies(batch.size(), new EntryResult.Retryable("the test failed it"));
    }
    return super.delete(batch, timeout);
  }

  @Override
  public QueueTraits traits() {
    return traits;
  }
}
