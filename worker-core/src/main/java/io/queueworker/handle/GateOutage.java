package io.queueworker.handle;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Whether the gate's store can be reached, as the runs that wait for it see it: an outage begins with the first run that
 * cannot reach it and ends when none waits any more. Thread-safe.
 */
public final class GateOutage {

  private final Condition outage;
  private final Set<HandlerRun<?, ?>> waiting = ConcurrentHashMap.newKeySet();
  private volatile String why = "";

  /** Tells {@code began} why, and {@code over}, in turn and never both at once. */
  public GateOutage(Consumer<String> began, Runnable over) {
    this.outage = new Condition(() -> !waiting.isEmpty(), () -> began.accept(why), over);
  }

  void waits(HandlerRun<?, ?> run, String reason) {
    if (waiting.isEmpty()) {
      why = reason;
    }
    waiting.add(run);
    outage.look();
  }

  void answered(HandlerRun<?, ?> run) {
    if (waiting.remove(run)) {
      outage.look();
    }
  }
}
