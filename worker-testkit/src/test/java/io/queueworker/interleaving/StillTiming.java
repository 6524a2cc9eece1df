package io.queueworker.interleaving;

import io.queueworker.timing.Timing;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Time that stands still, except that a wait that ends some day ends at once and moves it on. What waits for ever needs its
 * signal: without one it hangs, which Lincheck reports.
 *
 * <p>Tasks for a pool are kept until an operation {@linkplain #work works} on them. Thread-safe.
 */
public final class StillTiming implements Timing {

  /** Longer than this is for ever. */
  private static final long FOR_EVER = TimeUnit.DAYS.toNanos(1);

  /** Thrown instead of a wait, by a timing that never waits: the operation shows that it would have. */
  public static final class WouldWait extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WouldWait() {
      super("would wait", null, false, false);
    }
  }

  private final boolean waits;
  private final AtomicLong nanos = new AtomicLong();
  private final BlockingQueue<Optional<Runnable>> tasks = new LinkedBlockingQueue<>();

  private StillTiming(boolean waits) {
    this.waits = waits;
  }

  /** One whose waits wait. */
  public static StillTiming waiting() {
    return new StillTiming(true);
  }

  /** One whose waits throw {@link WouldWait}. */
  public static StillTiming neverWaiting() {
    return new StillTiming(false);
  }

  /** Is a thread of the pools until {@link #endPools}. */
  public void work() throws InterruptedException {
    for (Optional<Runnable> task = tasks.take(); task.isPresent(); task = tasks.take()) {
      task.get().run();
    }
  }

  /** Lets so many threads of the pools end, after what is queued. */
  public void endPools(int threads) {
    for (int i = 0; i < threads; i++) {
      tasks.add(Optional.empty());
    }
  }

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public Instant now() {
    return Instant.EPOCH.plusNanos(nanos.get());
  }

  @Override
  public double random() {
    return 0.5;
  }

  @Override
  public WaitPoint waitPoint(ReentrantLock lock) {
    Condition condition = lock.newCondition();
    return new WaitPoint() {
      @Override
      @SuppressWarnings("WaitNotInLoop") // The loop is the caller's, as WaitPoint says.
      public boolean await(long time) throws InterruptedException {
        if (!waits) {
          throw new WouldWait();
        }
        if (time >= FOR_EVER) {
          condition.await();
          return true;
        }
        lock.unlock();
        nanos.addAndGet(time);
        lock.lock();
        return false;
      }

      @Override
      public void signalAll() {
        condition.signalAll();
      }
    };
  }

  @Override
  public ThreadPool pool(String name, int threads) {
    return new ThreadPool() {
      @Override
      public boolean execute(Runnable task) {
        return tasks.add(Optional.of(task));
      }

      @Override
      public void shutdown() {
        // Nothing runs by itself.
      }
    };
  }

  @Override
  public WorkerThread start(ThreadKind kind, String name, Runnable body) {
    throw new UnsupportedOperationException("threads are Lincheck's");
  }
}
