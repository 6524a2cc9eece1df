package io.queueworker.observe;

import io.queueworker.timing.SystemTiming;
import io.queueworker.timing.Timing.ThreadPool;

/** A pool that runs each task in place, so that a test finds every line as soon as it was handed over. Stateless. */
record InPlace() implements ThreadPool {

  /** The lines of worker w1 on queue orders, written in place. */
  static LogLines lines() {
    return new LogLines(SystemTiming.instance(), "orders", "w1", new InPlace());
  }

  @Override
  public boolean execute(Runnable task) {
    task.run();
    return true;
  }

  @Override
  public void shutdown() {}
}
