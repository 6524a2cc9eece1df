package io.queueworker.testkit.chaos;

import io.queueworker.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The clock of the store that keeps a leased gate's records: a machine's, but for leaps ahead.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time.
 */
final class StoreClock implements Timing {

  private final Timing machine;
  private long leapt;

  StoreClock(Timing machine) {
    this.machine = machine;
  }

  /** Leaps ahead. */
  void leap(Duration by) {
    leapt += by.toNanos();
  }

  @Override
  public long nanoTime() {
    return machine.nanoTime() + leapt;
  }

  @Override
  public Instant now() {
    return machine.now().plusNanos(leapt);
  }

  @Override
  public double random() {
    return machine.random();
  }

  @Override
  public WaitPoint waitPoint(ReentrantLock lock) {
    return machine.waitPoint(lock);
  }

  @Override
  public WorkerThread start(ThreadKind kind, String name, Runnable body) {
    return machine.start(kind, name, body);
  }

  @Override
  public ThreadPool pool(String name, int threads) {
    return machine.pool(name, threads);
  }
}
