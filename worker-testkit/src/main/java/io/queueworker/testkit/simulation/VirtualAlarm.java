package io.queueworker.testkit.simulation;

import io.queueworker.testkit.engine.Alarm;

/** Virtual time as a queue's long polls need it. Not thread-safe: belongs to the thread that holds the baton. */
record VirtualAlarm(Timeline time) implements Alarm {

  @Override
  public long now() {
    return time.elapsed();
  }

  @Override
  public Pending after(long nanos, Runnable action) {
    Timer timer = time.after(nanos, action);
    return () -> time.cancel(timer);
  }
}
