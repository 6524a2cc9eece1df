package io.queueworker.timing;

import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The one place from which a worker takes time, randomness, waiting and threads.
 *
 * <p>{@link SystemTiming} is the real one. A simulation supplies its own and runs whole workers in virtual time, one
 * thread at a time, reproducibly. For that to hold, nothing in this library reads a clock, sleeps, draws a random
 * number or starts a thread in another way, and nothing waits while it holds a lock other than the one its
 * {@link WaitPoint} belongs to.
 *
 * <p>Implementations are thread-safe.
 */
public interface Timing {

  /** Monotonic time in nanoseconds; only differences mean something. Compare by subtraction. */
  long nanoTime();

  /** Wall-clock time, for people and for noticing that the machine slept. */
  Instant now();

  /**
   * The wall clock as nanoseconds since 1970, possibly rounded down to a millisecond: for asking often, since it makes no
   * object.
   */
  default long wallNanos() {
    Instant now = now();
    return now.getEpochSecond() * 1_000_000_000 + now.getNano();
  }

  /** A uniform number in {@code [0, 1)}, for jitter. */
  double random();

  /** A place where threads that hold {@code lock} wait for a change. */
  WaitPoint waitPoint(ReentrantLock lock);

  /** Starts a daemon thread that runs {@code body}. */
  WorkerThread start(ThreadKind kind, String name, Runnable body);

  /** A pool of at most {@code threads} platform daemons that start on demand and are named {@code name-1} and on. */
  ThreadPool pool(String name, int threads);

  /**
   * Runs {@code action} when the process is told to end, and lets it wait for that.
   *
   * @return takes it back
   */
  default Runnable atShutdown(String threadName, Runnable action) {
    return () -> {};
  }

  /** What a thread is for decides what it may be. */
  enum ThreadKind {
    /** Keeps leases alive: never starved by handlers that compute. */
    PLATFORM,
    /** Runs one handler. */
    VIRTUAL
  }

  /** A condition of one lock. Every method is called with that lock held. */
  interface WaitPoint {

    /**
     * Waits until {@link #signalAll()} or until {@code nanos} have passed, whichever is first; may return early for no
     * reason.
     *
     * @return false when the time ran out
     * @throws InterruptedException when the thread was interrupted before or during the wait
     */
    boolean await(long nanos) throws InterruptedException;

    /** Wakes all that wait here. */
    void signalAll();
  }

  /** A thread that was started here. */
  interface WorkerThread {
    String name();

    boolean isAlive();

    /** Whether the caller runs on this thread. */
    boolean isCurrent();

    void interrupt();
  }

  /** Runs tasks on few threads; tasks wait in order of arrival while all threads are busy. */
  interface ThreadPool {

    /** Queues the task. After {@link #shutdown()} it is dropped and the answer is false. */
    boolean execute(Runnable task);

    /** Takes no more tasks; those queued still run. Does not wait. */
    void shutdown();
  }
}
