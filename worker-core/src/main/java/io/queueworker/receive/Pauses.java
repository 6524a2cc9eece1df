package io.queueworker.receive;

import io.queueworker.PauseReason;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.Paused;
import io.queueworker.observe.WorkerEvent.Resumed;
import io.queueworker.timing.KeeperLock;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.WaitPoint;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The set of reasons for not receiving. A receive starts only while none {@link PauseReason#stopsReceiving() stops} it, and
 * none starts after {@link #add} or {@link #close} has returned; one that is under way goes on. While the circuit breaker is
 * the only one that does, single receives can be let through. Thread-safe.
 */
public final class Pauses {

  private final ReentrantLock lock = new KeeperLock();
  private final WaitPoint changed;
  private final Map<PauseReason, String> reasons = new EnumMap<>(PauseReason.class);
  private final Consumer<WorkerEvent> events;
  private boolean closed;
  private int probes;

  /** No reason at first. */
  public Pauses(Timing timing, Consumer<WorkerEvent> events) {
    this.changed = timing.waitPoint(lock);
    this.events = events;
  }

  /** Adds a reason; nothing happens when it holds already. */
  public void add(PauseReason reason, String why) {
    lock.lock();
    try {
      if (reasons.putIfAbsent(reason, why) != null) {
        return;
      }
    } finally {
      lock.unlock();
    }
    events.accept(new Paused(reason, why));
  }

  /** Takes one reason away; the others stay. */
  public void remove(PauseReason reason) {
    lock.lock();
    try {
      if (reasons.remove(reason) == null) {
        return;
      }
      probes = reason == PauseReason.BREAKER_OPEN ? 0 : probes;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    events.accept(new Resumed(reason));
  }

  /** Lets one receive of at most so many messages start although the circuit breaker is open; zero takes that back. */
  public void allowProbes(int messages) {
    lock.lock();
    try {
      probes = reasons.containsKey(PauseReason.BREAKER_OPEN) ? messages : 0;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many messages a receive may bring now. */
  int most() {
    lock.lock();
    try {
      return limit();
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing stops receiving. */
  boolean letReceive() {
    lock.lock();
    try {
      return !closed && limit() > 0;
    } finally {
      lock.unlock();
    }
  }

  private int limit() {
    int most = Integer.MAX_VALUE;
    for (PauseReason reason : reasons.keySet()) {
      if (reason.stopsReceiving()) {
        most = Math.min(most, reason == PauseReason.BREAKER_OPEN ? probes : 0);
      }
    }
    return most;
  }

  /** Waits until a receive may start; false once closed. */
  boolean awaitNone() {
    lock.lock();
    try {
      while (!closed && limit() == 0) {
        changed.await(Long.MAX_VALUE / 2);
      }
      return !closed;
    } catch (InterruptedException e) {
      // Poll threads are ours alone; the caller asks again.
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets a receive of so many messages start if nothing speaks against it. {@code start} only notes the start: it runs under
   * the lock.
   */
  boolean tryStart(int messages, Runnable start) {
    lock.lock();
    try {
      if (closed || messages > limit()) {
        return false;
      }
      probes = 0;
      start.run();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits up to {@code nanos}, or until closed. */
  void sleep(long nanos, Timing timing) {
    lock.lock();
    try {
      long until = timing.nanoTime() + nanos;
      for (long left = nanos; left > 0 && !closed; left = until - timing.nanoTime()) {
        changed.await(left);
      }
    } catch (InterruptedException e) {
      // Poll threads are ours alone; a shorter pause does no harm once.
    } finally {
      lock.unlock();
    }
  }

  /** Forbids receiving for good. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The reasons that hold now, each with its words. */
  public Map<PauseReason, String> reasons() {
    lock.lock();
    try {
      return Map.copyOf(reasons);
    } finally {
      lock.unlock();
    }
  }
}
