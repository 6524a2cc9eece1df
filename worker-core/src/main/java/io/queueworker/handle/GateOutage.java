package io.queueworker.handle;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Whether the gate's store can be reached, as the runs that wait for it see it: an outage begins with the first run that
 * cannot reach it and ends when none waits any more. Thread-safe; calls nobody while it holds its lock.
 */
public final class GateOutage {

  private final Consumer<String> began;
  private final Runnable over;
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by lock.
  private final Set<HandlerRun<?, ?>> waiting = new HashSet<>();
  private String why = "";
  private boolean announced;
  private boolean announcing;

  /** Tells {@code began} why, and {@code over}, in turn and never both at once. */
  public GateOutage(Consumer<String> began, Runnable over) {
    this.began = began;
    this.over = over;
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
    announce();
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
    announce();
  }

  /**
   * Announces the present state unless it is announced already. One thread at a time does: a beginning and an end that come
   * close together would else be told in the wrong order, and receiving would stay paused. Who finds another at it leaves,
   * since that one looks again when it has finished.
   */
  private void announce() {
    for (Optional<Runnable> next = next(); next.isPresent(); next = next()) {
      try {
        next.get().run();
      } finally {
        end();
      }
    }
  }

  private Optional<Runnable> next() {
    lock.lock();
    try {
      if (announcing || announced == !waiting.isEmpty()) {
        return Optional.empty();
      }
      announcing = true;
      announced = !announced;
      String reason = why;
      return Optional.of(announced ? () -> began.accept(reason) : over);
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      announcing = false;
    } finally {
      lock.unlock();
    }
  }
}
