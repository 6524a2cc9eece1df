package io.queueworker.observe;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queueworker.timing.SystemTiming;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What it costs to tell of one event: with no listener, with one that counts, with meters. One thread. */
@State(Scope.Benchmark)
public class ListenersBench {

  /** Who listens: {@code none}, {@code counting}, {@code meters}. */
  @Param({"none", "counting", "meters"}) public String who = "none";

  private final LongAdder events = new LongAdder();
  private final WorkerEvent event = new WorkerEvent.HandlerReturned("message", 1, Duration.ofMillis(20));
  private Listeners listeners = listeners(List.of());

  /** Adds the listener. */
  @Setup
  public void listen() {
    listeners =
        switch (who) {
          case "none" -> listeners(List.of());
          case "counting" -> listeners(List.of((context, told) -> events.increment()));
          default -> listeners(List.of(meters()));
        };
  }

  private static MicrometerListener meters() {
    Gauges gauges =
        new Gauges(
            () -> 0,
            () -> 0,
            () -> 0,
            () -> {
              throw new IllegalStateException("nobody reads this gauge");
            },
            () -> {
              throw new IllegalStateException("nobody reads this gauge");
            });
    return MicrometerListener.bind(new SimpleMeterRegistry(), "queue", "worker", gauges);
  }

  private static Listeners listeners(List<WorkerListener> inline) {
    SystemTiming timing = SystemTiming.instance();
    LogLines log = new LogLines(timing, "queue", "worker", timing.pool("log", 1));
    return new Listeners(timing, "queue", "worker", inline, List.of(), log);
  }

  /** One event. */
  @Benchmark
  public void emit() {
    listeners.emit(event);
  }
}
