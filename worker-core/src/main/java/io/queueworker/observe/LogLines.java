package io.queueworker.observe;

import io.queueworker.timing.BoundedPool;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadPool;
import io.queueworker.timing.Timing.WaitPoint;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The log of one worker, written on a thread of its own: what hands over a line never waits for the disk, nor for an appender's
 * lock, so that a slow log costs no lease.
 *
 * <p>At most {@value #BACKLOG} lines wait; what comes beyond that is dropped, and one line says how many were. What comes after
 * {@link #close()} is written in place: then no lease can be lost any more. Thread-safe.
 */
public final class LogLines {

  /** How many lines may wait. */
  static final int BACKLOG = 10_000;

  private static final Duration LAST_LINES = Duration.ofSeconds(1);
  private static final Logger log = LoggerFactory.getLogger(LogListener.LOGGER);

  private final Timing timing;
  private final String origin;
  private final BoundedPool thread;
  private final AtomicLong dropped = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final WaitPoint written;

  /** Guarded by lock. */
  private boolean allWritten;

  private volatile boolean closed;

  /** The lines of a worker on a queue, written on {@code thread}, a pool of one, which starts with the first line. */
  public LogLines(Timing timing, String queue, String worker, ThreadPool thread) {
    this.timing = timing;
    this.origin = "queue=" + queue + " worker=" + worker + " ";
    this.thread = new BoundedPool(thread, BACKLOG);
    this.written = timing.waitPoint(lock);
  }

  /** Whether a line of this level would be written. */
  static boolean isEnabled(Level level) {
    return log.isEnabledForLevel(level);
  }

  /** Puts a line behind those that wait, or drops it. Never throws, never waits. */
  void write(Level level, String line, @Nullable Throwable cause) {
    if (closed) {
      log(level, line, cause);
      return;
    }
    try {
      if (!thread.execute(() -> writeNow(level, line, cause))) {
        dropped.incrementAndGet();
      }
    } catch (Throwable e) {
      // The machine gives no thread. The line is lost like any other that finds no place.
      dropped.incrementAndGet();
    }
  }

  private void writeNow(Level level, String line, @Nullable Throwable cause) {
    log(level, line, cause);
    // A burst ends when the backlog is half empty: at its brim, each line in turn would start and end one.
    if (dropped.get() > 0 && thread.waiting() <= BACKLOG / 2) {
      long missed = dropped.getAndSet(0);
      log(
          Level.WARN,
          missed + " log lines were dropped, since the log is slower than the worker. Make its appender faster.",
          null);
    }
  }

  private void log(Level level, String line, @Nullable Throwable cause) {
    try {
      log.atLevel(level).setCause(cause).log(origin + line);
    } catch (Throwable e) {
      // The log itself fails, or memory or stack has run out: nobody is left to tell.
      return;
    }
  }

  /**
   * Ends the thread, and waits up to a second until the lines that wait are written. An interrupt of the caller ends the
   * waiting, and is still set afterwards. Calling it again does nothing.
   */
  public void close() {
    boolean queued = false;
    try {
      queued = thread.executeLast(this::tellWritten);
    } catch (Throwable t) {
      // Such as no memory for a thread: then nobody writes what waits.
    }
    closed = true;
    thread.shutdown();
    if (queued) {
      awaitWritten();
    }
  }

  private void tellWritten() {
    lock.lock();
    try {
      allWritten = true;
      written.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void awaitWritten() {
    lock.lock();
    try {
      long until = timing.nanoTime() + LAST_LINES.toNanos();
      for (long left = LAST_LINES.toNanos(); !allWritten && left > 0; left = until - timing.nanoTime()) {
        written.await(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
