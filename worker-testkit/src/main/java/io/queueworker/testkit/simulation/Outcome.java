package io.queueworker.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** How a simulation ended: what failed first, and what else. Thread-safe. */
final class Outcome {

  private final ReentrantLock lock = new ReentrantLock();
  private final List<SimulationFailure> uncaught = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private @Nullable SimulationFailure failure;
  private volatile boolean stopping;

  /** Whether the body has ended or failed, so that threads are only being ended. */
  boolean isStopping() {
    return stopping;
  }

  /** The body ended; with a failure when it did not end well. Only the first failure counts. */
  void stop(@Nullable SimulationFailure why) {
    lock.lock();
    try {
      if (!stopping) {
        failure = why;
        stopping = true;
      }
    } finally {
      lock.unlock();
    }
  }

  /** A thread ended by a throwable of its own; nothing when threads are only being ended. */
  void uncaught(SimulationFailure thrown) {
    lock.lock();
    try {
      if (!stopping) {
        uncaught.add(thrown);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Every thread has ended. */
  void over() {
    over.countDown();
  }

  /** Waits, by the real clock, until every thread has ended; false when a second passed. */
  boolean awaitSecond() throws InterruptedException {
    return over.await(1, TimeUnit.SECONDS);
  }

  /** What failed, with what else failed as suppressed; null when nothing did. */
  @Nullable
  SimulationFailure failure() {
    lock.lock();
    try {
      List<SimulationFailure> all = new ArrayList<>(uncaught);
      if (failure != null) {
        all.add(0, failure);
      }
      if (all.isEmpty()) {
        return null;
      }
      all.stream().skip(1).forEach(all.get(0)::addSuppressed);
      return all.get(0);
    } finally {
      lock.unlock();
    }
  }
}
