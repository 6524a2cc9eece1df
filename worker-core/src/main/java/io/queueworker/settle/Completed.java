package io.queueworker.settle;

import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerListener;
import io.queueworker.timing.KeeperLock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * The messages that this worker completed lately, by message id, so that one whose delete did not arrive is only deleted
 * when it comes again, and it can be told why. Bounded: the oldest are forgotten first. A help, not a guarantee: only a gate outlives the process.
 *
 * <p>To be registered as inline, for what becomes of the deletes. Thread-safe.
 */
public final class Completed implements WorkerListener {

  private final ReentrantLock lock = new KeeperLock();
  private final Map<String, Remembered> works;

  /** Remembers up to {@code most} messages. */
  public Completed(int most) {
    this.works =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Remembered> eldest) {
            return size() > most;
          }
        };
  }

  /** Remembers a message, from its commit on. What is remembered of it already stands: it tells of the work itself. */
  public void add(String messageId, Remembered work) {
    lock.lock();
    try {
      works.putIfAbsent(messageId, work);
    } finally {
      lock.unlock();
    }
  }

  /** What is remembered of the message, if it is. */
  public Optional<Remembered> recall(String messageId) {
    lock.lock();
    try {
      return Optional.ofNullable(works.get(messageId));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onEvent(EventContext context, WorkerEvent event) {
    if (event instanceof WorkerEvent.Deleted deleted) {
      note(deleted.messageId(), Remembered::withDelete);
    } else if (event instanceof WorkerEvent.DeleteFailed failed) {
      note(failed.messageId(), work -> work.withoutDelete(failed.why()));
    }
  }

  private void note(String messageId, UnaryOperator<Remembered> change) {
    lock.lock();
    try {
      works.computeIfPresent(messageId, (id, work) -> change.apply(work));
    } finally {
      lock.unlock();
    }
  }
}
