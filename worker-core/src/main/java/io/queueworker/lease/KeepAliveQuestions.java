package io.queueworker.lease;

import io.queueworker.LossReason;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.UserCodeFailed;
import io.queueworker.timing.KeeperLock;
import io.queueworker.timing.Timing.ThreadPool;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Asks the user's {@code keepAliveWhile} beside each beat, never before it: a condition that hangs must not cost a lease. At
 * most one question per lease is open, and one that has not been asked when its handler ends is forgotten: conditions that
 * hang cost no memory.
 *
 * <p>Thread-safe; reads a volatile field of the lease's watch while it holds its lock, and calls nobody else.
 */
final class KeepAliveQuestions {

  private final ThreadPool pool;
  private final int threads;
  private final Losses losses;
  private final Consumer<WorkerEvent> events;

  private final ReentrantLock lock = new KeeperLock();

  // All guarded by lock.
  private final Set<Lease> waiting = new LinkedHashSet<>();
  private final Set<Lease> asked = new HashSet<>();
  private int asking;

  /** Questions that are asked on {@code pool}, in {@code threads} tasks at most. */
  KeepAliveQuestions(ThreadPool pool, int threads, Losses losses, Consumer<WorkerEvent> events) {
    this.pool = pool;
    this.threads = threads;
    this.losses = losses;
    this.events = events;
  }

  /** Asks unless there is no condition or the last question is unanswered. */
  void ask(Lease lease) {
    lock.lock();
    try {
      // Looked at under the lock: a handler that ends takes its condition away first and is forgotten then.
      if (lease.watch().keepAlive() == null || asked.contains(lease)) {
        return;
      }
      waiting.add(lease);
      if (asking == threads) {
        return;
      }
      asking++;
    } finally {
      lock.unlock();
    }
    boolean started = false;
    try {
      started = pool.execute(this::askAll);
    } finally {
      if (!started) {
        // Such as no memory for a thread: the next beat tries again.
        asksNoMore();
      }
    }
  }

  private void asksNoMore() {
    lock.lock();
    try {
      asking--;
    } finally {
      lock.unlock();
    }
  }

  /** Forgets a lease whose handler ended. */
  void forget(Lease lease) {
    lock.lock();
    try {
      waiting.remove(lease);
    } finally {
      lock.unlock();
    }
  }

  private void askAll() {
    try {
      for (Optional<Lease> next = next(); next.isPresent(); next = next()) {
        Lease lease = next.get();
        try {
          askNow(lease);
        } finally {
          answered(lease);
        }
      }
    } catch (Throwable t) {
      // Such as no memory to tell of a condition that failed: the next beat has a thread for what still waits.
      asksNoMore();
      throw t;
    }
  }

  private Optional<Lease> next() {
    lock.lock();
    try {
      Iterator<Lease> first = waiting.iterator();
      if (!first.hasNext()) {
        asking--;
        return Optional.empty();
      }
      Lease lease = first.next();
      first.remove();
      asked.add(lease);
      return Optional.of(lease);
    } finally {
      lock.unlock();
    }
  }

  private void answered(Lease lease) {
    lock.lock();
    try {
      asked.remove(lease);
    } finally {
      lock.unlock();
    }
  }

  private void askNow(Lease lease) {
    BooleanSupplier condition = lease.watch().keepAlive();
    if (condition == null) {
      return;
    }
    try {
      // The handler it was asked for may have ended meanwhile, and its message with it: then the answer is for nobody.
      if (!condition.getAsBoolean() && condition.equals(lease.watch().keepAlive())) {
        losses.lose(lease, LossReason.GIVEN_UP);
      }
    } catch (Throwable t) {
      events.accept(new UserCodeFailed("keepAliveWhile; the message is kept as if it had said true", t));
    }
  }
}
