package io.queueworker.receive;

import io.queueworker.timing.KeeperLock;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.WaitPoint;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Room for messages in flight: one permit per message, taken before the receive that may bring it and given back when the
 * worker has no more to do with it. On a queue that keeps order a line of messages that wait for each other takes one; what
 * waits in it is parked. Thread-safe.
 */
public final class Permits {

  private final Timing timing;
  private final ReentrantLock lock = new KeeperLock();
  private final WaitPoint changed;
  private final int total;

  /** Below zero while messages whose turn came wait for the deletes of those before them. */
  private int free;

  private int parked;

  private int waiting;

  /** No more than the least that any waiting receive wishes for; the largest number when none waits. */
  private int wanted = Integer.MAX_VALUE;

  private boolean closed;
  private Runnable onShort = () -> {};

  /** {@code total} permits, all free. */
  public Permits(Timing timing, int total) {
    this.timing = timing;
    this.changed = timing.waitPoint(lock);
    this.total = total;
    this.free = total;
  }

  /** Sets what is called when a receive has to wait for permits: quick, and not holding this class's lock. */
  public void onShort(Runnable action) {
    onShort = action;
  }

  /**
   * Takes up to {@code most} permits: waits for the first one, and then up to {@code lingerNanos} for the rest, so that
   * permits freed one by one do not become receives for one.
   *
   * @return how many were taken; zero once closed
   */
  int acquire(int most, long lingerNanos) {
    if (tookAll(most)) {
      return most;
    }
    onShort.run();
    lock.lock();
    try {
      // Again from the start when another receive took, during the linger, what there was.
      while (!closed) {
        while (free <= 0 && !closed) {
          await(Long.MAX_VALUE / 2);
        }
        long until = timing.nanoTime() + lingerNanos;
        for (long left = lingerNanos; free < most && left > 0 && !closed; left = until - timing.nanoTime()) {
          await(left);
        }
        if (free > 0 && !closed) {
          int taken = Math.min(most, free);
          free -= taken;
          return taken;
        }
      }
      return 0;
    } finally {
      waiting--;
      wanted = waiting == 0 ? Integer.MAX_VALUE : wanted;
      lock.unlock();
    }
  }

  /**
   * Takes what the caller wants if it is there, and else counts it as waiting, before anybody is told, so that who is told sees
   * it. One that finds what it wants does not count: else a delete that falls into that moment would go out alone. Both in one
   * go: in between another receive could take what there is, and the caller would wait uncounted.
   */
  private boolean tookAll(int most) {
    lock.lock();
    try {
      if (free >= most && !closed) {
        free -= most;
        return true;
      }
      waiting++;
      wanted = Math.min(wanted, most);
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void await(long nanos) {
    try {
      changed.await(nanos);
    } catch (InterruptedException e) {
      // Poll threads are ours alone; one that ended here would leave the worker running and deaf.
    }
  }

  /** The permit of a message that a receive brought, out of those that it took. */
  public Permit permit() {
    return new Permit(this);
  }

  /** Counts a message as waiting for others, without a permit. */
  void park() {
    lock.lock();
    try {
      parked++;
      add(1);
    } finally {
      lock.unlock();
    }
  }

  /** Takes a permit for a parked message whose turn has come, even if none is free. */
  void takeParked() {
    lock.lock();
    try {
      parked--;
      free--;
    } finally {
      lock.unlock();
    }
  }

  /** A parked message has ended without a turn. */
  void dropParked() {
    lock.lock();
    try {
      parked--;
    } finally {
      lock.unlock();
    }
  }

  /** Messages that wait for others, without a permit. */
  int parked() {
    lock.lock();
    try {
      return parked;
    } finally {
      lock.unlock();
    }
  }

  /** Gives permits back. */
  public void release(int count) {
    lock.lock();
    try {
      add(count);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Wakes receives that wait for the first permit, with which their linger begins, and for as many as one of them wishes for; not
   * for each in between, which would only send them back to wait.
   */
  private void add(int count) {
    boolean none = free <= 0;
    free += count;
    if (free > 0 && (none || free >= wanted)) {
      changed.signalAll();
    }
  }

  /** Ends all waiting; {@link #acquire} gives none from now on. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether a receive waits for permits that are not there. */
  public boolean areShort() {
    lock.lock();
    try {
      return waiting > 0 && free < total;
    } finally {
      lock.unlock();
    }
  }

  /** Permits taken. */
  public int used() {
    lock.lock();
    try {
      return total - free;
    } finally {
      lock.unlock();
    }
  }

  /** Permits free. */
  int free() {
    lock.lock();
    try {
      return free;
    } finally {
      lock.unlock();
    }
  }
}
