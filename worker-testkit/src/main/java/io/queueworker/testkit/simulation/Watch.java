package io.queueworker.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The threads that wait for a condition. Not thread-safe: belongs to the thread that holds the baton. */
final class Watch {

  private final List<SimThread> watching = new ArrayList<>();

  /** The thread waits for its condition from here on, if it has one. */
  void add(SimThread thread) {
    if (thread.condition != null) {
      watching.add(thread);
    }
  }

  /** The thread waits no more. */
  void remove(SimThread thread) {
    watching.remove(thread);
  }

  /** A thread whose condition holds, or cannot be looked at; null when there is none. */
  @Nullable
  SimThread reached() {
    for (SimThread thread : watching) {
      if (!thread.machine.isHalted() && holds(thread)) {
        return thread;
      }
    }
    return null;
  }

  private static boolean holds(SimThread thread) {
    BooleanSupplier condition = thread.condition;
    try {
      return condition != null && condition.getAsBoolean();
    } catch (Throwable thrown) {
      thread.conditionFailure = thrown;
      return true;
    }
  }
}
