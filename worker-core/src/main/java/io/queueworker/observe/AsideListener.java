package io.queueworker.observe;

import io.queueworker.timing.Timing.ThreadPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A listener with a thread and a bounded backlog of its own.
 *
 * <p>Thread-safe.
 */
final class AsideListener {

  private final WorkerListener listener;
  private final ThreadPool thread;
  private final Listeners owner;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong droppedInBurst = new AtomicLong();
  private final AtomicBoolean inBurst = new AtomicBoolean();

  /** A listener that {@code owner} calls on {@code thread}, a pool of one. */
  AsideListener(WorkerListener listener, ThreadPool thread, Listeners owner) {
    this.listener = listener;
    this.thread = thread;
    this.owner = owner;
  }

  /** Puts the event behind those that wait, or drops it. Never throws, never waits. */
  void offer(EventContext context, WorkerEvent event) {
    // Counted before it is queued: else several threads that see the last free place would all take it.
    if (waiting.incrementAndGet() > Listeners.BACKLOG) {
      waiting.decrementAndGet();
      drop();
      return;
    }
    boolean queued = false;
    try {
      queued = thread.execute(() -> hear(context, event));
    } catch (Throwable e) {
      // The machine gives no thread. The event is lost like any other that finds no place.
      queued = false;
    } finally {
      if (!queued) {
        waiting.decrementAndGet();
        dropped.incrementAndGet();
      }
    }
  }

  /** Events that were dropped so far. */
  long dropped() {
    return dropped.get();
  }

  /** Takes no more events; those that wait are still heard. */
  void close() {
    thread.shutdown();
  }

  private void hear(EventContext context, WorkerEvent event) {
    try {
      owner.tell(listener, context, event);
    } finally {
      // A burst ends when the backlog is half empty: at its brim, each event in turn would start and end one.
      if (waiting.decrementAndGet() <= Listeners.BACKLOG / 2 && inBurst.compareAndSet(true, false)) {
        owner.warn(name() + " caught up; it missed " + droppedInBurst.getAndSet(0) + " events.");
      }
    }
  }

  private void drop() {
    dropped.incrementAndGet();
    droppedInBurst.incrementAndGet();
    if (inBurst.compareAndSet(false, true)) {
      owner.warn(
          name()
              + " is "
              + Listeners.BACKLOG
              + " events behind, and events are dropped until it catches up. Make it faster, or let it hand over its work.");
    }
  }

  /** Whether it is so far behind that events are dropped. */
  boolean isBehind() {
    return inBurst.get();
  }

  /** The listener's class. */
  String type() {
    return listener.getClass().getName();
  }

  private String name() {
    return "the listener " + type();
  }
}
