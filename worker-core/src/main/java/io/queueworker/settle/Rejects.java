package io.queueworker.settle;

import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseClock;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.timing.KeeperLock;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadPool;
import io.queueworker.timing.Timing.WaitPoint;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The rejected messages that the dead-letter queue has not taken yet. Each is sent on a pool of its own, so that a slow
 * dead-letter queue delays no delete and no release, again and again while
 * its lease is held, under beats; only what was taken is deleted.
 *
 * <p>Thread-safe; {@link #reject} and {@link #tick} do not block.
 */
public final class Rejects {

  private final Timing timing;
  private final LeaseClock clock;
  private final ThreadPool pool;
  private final RejectCalls calls;
  private final Consumer<WorkerEvent> events;

  private final ReentrantLock lock = new KeeperLock();
  private final WaitPoint changed;

  // Guarded by lock.
  private final Set<Rejecting> open = new LinkedHashSet<>();
  private boolean stopped;

  /** Sends on {@code pool}. */
  public Rejects(Timing timing, LeaseClock clock, ThreadPool pool, RejectCalls calls, Consumer<WorkerEvent> events) {
    this.timing = timing;
    this.clock = clock;
    this.pool = pool;
    this.calls = calls;
    this.events = events;
    this.changed = timing.waitPoint(lock);
  }

  /**
   * Sends the message of a held lease to the dead-letter queue, then has it deleted. The permit stays taken until then, so
   * that a worker that cannot reject stops receiving instead of filling up.
   *
   * @param permit gives its permit back; not called when {@code instead} is
   * @param instead leaves the message to come back by itself, and gives its permit back: it cannot be rejected
   * @param watch who waits for the end of it, unless {@code instead} is called
   */
  public void reject(Lease lease, Rejection why, Runnable permit, Runnable instead, SettleWatch watch) {
    Rejecting message = new Rejecting(lease, why, permit, instead, watch, clock.now());
    lock.lock();
    try {
      open.add(message);
    } finally {
      lock.unlock();
    }
    hand(message);
  }

  /** Whether nothing is known that would keep a message from being rejected: a missing permission, or dead-letter queue. */
  public boolean isPossible() {
    return calls.isPossible();
  }

  /** Sends what is to be tried again and due. Part of every heartbeat tick. */
  public void tick(long now) {
    due(now).forEach(this::hand);
  }

  private List<Rejecting> due(long now) {
    lock.lock();
    try {
      // One whose lease is lost meanwhile is due too, to end.
      List<Rejecting> due =
          open.stream()
              .filter(message -> message.dueAt != Rejecting.UNDER_WAY)
              .filter(message -> message.dueAt - now <= 0 || !message.lease.isHeld(now))
              .toList();
      due.forEach(message -> message.dueAt = Rejecting.UNDER_WAY);
      return due;
    } finally {
      lock.unlock();
    }
  }

  private void hand(Rejecting message) {
    try {
      pool.execute(() -> send(message));
    } catch (Throwable t) {
      // Such as no memory for a thread: the call was not made, so it can wait for its turn again.
      events.accept(new InternalError("hand-over of a reject", t));
      later(message, calls.pause(message));
    }
  }

  private void send(Rejecting message) {
    if (isStopped()) {
      return; // It waited for a thread, or stood still, until the queue was closed: then it was named as left.
    }
    OptionalLong pause;
    try {
      pause = calls.send(message);
    } catch (Throwable t) {
      events.accept(new InternalError("reject", t));
      pause = OptionalLong.of(calls.pause(message));
    }
    pause.ifPresentOrElse(nanos -> later(message, nanos), () -> over(message));
  }

  private void later(Rejecting message, long pause) {
    lock.lock();
    try {
      message.dueAt = clock.now() + pause;
    } finally {
      lock.unlock();
    }
  }

  private void over(Rejecting message) {
    lock.lock();
    try {
      open.remove(message);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean isStopped() {
    lock.lock();
    try {
      return stopped;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits up to {@code nanos} until the dead-letter queue has taken what is rejected; what waits to be tried again is tried at
   * once.
   *
   * @return the ids of the messages that are still here
   */
  public List<String> flush(long nanos) throws InterruptedException {
    lock.lock();
    try {
      open.stream().filter(one -> one.dueAt != Rejecting.UNDER_WAY).forEach(one -> one.dueAt = clock.now());
      long until = timing.nanoTime() + nanos;
      for (long left = nanos; !open.isEmpty() && left > 0; left = until - timing.nanoTime()) {
        changed.await(left);
      }
      return open.stream().map(Rejecting::messageId).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Sends no more. */
  public void stop() {
    lock.lock();
    try {
      stopped = true;
    } finally {
      lock.unlock();
    }
  }
}
