package io.queueworker.handle;

import io.queueworker.LossReason;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.HandlerStuck;
import io.queueworker.observe.WorkerEvent.HandlerUnstuck;
import io.queueworker.timing.KeeperLock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The runs that lost their lease, or were told to end, and still go on in user code or in the gate: interrupts those that run
 * past their time, and names those that ignore it or cannot be interrupted. Thread-safe.
 */
final class StuckHandlers {

  /** How long a run may take to end after it was told to, or in the gate after its loss, before it counts as stuck. */
  private static final long GRACE = Duration.ofSeconds(1).toNanos();

  private final long maxProcessing;
  private final Consumer<WorkerEvent> events;
  private final ReentrantLock lock = new KeeperLock();

  /** In the order in which they came, each with whether it was reported as stuck. Guarded by lock. */
  private final Map<HandlerRun<?, ?>, Boolean> watched = new LinkedHashMap<>();

  StuckHandlers(long maxProcessing, Consumer<WorkerEvent> events) {
    this.maxProcessing = maxProcessing;
    this.events = events;
  }

  /** Watches a run; one that has ended by now is dropped again by the next tick. */
  void watch(HandlerRun<?, ?> run) {
    lock.lock();
    try {
      watched.putIfAbsent(run, false);
    } finally {
      lock.unlock();
    }
  }

  /** Looks at all that are watched. Part of every heartbeat tick. */
  void tick(long now) {
    for (HandlerRun<?, ?> run : all()) {
      if (run.hasEnded()) {
        ended(run);
        continue;
      }
      long running = run.thread().runningFor(now);
      if (running >= maxProcessing) {
        run.interrupt(LossReason.OVERTIME);
      }
      if (run.thread().isOverdue(now, GRACE) && report(run)) {
        events.accept(
            new HandlerStuck(run.messageId(), run.receiveCount(), run.threadName(), Duration.ofNanos(running)));
      }
    }
  }

  private boolean report(HandlerRun<?, ?> run) {
    lock.lock();
    try {
      return watched.replace(run, false, true);
    } finally {
      lock.unlock();
    }
  }

  /** Stops watching a run. */
  void ended(HandlerRun<?, ?> run) {
    Boolean reported;
    lock.lock();
    try {
      reported = watched.remove(run);
    } finally {
      lock.unlock();
    }
    if (Boolean.TRUE.equals(reported)) {
      events.accept(new HandlerUnstuck(run.messageId(), run.receiveCount()));
    }
  }

  private List<HandlerRun<?, ?>> all() {
    lock.lock();
    try {
      return List.copyOf(watched.keySet());
    } finally {
      lock.unlock();
    }
  }

  /** The threads of the stuck handlers. */
  List<String> threads() {
    lock.lock();
    try {
      return watched.entrySet().stream()
          .filter(Map.Entry::getValue)
          .map(entry -> entry.getKey().threadName())
          .toList();
    } finally {
      lock.unlock();
    }
  }
}
