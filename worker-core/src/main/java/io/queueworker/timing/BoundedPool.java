package io.queueworker.timing;

import io.queueworker.timing.Timing.ThreadPool;
import java.util.concurrent.atomic.AtomicInteger;

/** A pool that lets no more than so many tasks wait or run, so that tasks that hang cost no memory. Thread-safe. */
public final class BoundedPool implements ThreadPool {

  private final ThreadPool pool;
  private final int most;
  private final AtomicInteger waiting = new AtomicInteger();

  /** Runs on {@code pool}, with {@code most} tasks at once, those that run included. */
  public BoundedPool(ThreadPool pool, int most) {
    this.pool = pool;
    this.most = most;
  }

  /** Queues the task. While the pool is full, and after {@link #shutdown()}, it is dropped and the answer is false. */
  @Override
  public boolean execute(Runnable task) {
    // Counted before it is queued: else several threads that see the last free place would all take it.
    if (waiting.incrementAndGet() > most) {
      waiting.decrementAndGet();
      return false;
    }
    return queue(task);
  }

  /** Queues a task also while the pool is full. For one that ends it. */
  public boolean executeLast(Runnable task) {
    waiting.incrementAndGet();
    return queue(task);
  }

  private boolean queue(Runnable task) {
    boolean queued = false;
    try {
      queued = pool.execute(() -> run(task));
    } finally {
      if (!queued) {
        waiting.decrementAndGet();
      }
    }
    return queued;
  }

  private void run(Runnable task) {
    try {
      task.run();
    } finally {
      waiting.decrementAndGet();
    }
  }

  /** Tasks that wait or run. */
  public int waiting() {
    return waiting.get();
  }

  @Override
  public void shutdown() {
    pool.shutdown();
  }
}
