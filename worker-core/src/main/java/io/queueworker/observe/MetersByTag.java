package io.queueworker.observe;

import io.micrometer.core.instrument.Counter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counters of one name that differ in a tag whose values are not known in advance. Beyond {@value #VALUES} values the rest
 * is counted as {@code other}, so that a value that holds a changing text does not flood the registry.
 *
 * <p>Thread-safe.
 */
final class MetersByTag {

  private static final int VALUES = 20;
  private static final String OTHER = "other";

  private final Function<String, @Nullable Counter> register;
  private final Map<String, Counter> counters = new ConcurrentHashMap<>();

  /** Counters that {@code register} makes; it answers null when none are made any more. */
  MetersByTag(Function<String, @Nullable Counter> register) {
    this.register = register;
  }

  /** Counts one. */
  void increment(String value) {
    Counter counter = counters.get(value);
    if (counter == null) {
      counter = add(value);
    }
    if (counter != null) {
      counter.increment();
    }
  }

  private @Nullable Counter add(String value) {
    // Threads that race here may add a few values more than the bound, which does no harm.
    String counted = counters.size() < VALUES ? value : OTHER;
    Counter known = counters.get(counted);
    if (known != null) {
      return known;
    }
    Counter made = register.apply(counted);
    if (made != null) {
      counters.put(counted, made);
    }
    return made;
  }
}
