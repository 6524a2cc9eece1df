package io.queueworker.timing;

import java.time.Instant;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The machine's own clocks, randomness and threads.
 *
 * <p>What a thread or a pool's task throws ends up in the log as an error of ours, since everything that runs here is
 * expected to catch what users' code throws. A pool goes on with its next task.
 *
 * <p>Thread-safe; it has no state.
 */
public final class SystemTiming implements Timing {

  private static final Logger log = LoggerFactory.getLogger("io.queueworker");
  private static final SystemTiming INSTANCE = new SystemTiming();
  private static final long IDLE_THREAD_SECONDS = 30;

  private SystemTiming() {}

  /** The one instance. */
  public static SystemTiming instance() {
    return INSTANCE;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long wallNanos() {
    return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
  }

  @Override
  public double random() {
    return ThreadLocalRandom.current().nextDouble();
  }

  @Override
  public WaitPoint waitPoint(ReentrantLock lock) {
    return new ConditionWait(lock.newCondition());
  }

  /**
   * Starts a daemon thread that runs {@code body}.
   *
   * @throws OutOfMemoryError when the machine gives no more threads; then {@code body} does not run
   */
  @Override
  public WorkerThread start(ThreadKind kind, String name, Runnable body) {
    Thread.Builder builder =
        switch (kind) {
          case PLATFORM -> Thread.ofPlatform().daemon(true);
          case VIRTUAL -> Thread.ofVirtual();
        };
    return new StartedThread(builder.name(name).start(() -> runAndReport(body)));
  }

  /** Runs {@code action} on a thread of its own, beside others, as a hook of {@link Runtime#addShutdownHook}. */
  @Override
  public Runnable atShutdown(String threadName, Runnable action) {
    Thread hook = Thread.ofPlatform().name(threadName).unstarted(action);
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      return () -> {}; // The process is ending already, which no hook can learn of any more.
    }
    return () -> {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process is ending already: the hook runs or has run.
      }
    };
  }

  /**
   * A pool of at most {@code threads} platform daemons that start on demand, are named {@code name-1} and on, and end
   * after 30 s without a task. The tasks that wait are bounded by their callers alone.
   *
   * @throws IllegalArgumentException when {@code threads} is below 1
   */
  @Override
  public ThreadPool pool(String name, int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("pool(" + name + ", " + threads + "): threads must be at least 1");
    }
    ThreadFactory factory = Thread.ofPlatform().daemon(true).name(name + "-", 1).factory();
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            threads, threads, IDLE_THREAD_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    executor.allowCoreThreadTimeOut(true);
    return new ExecutorPool(executor);
  }

  private static void runAndReport(Runnable body) {
    try {
      body.run();
    } catch (Throwable e) {
      // Nobody above this frame could tell what was lost, and a pool would quietly replace the thread.
      log.error("thread={} ended its task with an error; please report this as a bug", threadName(), e);
    }
  }

  private static String threadName() {
    return Thread.currentThread().getName();
  }

  /** A wait point on a condition of the lock. Thread-safe under that lock. */
  private record ConditionWait(Condition condition) implements WaitPoint {
    @Override
    @SuppressWarnings("WaitNotInLoop") // The loop is the caller's: a wait point may return early for no reason.
    public boolean await(long nanos) throws InterruptedException {
      return condition.awaitNanos(nanos) > 0;
    }

    @Override
    public void signalAll() {
      condition.signalAll();
    }
  }

  /** A thread of the machine. Thread-safe. */
  private record StartedThread(Thread thread) implements WorkerThread {
    @Override
    public String name() {
      return thread.getName();
    }

    @Override
    public boolean isAlive() {
      return thread.isAlive();
    }

    @Override
    public boolean isCurrent() {
      return thread == Thread.currentThread();
    }

    @Override
    public void interrupt() {
      thread.interrupt();
    }
  }

  /** A pool over an executor. Thread-safe. */
  private record ExecutorPool(ThreadPoolExecutor executor) implements ThreadPool {
    @Override
    public boolean execute(Runnable task) {
      try {
        executor.execute(() -> runAndReport(task));
        return true;
      } catch (RejectedExecutionException afterShutdown) {
        return false;
      }
    }

    @Override
    public void shutdown() {
      executor.shutdown();
    }
  }
}
