package io.queueworker.testkit.chaos;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts of what happened in runs: disturbances that came about, and branches that were taken. Thread-safe. */
final class Tally {

  private final Map<String, Long> fired = new ConcurrentHashMap<>();
  private final Map<String, Long> taken = new ConcurrentHashMap<>();

  /** A disturbance came about. */
  void fired(ChaosStep step) {
    fired.merge(step.kind(), 1L, Long::sum);
  }

  /** A branch was taken. */
  void took(String branch) {
    taken.merge(branch, 1L, Long::sum);
  }

  /** Adds another's counts. */
  void add(Tally other) {
    other.fired.forEach((kind, count) -> fired.merge(kind, count, Long::sum));
    other.taken.forEach((branch, count) -> taken.merge(branch, count, Long::sum));
  }

  /** How often each kind of disturbance came about. */
  Map<String, Long> fired() {
    return fired;
  }

  /** How often each branch was taken. */
  Map<String, Long> taken() {
    return taken;
  }
}
