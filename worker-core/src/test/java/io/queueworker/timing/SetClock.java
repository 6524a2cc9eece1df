package io.queueworker.timing;

import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;

/** A timing whose clock stands until a test moves it, and whose random numbers are all one half. For one thread. */
public final class SetClock implements Timing {
  private final Timing real = SystemTiming.instance();
  public long now = Long.MAX_VALUE - 1_000_000_000L; // overflows soon: only differences count

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public Instant now() {
    return Instant.EPOCH;
  }

  @Override
  public double random() {
    return 0.5;
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
