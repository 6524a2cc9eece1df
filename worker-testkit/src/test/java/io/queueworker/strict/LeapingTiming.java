package io.queueworker.strict;

import io.queueworker.timing.SystemTiming;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** Real time whose clocks leap ahead on demand; waits go by the real clock. Thread-safe. */
public final class LeapingTiming implements Timing {

  private final Timing real = SystemTiming.instance();
  private final AtomicLong ahead = new AtomicLong();

  /** Puts both clocks forward. */
  public void leap(Duration by) {
    ahead.addAndGet(by.toNanos());
  }

  @Override
  public long nanoTime() {
    return real.nanoTime() + ahead.get();
  }

  @Override
  public Instant now() {
    return real.now().plusNanos(ahead.get());
  }

  @Override
  public double random() {
    return real.random();
  }

  @Override
  public WaitPoint waitPoint(ReentrantLock lock) {
    return real.waitPoint(lock);
  }

  @Override
  public WorkerThread start(ThreadKind kind, String name, Runnable body) {
    return real.start(kind, name, body);
  }

  @Override
  public ThreadPool pool(String name, int threads) {
    return real.pool(name, threads);
  }
}
