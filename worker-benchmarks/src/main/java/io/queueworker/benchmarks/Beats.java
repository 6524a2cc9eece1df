package io.queueworker.benchmarks;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * What a queue sees of a contender's beats: how long after the receive or the beat before each comes, and which came after the
 * visibility timeout, or never. Thread-safe.
 */
final class Beats {

  private static final int PER_MILLE = 1_000;

  /** In hundredths of a percent of the interval. */
  private static final double PARTS = 10_000;

  private final AtomicLongArray seenAt;
  private final long visibilityNanos;
  private final ConcurrentHistogram lateness = new ConcurrentHistogram(100 * PER_MILLE * PER_MILLE, 3);
  private final LongAdder lapsed = new LongAdder();

  /** Of so many messages, each hidden for so long. */
  Beats(int messages, int visibilitySeconds) {
    this.seenAt = new AtomicLongArray(messages);
    this.visibilityNanos = visibilitySeconds * 1_000_000_000L;
  }

  /** The interval that this worker keeps: half the visibility timeout. */
  static double intervalSeconds(Plan plan) {
    return plan.visibilitySeconds() / 2.0;
  }

  /** A message was handed out. */
  void received(int index) {
    seenAt.set(index, System.nanoTime());
  }

  /** Its visibility was extended. */
  void extended(int index) {
    long now = System.nanoTime();
    long since = now - seenAt.getAndSet(index, now);
    long interval = visibilityNanos / 2;
    lateness.recordValue((long) (Math.max(0, since - interval) * PARTS / interval));
    count(since);
  }

  /** It was deleted. */
  void ended(int index) {
    count(System.nanoTime() - seenAt.get(index));
  }

  private void count(long since) {
    if (since > visibilityNanos) {
      lapsed.increment();
    }
  }

  /** Messages that others could have received. */
  long lapsed() {
    return lapsed.sum();
  }

  /** How late so many percent of the beats are at most, in percent of the interval. */
  double latenessPercent(double percentile) {
    return lateness.getValueAtPercentile(percentile) * 100 / PARTS;
  }
}
