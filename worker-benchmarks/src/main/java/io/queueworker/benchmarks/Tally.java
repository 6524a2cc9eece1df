package io.queueworker.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Which messages were handled, and how often. It calls back when the warm-up is over, on the thread that ended it. Thread-safe.
 */
final class Tally {

  private final AtomicIntegerArray runs;
  private final AtomicInteger distinct = new AtomicInteger();
  private final LongAdder duplicates = new LongAdder();
  private final int warmup;
  private final Runnable warm;
  private final CountDownLatch all = new CountDownLatch(1);
  private volatile long lastAt;

  /**
   * For messages that are numbered from zero.
   *
   * @param total how many there are, those of the warm-up included
   * @param warmup after how many {@code warm} is called
   */
  Tally(int total, int warmup, Runnable warm) {
    this.runs = new AtomicIntegerArray(total);
    this.warmup = warmup;
    this.warm = warm;
  }

  /** A handler ran for this message; true when the warm-up is over. */
  boolean handled(int index) {
    if (runs.getAndIncrement(index) > 0) {
      duplicates.increment();
      return true;
    }
    int so = distinct.incrementAndGet();
    if (so == warmup) {
      warm.run();
    }
    if (so == runs.length()) {
      lastAt = System.nanoTime();
      all.countDown();
    }
    return so > warmup;
  }

  /** Waits until every message was handled; false when that takes longer. */
  boolean awaitAll(int seconds) throws InterruptedException {
    return all.await(seconds, TimeUnit.SECONDS);
  }

  /** When the last one was handled. */
  long lastAt() {
    return lastAt;
  }

  /** Messages that no handler has seen. */
  int missing() {
    return runs.length() - distinct.get();
  }

  /** Handler runs beyond the first of each message. */
  long duplicates() {
    return duplicates.sum();
  }
}
