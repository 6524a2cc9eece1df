package io.queueworker.handle;

import io.queueworker.LossReason;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.HandlerStuck;
import io.queueworker.observe.WorkerEvent.HandlerUnstuck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The handlers that lost their lease and still run: interrupts those that run past their time, and names those that ignore it.
 * Thread-safe.
 */
final class StuckHandlers {

  /** How long a handler may take to end after it was told to, before it counts as stuck. */
  private static final long GRACE = Duration.ofSeconds(1).toNanos();

  private final long maxProcessing;
  private final Consumer<WorkerEvent> events;
  private final Map<HandlerRun<?, ?>, Boolean> reported = new ConcurrentHashMap<>();

  StuckHandlers(long maxProcessing, Consumer<WorkerEvent> events) {
    this.maxProcessing = maxProcessing;
    this.events = events;
  }

  /** Watches a run whose lease was lost, or that was told to end. */
  void watch(HandlerRun<?, ?> run) {
    reported.putIfAbsent(run, false);
  }

  /** Looks at all that are watched. Part of every heartbeat tick. */
  void tick(long now) {
    reported.forEach(
        (run, told) -> {
          long running = run.thread().runningFor(now);
          if (running >= maxProcessing) {
            run.interrupt(LossReason.OVERTIME);
          }
          if (!told && run.thread().interruptedFor(now) >= GRACE && reported.replace(run, false, true)) {
            events.accept(
                new HandlerStuck(run.messageId(), run.threadName(), Duration.ofNanos(running)));
          }
        });
  }

  void ended(HandlerRun<?, ?> run) {
    if (Boolean.TRUE.equals(reported.remove(run))) {
      events.accept(new HandlerUnstuck(run.messageId()));
    }
  }

  /** The threads of the stuck handlers. */
  List<String> threads() {
    List<String> names = new ArrayList<>();
    reported.forEach(
        (run, told) -> {
          if (told) {
            names.add(run.threadName());
          }
        });
    return names;
  }
}
