package io.queueworker.examples;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.Receipt;
import io.queueworker.testkit.PassingQueue;
import java.time.Duration;
import java.util.List;

/** A queue on which one delete hangs before it is sent, until its process is killed. For one thread. */
final class HangingDeletes extends PassingQueue {

  private final int hangsAt;
  private int deletes;

  /** The first delete that hangs is number {@code hangsAt}. */
  HangingDeletes(MessageQueue queue, int hangsAt) {
    super(queue);
    this.hangsAt = hangsAt;
  }

  @Override
  public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
    deletes++;
    if (deletes >= hangsAt) {
      hang();
    }
    return super.delete(batch, timeout);
  }

  private static void hang() {
    try {
      Thread.sleep(Duration.ofMinutes(10)); // sent, and not deleted: the moment that counts
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
