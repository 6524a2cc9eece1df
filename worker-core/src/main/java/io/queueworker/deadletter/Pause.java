package io.queueworker.deadletter;

import io.queueworker.timing.Timing;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The waits of one run, which a cancel or an interrupt of the calling thread ends. It takes the interrupt off the thread, since a
 * call on an interrupted thread may be lost, and puts it back at the end. Belongs to one thread.
 */
final class Pause {

  /** How often the user's cancel is asked for during a wait. */
  private static final long SLICE = Duration.ofMillis(200).toNanos();

  private static final long FIRST = Duration.ofMillis(200).toNanos();
  private static final int LAST_DOUBLING = 5;

  private final Timing timing;
  private final BooleanSupplier cancelled;
  private final ReentrantLock lock = new ReentrantLock();
  private final Timing.WaitPoint point;
  private boolean interrupted;

  Pause(Timing timing, BooleanSupplier cancelled) {
    this.timing = timing;
    this.cancelled = cancelled;
    this.point = timing.waitPoint(lock);
  }

  /** Whether the run is to end. */
  boolean isCancelled() {
    takeInterrupt();
    return interrupted || cancelled.getAsBoolean();
  }

  private void takeInterrupt() {
    if (Thread.interrupted()) {
      interrupted = true;
    }
  }

  boolean isInterrupted() {
    return interrupted;
  }

  /** Waits so long, or until the run is to end; in between {@code each} runs now and then. */
  void nanos(long length, Runnable each) {
    nanos(length, each, this::isCancelled);
  }

  private void nanos(long length, Runnable each, BooleanSupplier ends) {
    long start = timing.nanoTime();
    long left = length;
    while (left > 0 && !ends.getAsBoolean()) {
      each.run();
      lock.lock();
      try {
        point.await(Math.min(left, SLICE));
      } catch (InterruptedException e) {
        interrupted = true;
      } finally {
        lock.unlock();
      }
      left = length - (timing.nanoTime() - start);
    }
  }

  /** The wait after so many failures in a row: doubles from 200 ms, half of it random. */
  void afterFailure(int inARow, Runnable each) {
    nanos(length(inARow), each);
  }

  /** The same wait to its end, also when the run is to end: for what has to be done before that. */
  void wholeAfterFailure(int inARow, Runnable each) {
    nanos(
        length(inARow), each,
        () -> {
          takeInterrupt();
          return false;
        });
  }

  private long length(int failuresInARow) {
    long longest = FIRST << Math.min(failuresInARow - 1, LAST_DOUBLING);
    return (long) (longest * (0.5 + timing.random() / 2));
  }

  /** Puts the interrupt back that was taken off. */
  void close() {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
