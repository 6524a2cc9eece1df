package io.queueworker.settle;

import io.queueworker.timing.KeeperLock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The messages that this worker completed lately, by message id, so that one whose delete did not arrive is only deleted
 * when it comes again. Bounded: the oldest are forgotten first. A help, not a guarantee: only a gate outlives the process.
 * Thread-safe.
 */
public final class Completed {

  private final ReentrantLock lock = new KeeperLock();
  private final Map<String, Boolean> ids;

  /** Remembers up to {@code most} messages. */
  public Completed(int most) {
    this.ids =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > most;
          }
        };
  }

  /** Remembers a message, from its commit on. */
  public void add(String messageId) {
    lock.lock();
    try {
      ids.put(messageId, true);
    } finally {
      lock.unlock();
    }
  }

  /** Whether the message is remembered. */
  public boolean contains(String messageId) {
    lock.lock();
    try {
      return ids.containsKey(messageId);
    } finally {
      lock.unlock();
    }
  }
}
