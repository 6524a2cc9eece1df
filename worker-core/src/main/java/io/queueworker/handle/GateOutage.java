package io.queueworker.handle;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Whether the gate's store can be reached, as the runs that wait for it see it: an outage begins with the first run that
 * cannot reach it and ends when none waits any more. Thread-safe; calls nobody while it holds its lock.
 */
public final class GateOutage {

  private final Condition outage;
  private final ReentrantLock lock = new ReentrantLock();

  // Both guarded by lock.
  private final Set<HandlerRun<?, ?>> waiting = new HashSet<>();
  private String why = "";

  /** Tells {@code began} why, and {@code over}, in turn and never both at once. */
  public GateOutage(Consumer<String> began, Runnable over) {
    this.outage = new Condition(this::isWaitedFor, () -> began.accept(why()), over);
  }

  void waits(HandlerRun<?, ?> run, String reason) {
    lock.lock();
    try {
      if (waiting.isEmpty()) {
        why = reason;
      }
      waiting.add(run);
    } finally {
      lock.unlock();
    }
    outage.look();
  }

  void answered(HandlerRun<?, ?> run) {
    lock.lock();
    try {
      if (!waiting.remove(run)) {
        return;
      }
    } finally {
      lock.unlock();
    }
    outage.look();
  }

  private boolean isWaitedFor() {
    lock.lock();
    try {
      return !waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private String why() {
    lock.lock();
    try {
      return why;
    } finally {
      lock.unlock();
    }
  }
}
