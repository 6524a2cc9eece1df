package io.queueworker.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one worker in a registry: made with the worker's tags, remembered, and removed together.
 *
 * <p>Thread-safe.
 */
final class WorkerMeters {

  private static final double NANOS_PER_SECOND = 1e9;

  private final MeterRegistry registry;
  private final Tags tags;
  private final ReentrantLock lock = new ReentrantLock();

  /** What to remove; guarded by the lock. */
  private final List<Meter> registered = new ArrayList<>();

  /** Guarded by the lock. */
  private boolean closed;

  /** No meters yet; each that is made here carries these two tags. */
  WorkerMeters(MeterRegistry registry, String queue, String worker) {
    this.registry = registry;
    this.tags = Tags.of("queue", queue, "worker", worker);
  }

  /** A counter with these tags beside the worker's own. */
  Counter counter(String name, String... moreTags) {
    Counter counter = registry.counter(name, tags.and(moreTags));
    remember(counter);
    return counter;
  }

  /** A counter for each value of an enum, tagged with its name in lower case. */
  <E extends Enum<E>> Map<E, Counter> countersByEnum(String name, String tag, Class<E> type) {
    Map<E, Counter> counters = new EnumMap<>(type);
    for (E value : type.getEnumConstants()) {
      counters.put(value, counter(name, tag, value.name().toLowerCase(Locale.ROOT)));
    }
    return counters;
  }

  /** Counters that come to be with the first event of their tag's value. */
  MetersByTag countersByOpenTag(String name, String tag) {
    return new MetersByTag(value -> counterUnlessClosed(name, tag, value));
  }

  /** A timer. */
  Timer timer(String name) {
    Timer timer = registry.timer(name, tags);
    remember(timer);
    return timer;
  }

  /** A gauge that reads a number of things. It has no unit, which some registries would append to its name. */
  void number(String name, LongSupplier value, String... moreTags) {
    remember(Gauge.builder(name, value::getAsLong).tags(tags.and(moreTags)).register(registry));
  }

  /** The same with NaN where there is nothing to tell. */
  void figure(String name, Supplier<Number> value, String... moreTags) {
    remember(Gauge.builder(name, value).tags(tags.and(moreTags)).register(registry));
  }

  /** A gauge in seconds. */
  void seconds(String name, Supplier<Number> value) {
    remember(Gauge.builder(name, value).tags(tags).baseUnit("seconds").register(registry));
  }

  /** A gauge in seconds that has no value while there are no samples. */
  void seconds(String name, Supplier<Durations> durations, Function<Durations, Estimate> figure) {
    seconds(
        name,
        () -> {
          Durations now = durations.get();
          return now.count() == 0 ? Double.NaN : figure.apply(now).value().toNanos() / NANOS_PER_SECOND;
        });
  }

  /** Removes all of them. */
  void close() {
    lock.lock();
    try {
      closed = true;
      registered.forEach(registry::remove);
      registered.clear();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Counter counterUnlessClosed(String name, String tag, String value) {
    lock.lock();
    try {
      // An event that comes during the close would else leave behind a meter that nobody removes.
      return closed ? null : counter(name, tag, value);
    } finally {
      lock.unlock();
    }
  }

  private void remember(Meter meter) {
    lock.lock();
    try {
      registered.add(meter);
    } finally {
      lock.unlock();
    }
  }
}
