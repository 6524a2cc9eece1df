package io.queueworker.testkit.endpoint;

import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.WaitPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * A line of the endpoint's script: which calls go wrong, how, and which did. A test asks it whether its fault happened at
 * all. Thread-safe; only {@link #awaitFired} blocks.
 */
public final class ScriptedFault implements AutoCloseable {

  private final Timing timing;
  private final Predicate<EndpointCall> calls;
  private final HttpFault fault;
  private final ReentrantLock lock = new ReentrantLock();
  private final WaitPoint grown;
  private final List<EndpointCall> hits = new ArrayList<>();
  private int left;
  private boolean closed;

  /**
   * A new line.
   *
   * @param times for how many calls it stands
   */
  ScriptedFault(Timing timing, Predicate<EndpointCall> calls, int times, HttpFault fault) {
    if (times < 1) {
      throw new IllegalArgumentException("times = " + times + ": a fault is for one call or more");
    }
    this.timing = timing;
    this.calls = calls;
    this.left = times;
    this.fault = fault;
    this.grown = timing.waitPoint(lock);
  }

  /** What goes wrong with the call, which then counts as hit; empty when this line is not for it or could do nothing to it. */
  Optional<HttpFault> take(EndpointCall call) {
    lock.lock();
    try {
      if (left == 0 || closed || !calls.test(call)) {
        return Optional.empty();
      }
      Optional<HttpFault> decided = fault.decidedFor(call);
      if (decided.isPresent()) {
        left--;
        hits.add(call);
        grown.signalAll();
      }
      return decided;
    } finally {
      lock.unlock();
    }
  }

  /** Takes a call back that the fault did nothing to after all: it is no hit, and the line is for another call. */
  void giveBack(EndpointCall call) {
    lock.lock();
    try {
      if (hits.remove(call)) {
        left++;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The calls that went wrong so far, each as it arrived, in that order. */
  public List<EndpointCall> hits() {
    lock.lock();
    try {
      return List.copyOf(hits);
    } finally {
      lock.unlock();
    }
  }

  /** How many calls went wrong so far. */
  public int fired() {
    return hits().size();
  }

  /**
   * Waits until so many calls have arrived and been chosen for this fault.
   *
   * @throws AssertionError when they are not within {@code atMost}, or the thread is interrupted; the flag then stays set
   */
  public void awaitFired(int times, Duration atMost) {
    long start = timing.nanoTime();
    lock.lock();
    try {
      while (hits.size() < times) {
        long left = atMost.toNanos() - (timing.nanoTime() - start);
        if (left <= 0) {
          throw new AssertionError("not within " + atMost + ": " + times + " times " + fault + "; so far " + hits);
        }
        grown.await(left);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + times + " times " + fault, interrupted);
    } finally {
      lock.unlock();
    }
  }

  /** Takes the line out of the script: later calls go well. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "ScriptedFault[" + fault + ", fired " + fired() + " times]";
  }
}
