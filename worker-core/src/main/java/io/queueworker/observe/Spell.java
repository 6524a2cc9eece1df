package io.queueworker.observe;

import io.queueworker.observe.RecentTrouble.Trouble;
import io.queueworker.timing.KeeperLock;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Trouble of one sort, until it ends or is not heard of any more. Thread-safe. */
final class Spell {

  private final ReentrantLock lock = new KeeperLock();

  /** Written under the lock; read without, so that a success after a success costs one read. */
  private volatile @Nullable State state;

  private record State(Trouble trouble, long firstAt, long latestAt) {}

  /** It happened once more. */
  void add(EventContext context, String words) {
    lock.lock();
    try {
      State before = current(context.nanoTime());
      put(context, before == null ? 1 : before.trouble.count() + 1, words, before);
    } finally {
      lock.unlock();
    }
  }

  /** It happened, {@code count} times in a row by now. */
  void set(EventContext context, long count, String words) {
    lock.lock();
    try {
      put(context, count, words, state);
    } finally {
      lock.unlock();
    }
  }

  private void put(EventContext context, long count, String words, @Nullable State before) {
    Trouble trouble = new Trouble(count, before == null ? context.at() : before.trouble.since(), words);
    state = new State(trouble, before == null ? context.nanoTime() : before.firstAt, context.nanoTime());
  }

  private @Nullable State current(long nanoTime) {
    State now = state;
    return now != null && nanoTime - now.latestAt < RecentTrouble.REMEMBERED.toNanos() ? now : null;
  }

  /** It works again. */
  void end() {
    if (state != null) {
      lock.lock();
      try {
        state = null;
      } finally {
        lock.unlock();
      }
    }
  }

  /** What there is to tell. */
  Optional<Trouble> trouble() {
    State now = state;
    return now == null ? Optional.empty() : Optional.of(now.trouble);
  }

  /** What there is to tell that began at least {@code lasting} ago and went on within the time that is remembered. */
  Optional<Trouble> lasting(long lasting, long nanoTime) {
    State now = current(nanoTime);
    return now == null || nanoTime - now.firstAt < lasting ? Optional.empty() : Optional.of(now.trouble);
  }
}
