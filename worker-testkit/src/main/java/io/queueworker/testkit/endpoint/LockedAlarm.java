package io.queueworker.testkit.endpoint;

import io.queueworker.testkit.engine.Alarm;
import io.queueworker.timing.Timing;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** The engines' alarm clock in real time: one daemon thread that calls back under the lock of the engines. Thread-safe. */
final class LockedAlarm implements Alarm, AutoCloseable {

  private final Timing timing;
  private final ReentrantLock lock;
  private final long start;
  private final ScheduledThreadPoolExecutor clock;
  private final Defects defects;

  LockedAlarm(Timing timing, ReentrantLock lock, Defects defects) {
    this.timing = timing;
    this.lock = lock;
    this.defects = defects;
    this.start = timing.nanoTime();
    this.clock =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon(true).name("strict-sqs-alarm").factory());
    clock.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long now() {
    return timing.nanoTime() - start;
  }

  @Override
  public Pending after(long nanos, Runnable action) {
    try {
      Future<?> due = clock.schedule(() -> underLock(action), Math.max(0, nanos), TimeUnit.NANOSECONDS);
      return () -> due.cancel(false);
    } catch (RejectedExecutionException closed) {
      return () -> {};
    }
  }

  private void underLock(Runnable action) {
    lock.lock();
    try {
      action.run();
    } catch (RuntimeException | Error ours) {
      // The executor would keep it to itself, and whoever waits would wait in vain for no reason that anybody can see.
      defects.add(ours);
      Thread.currentThread().getUncaughtExceptionHandler().uncaughtException(Thread.currentThread(), ours);
    } finally {
      lock.unlock();
    }
  }

  /** Calls nobody any more. */
  @Override
  public void close() {
    clock.shutdownNow();
  }
}
