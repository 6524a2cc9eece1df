package io.queueworker.observe;

import io.queueworker.timing.KeeperLock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The durations from lease start to commit over the last hour: six windows of ten minutes, of which the oldest is dropped
 * as a whole. Slow work of the past thus stops mattering, as a histogram that never forgets would not let it.
 *
 * <p>As a listener it takes its samples from {@link WorkerEvent.Committed}, so failures and suppressed redeliveries stay
 * out. It must be registered as inline. Values are kept in milliseconds, rounded up, from 1 ms to 24 h; what is longer
 * counts as 24 h. Two significant digits keep the error at one percent and a window at about 20 KB, whatever is recorded.
 *
 * <p>Thread-safe.
 */
public final class DurationHistogram implements WorkerListener {

  private static final int WINDOWS = 6;
  private static final Duration WINDOW = Duration.ofMinutes(10);
  private static final long LONGEST_MILLIS = TimeUnit.HOURS.toMillis(24);
  private static final int SIGNIFICANT_DIGITS = 2;

  private final long windowNanos;
  private final long originNanos;
  private final ReentrantLock lock = new KeeperLock();

  /** By window number modulo six; guarded by the lock. */
  private final @Nullable Window[] windows = new Window[WINDOWS];

  /** An empty histogram over six windows of ten minutes, the first of which starts at {@code nowNanos}. */
  public DurationHistogram(long nowNanos) {
    this(nowNanos, WINDOW);
  }

  /** An empty histogram over six windows of this length. */
  DurationHistogram(long nowNanos, Duration window) {
    this.originNanos = nowNanos;
    this.windowNanos = window.toNanos();
  }

  /** Records a commit; every other event is none of its business. */
  @Override
  public void onEvent(EventContext context, WorkerEvent event) {
    if (event instanceof WorkerEvent.Committed committed) {
      record(committed.sinceReceived().toNanos(), context.nanoTime());
    }
  }

  /** Counts one duration in the window of {@code nowNanos}. Does not block beyond a few instructions of others. */
  public void record(long durationNanos, long nowNanos) {
    long millis = Math.ceilDiv(durationNanos, TimeUnit.MILLISECONDS.toNanos(1));
    long value = Math.max(1, Math.min(LONGEST_MILLIS, millis));
    long number = windowNumber(nowNanos);
    int index = (int) Math.floorMod(number, (long) WINDOWS);
    lock.lock();
    try {
      Window window = windows[index];
      if (window == null || window.number < number) {
        window = window == null ? new Window(number) : window.reusedFor(number);
        windows[index] = window;
      }
      // A thread that read the clock and then stood still for an hour comes with a window that was reused since.
      if (window.number == number) {
        window.histogram.recordValue(value);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The figures of the last 50 to 60 minutes as of {@code nowNanos}. */
  public Durations snapshot(long nowNanos) {
    Histogram sum = emptyHistogram();
    long newest = windowNumber(nowNanos);
    lock.lock();
    try {
      for (Window window : windows) {
        if (window != null && window.number > newest - WINDOWS) {
          sum.add(window.histogram);
        }
      }
    } finally {
      lock.unlock();
    }
    return new Durations(
        sum.getTotalCount(),
        percentile(sum, 50),
        percentile(sum, 90),
        percentile(sum, 99),
        percentile(sum, 99.9),
        percentile(sum, 100));
  }

  private long windowNumber(long nowNanos) {
    return Math.floorDiv(nowNanos - originNanos, windowNanos);
  }

  private static Duration percentile(Histogram histogram, double percentile) {
    // The bucket's upper end; for one that holds 24 h it lies beyond what was recorded.
    return Duration.ofMillis(Math.min(LONGEST_MILLIS, histogram.getValueAtPercentile(percentile)));
  }

  private static Histogram emptyHistogram() {
    return new Histogram(LONGEST_MILLIS, SIGNIFICANT_DIGITS);
  }

  /** The samples of one window; guarded by the histogram's lock. */
  private record Window(long number, Histogram histogram) {

    Window(long number) {
      this(number, emptyHistogram());
    }

    Window reusedFor(long newNumber) {
      histogram.reset();
      return new Window(newNumber, histogram);
    }
  }
}
