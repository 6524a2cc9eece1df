package io.queueworker.observe;

import io.queueworker.timing.KeeperLock;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How long runs took over the last hour, from lease start to commit: six windows of ten minutes, of which the oldest is
 * dropped as a whole. Slow work of the past thus stops mattering, as a histogram that never forgets would not let it.
 *
 * <p>A run that was told to end or lost its lease before its commit, and one that still runs at a {@link #snapshot}, counts
 * as one that takes longer than that. Failures and suppressed redeliveries are only counted.
 *
 * <p>As a listener, to be registered as inline, it hears of commits, suppressed redeliveries and deletes. How a run ended
 * without a commit it is told by {@link #cutOff} and {@link #failed}, since no event says how long each of those took.
 *
 * <p>Thread-safe. A window takes about 50 KB, whatever is recorded.
 */
public final class DurationHistogram implements WorkerListener {

  private static final int WINDOWS = 6;
  private static final Duration WINDOW = Duration.ofMinutes(10);

  private final long windowNanos;
  private final long originNanos;
  private final ReentrantLock lock = new KeeperLock();

  /** By window number modulo six; guarded by the lock. */
  private final @Nullable DurationWindow[] windows = new DurationWindow[WINDOWS];

  /** An empty histogram over six windows of ten minutes, the first of which starts at {@code nowNanos}. */
  public DurationHistogram(long nowNanos) {
    this(nowNanos, WINDOW);
  }

  /** An empty histogram over six windows of this length. */
  DurationHistogram(long nowNanos, Duration window) {
    this.originNanos = nowNanos;
    this.windowNanos = window.toNanos();
  }

  /** Records a commit, a suppressed redelivery or a delete; every other event is none of its business. */
  @Override
  public void onEvent(EventContext context, WorkerEvent event) {
    switch (event) {
      case WorkerEvent.Committed e -> record(e.sinceReceived().toNanos(), context.nanoTime());
      case WorkerEvent.Suppressed e -> in(context.nanoTime(), window -> window.suppressed++);
      case WorkerEvent.Deleted e -> in(context.nanoTime(), window -> window.deleted(e.sinceCommitted().toNanos()));
      default -> {
        // Says nothing about durations.
      }
    }
  }

  /** Counts a commit after this long, in the window of {@code nowNanos}. Blocks for no more than a few instructions of others. */
  public void record(long durationNanos, long nowNanos) {
    in(nowNanos, window -> window.committed(durationNanos));
  }

  /** Counts a run that was told to end, or lost its lease, and ended after this long without a commit. */
  public void cutOff(long durationNanos, long nowNanos) {
    in(nowNanos, window -> window.unfinished(durationNanos));
  }

  /** Counts a run that failed by itself. */
  public void failed(long nowNanos) {
    in(nowNanos, window -> window.failed++);
  }

  private void in(long nowNanos, Consumer<DurationWindow> change) {
    long number = windowNumber(nowNanos);
    int index = (int) Math.floorMod(number, (long) WINDOWS);
    lock.lock();
    try {
      DurationWindow window = windows[index];
      if (window == null) {
        window = new DurationWindow(number);
        windows[index] = window;
      } else if (window.number() < number) {
        window.reuse(number);
      }
      // A thread that read the clock and then stood still for an hour comes with a window that was reused since.
      if (window.number() == number) {
        change.accept(window);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The figures of the last 50 to 60 minutes as of {@code nowNanos}.
   *
   * @param running how long each run that goes on now has been going, in nanoseconds
   */
  public Durations snapshot(long nowNanos, long... running) {
    DurationWindow sum = new DurationWindow(0);
    long newest = windowNumber(nowNanos);
    lock.lock();
    try {
      for (DurationWindow window : windows) {
        if (window != null && window.number() > newest - WINDOWS) {
          sum.add(window);
        }
      }
    } finally {
      lock.unlock();
    }
    long cutOff = sum.unfinished.getTotalCount();
    for (long nanos : running) {
      sum.unfinished(nanos);
    }
    return new Durations(sum, cutOff);
  }

  private long windowNumber(long nowNanos) {
    return Math.floorDiv(nowNanos - originNanos, windowNanos);
  }
}
