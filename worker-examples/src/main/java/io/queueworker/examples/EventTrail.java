package io.queueworker.examples;

import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.MessageEvent;
import io.queueworker.observe.WorkerListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What was heard of messages from the workers of one JVM, which share a monotonic clock. Thread-safe. */
final class EventTrail implements WorkerListener {

  /**
   * One event.
   *
   * @param worker whose it is
   * @param nanoTime when it happened, by the JVM's monotonic clock
   * @param event what happened
   */
  record Heard(String worker, long nanoTime, MessageEvent event) {

    /** Whether it is of this kind. */
    boolean is(Class<? extends MessageEvent> kind) {
      return kind.isInstance(event);
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final List<Heard> heard = new ArrayList<>();

  @Override
  public void onEvent(EventContext context, WorkerEvent event) {
    if (event instanceof MessageEvent ofMessage) {
      lock.lock();
      try {
        heard.add(new Heard(context.worker(), context.nanoTime(), ofMessage));
        more.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Waits until a worker said this; false when it did not in time. */
  boolean hears(String worker, Class<? extends MessageEvent> kind, Duration limit) throws InterruptedException {
    long left = limit.toNanos();
    lock.lock();
    try {
      while (heard.stream().noneMatch(one -> one.worker().equals(worker) && one.is(kind))) {
        if (left <= 0) {
          return false;
        }
        left = more.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** All so far, in the order in which it happened. */
  List<Heard> inOrder() {
    lock.lock();
    try {
      List<Heard> all = new ArrayList<>(heard);
      // Two events may be heard in another order than that of their times.
      all.sort(Comparator.comparingLong(one -> one.nanoTime() - heard.getFirst().nanoTime()));
      return all;
    } finally {
      lock.unlock();
    }
  }
}
