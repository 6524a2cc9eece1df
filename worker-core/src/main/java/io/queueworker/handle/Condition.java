package io.queueworker.handle;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A state of affairs that others hear of: when it begins and when it is over, in turn and never both at once.
 *
 * <p>Thread-safe; calls nobody while it holds its lock.
 */
final class Condition {

  private final BooleanSupplier holds;
  private final Runnable began;
  private final Runnable over;
  private final ReentrantLock lock = new ReentrantLock();

  // Both guarded by lock.
  private boolean announced;
  private boolean announcing;

  /**
   * @param holds whether it holds now
   * @param began tells that it has begun
   * @param over tells that it is over
   */
  Condition(BooleanSupplier holds, Runnable began, Runnable over) {
    this.holds = holds;
    this.began = began;
    this.over = over;
  }

  /**
   * Announces the present state unless it is announced already. One thread at a time does: a beginning and an end that come
   * close together would else be told in the wrong order, and receiving would stay paused. Who finds another at it leaves,
   * since that one looks again when it has finished.
   */
  void look() {
    while (true) {
      boolean now = holds.getAsBoolean();
      if (!start(now)) {
        return;
      }
      try {
        (now ? began : over).run();
      } finally {
        end();
      }
    }
  }

  private boolean start(boolean now) {
    lock.lock();
    try {
      if (announcing || announced == now) {
        return false;
      }
      announcing = true;
      announced = now;
      return true;
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
