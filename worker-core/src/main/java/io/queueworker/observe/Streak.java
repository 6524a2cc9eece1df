package io.queueworker.observe;

import io.queueworker.timing.KeeperLock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Failures of one sort since it last worked, so that the log tells the first, the second, the fourth, the eighth and so on
 * instead of each.
 *
 * <p>Thread-safe.
 */
final class Streak {

  /** More kinds than this are counted as one, so that a kind that holds a changing text costs no memory. */
  private static final int KINDS = 20;

  private static final String OTHER = "other";

  private final ReentrantLock lock = new KeeperLock();

  /** Failures by kind; guarded by the lock. */
  private final Map<String, Long> failures = new HashMap<>();

  /** Written under the lock; read without, so that a success after a success costs one read. */
  private volatile boolean broken;

  /** Counts one failure. The answer is how many of its kind there are, or 0 when this one should not be told. */
  long failed(String kind) {
    lock.lock();
    try {
      broken = true;
      String counted = failures.size() < KINDS || failures.containsKey(kind) ? kind : OTHER;
      long count = failures.merge(counted, 1L, Long::sum);
      return Long.bitCount(count) == 1 ? count : 0;
    } finally {
      lock.unlock();
    }
  }

  /** It worked. The answer is how many failures came before since it last did. */
  long worked() {
    if (!broken) {
      return 0;
    }
    lock.lock();
    try {
      long sum = 0;
      for (long count : failures.values()) {
        sum += count;
      }
      failures.clear();
      broken = false;
      return sum;
    } finally {
      lock.unlock();
    }
  }

  /** The failures of this kind are over. */
  void worked(String kind) {
    lock.lock();
    try {
      failures.remove(kind);
      broken = !failures.isEmpty();
    } finally {
      lock.unlock();
    }
  }
}
