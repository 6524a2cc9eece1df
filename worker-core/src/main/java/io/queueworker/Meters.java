package io.queueworker;

import io.queueworker.observe.Gauges;
import io.queueworker.observe.Listeners;
import io.queueworker.observe.MicrometerListener;
import java.util.Optional;
import java.util.function.Function;

/** The meters of one worker, if it has any: registered when it starts, removed when it ends. Thread-safe. */
final class Meters {

  private final Optional<Function<Gauges, MicrometerListener>> factory;
  private final Gauges gauges;
  private volatile Optional<MicrometerListener> bound = Optional.empty();

  /** Meters that {@code factory} registers, which read {@code gauges}. */
  Meters(Optional<Function<Gauges, MicrometerListener>> factory, Gauges gauges) {
    this.factory = factory;
    this.gauges = gauges;
  }

  /** Registers them, and has them hear of every event from now on. */
  void bind(Listeners listeners) {
    bound = factory.map(make -> make.apply(gauges));
    bound.ifPresent(listeners::add);
  }

  /** Removes them. */
  void close() {
    bound.ifPresent(MicrometerListener::close);
  }
}
