package io.queueworker.benchmarks;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;

/** Looks whether the messages of each group are handled in the order in which they were sent. Thread-safe. */
final class GroupOrder {

  /** How many groups there are: message {@code i} is in group {@code i} modulo that. */
  static final int GROUPS = 1_000;

  private final AtomicIntegerArray last = new AtomicIntegerArray(GROUPS);
  private final LongAdder wrong = new LongAdder();

  /** A message was handled. */
  void handled(int index) {
    if (last.getAndSet(index % GROUPS, index) > index) {
      wrong.increment();
    }
  }

  /** Messages that came after a later one. */
  long wrong() {
    return wrong.sum();
  }
}
