package io.queueworker.examples;

import io.queueworker.testkit.QueueCounts;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.sql.SQLException;
import java.time.Duration;

/** What the user of an example sees while it runs: a line each second, until a time limit. For one thread. */
final class Progress {

  /** A state to wait for. */
  @FunctionalInterface
  interface Goal {
    boolean isReached() throws SQLException;
  }

  /** How many effects there are. */
  @FunctionalInterface
  interface Effects {
    int count() throws SQLException;
  }

  private static final long BETWEEN_LOOKS_MILLIS = 100;
  private static final long BETWEEN_LINES_NANOS = 1_000_000_000;

  private final TestQueueHandle queue;
  private final Effects effects;
  private final Fleet fleet;
  private final long limitNanos;
  private final long start = System.nanoTime();
  private long lines;

  Progress(TestQueueHandle queue, Effects effects, Fleet fleet, Duration limit) {
    this.queue = queue;
    this.effects = effects;
    this.fleet = fleet;
    this.limitNanos = limit.toNanos();
  }

  /** Waits for a goal. False means that time is up or a worker has failed. */
  boolean reaches(Goal goal) throws SQLException, InterruptedException {
    while (!goal.isReached()) {
      if (elapsed() >= limitNanos || fleet.hasFailed()) {
        say(fleet.hasFailed() ? "a worker has ended by itself" : "time is up");
        return false;
      }
      if (elapsed() >= lines * BETWEEN_LINES_NANOS) {
        lines++;
        QueueCounts counts = queue.counts();
        say("%4d effects %6d visible %4d in flight".formatted(effects.count(), counts.visible(), counts.inFlight()));
      }
      Thread.sleep(BETWEEN_LOOKS_MILLIS);
    }
    return true;
  }

  /** Prints a line with the time since the start. */
  void say(String what) {
    System.out.printf("%4d s  %s%n", elapsed() / 1_000_000_000, what);
  }

  private long elapsed() {
    return System.nanoTime() - start;
  }
}
