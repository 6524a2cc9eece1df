package io.queueworker.handle;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Whether the gate's store can be reached, as the runs that wait for it see it: an outage begins with the first run that
 * cannot reach it and ends when none waits any more. Thread-safe.
 */
public final class GateOutage {

  private final Consumer<String> began;
  private final Runnable over;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<HandlerRun<?, ?>> waiting = new HashSet<>();

  /** Tells {@code began} why, and {@code over}; both must be quick. */
  public GateOutage(Consumer<String> began, Runnable over) {
    this.began = began;
    this.over = over;
  }

  void waits(HandlerRun<?, ?> run, String why) {
    lock.lock();
    try {
      boolean first = waiting.isEmpty();
      waiting.add(run);
      if (first) {
        began.accept(why);
      }
    } finally {
      lock.unlock();
    }
  }

  void answered(HandlerRun<?, ?> run) {
    lock.lock();
    try {
      if (waiting.remove(run) && waiting.isEmpty()) {
        over.run();
      }
    } finally {
      lock.unlock();
    }
  }
}
