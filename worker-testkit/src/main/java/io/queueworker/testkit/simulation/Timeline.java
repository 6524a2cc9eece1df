package io.queueworker.testkit.simulation;

import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time and what is due when. Not thread-safe: belongs to the thread that holds the baton; other threads may only
 * read the elapsed time.
 */
final class Timeline {

  /** A point that never comes. */
  static final long FOREVER = Long.MAX_VALUE;

  private final TreeSet<Timer> timers = new TreeSet<>();
  private final AtomicLong elapsed = new AtomicLong();
  private long timerNumber;

  /** Virtual nanoseconds since the start. */
  long elapsed() {
    return elapsed.get();
  }

  /** Makes {@code action} happen after {@code nanos}; below zero counts as zero. */
  Timer after(long nanos, Runnable action) {
    long at = elapsed.get() + Math.max(0, nanos);
    Timer timer = new Timer(at < 0 ? FOREVER : at, timerNumber++, action);
    timers.add(timer);
    return timer;
  }

  /** Takes a timer back; false when it has fired or is null. */
  boolean cancel(@Nullable Timer timer) {
    return timer != null && timers.remove(timer);
  }

  /** Puts a timer off; null when there is none or it has fired. */
  @Nullable
  Timer postpone(@Nullable Timer timer, long nanos) {
    return timer != null && timers.remove(timer) ? after(timer.at() - elapsed.get() + nanos, timer.action()) : null;
  }

  /** Moves time without looking at what is due. */
  void skip(long nanos) {
    elapsed.addAndGet(Math.max(0, nanos));
  }

  /** Jumps to the next timer; false when there is none. */
  boolean jump() {
    if (timers.isEmpty() || timers.first().at() == FOREVER) {
      return false;
    }
    elapsed.set(timers.first().at());
    return true;
  }

  /** Lets everything that is due happen. */
  void fireDue() {
    while (!timers.isEmpty() && timers.first().at() <= elapsed.get()) {
      Timer due = timers.first();
      timers.remove(due);
      due.action().run();
    }
  }
}
