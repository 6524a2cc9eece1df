package io.queueworker;

import io.queueworker.observe.Gauges;
import io.queueworker.observe.MicrometerListener;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The meters of one worker, if it has any: registered when it starts, removed when it ends. Thread-safe. */
final class Meters {

  /** Many gauges read the same health one after the other, and each look goes over every lease. */
  private static final long SAME_LOOK = Duration.ofMillis(500).toNanos();

  private final Optional<Function<Gauges, MicrometerListener>> factory;
  private volatile Optional<MicrometerListener> bound = Optional.empty();
  private volatile Optional<Look> latest = Optional.empty();

  private record Look(Health health, long at) {}

  /** Meters that {@code factory} registers. */
  Meters(Optional<Function<Gauges, MicrometerListener>> factory) {
    this.factory = factory;
  }

  /** Registers them, and has them hear of every event from now on. */
  void bind(Pipeline pipeline, Supplier<Health> health) {
    Gauges gauges =
        new Gauges(
            pipeline.pollLoop::inFlight,
            () -> pipeline.threads.stuck().size(),
            () -> pipeline.pauses.reasons().size(),
            pipeline::durations,
            () -> health(pipeline.timing.nanoTime(), health));
    bound = factory.map(make -> make.apply(gauges));
    bound.ifPresent(pipeline.listeners::add);
  }

  private Health health(long now, Supplier<Health> health) {
    Optional<Look> before = latest.filter(look -> now - look.at < SAME_LOOK);
    if (before.isPresent()) {
      return before.get().health;
    }
    Health found = health.get();
    latest = Optional.of(new Look(found, now));
    return found;
  }

  /** Removes them. */
  void close() {
    bound.ifPresent(MicrometerListener::close);
  }
}
