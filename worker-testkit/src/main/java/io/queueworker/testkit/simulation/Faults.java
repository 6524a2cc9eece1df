package io.queueworker.testkit.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/** What goes wrong with which call. Not thread-safe: belongs to the thread that holds the baton. */
final class Faults {

  private final Map<CallKind, Function<SimulatedCall, Fault>> plans = new EnumMap<>(CallKind.class);
  private final Map<CallKind, Deque<Fault>> next = new EnumMap<>(CallKind.class);

  /** Decides about every call of a kind from now on. */
  void plan(CallKind kind, Function<SimulatedCall, Fault> plan) {
    plans.put(kind, plan);
  }

  /** Decides about one call of a kind: the next one that no such decision waits for. */
  void once(CallKind kind, Fault fault) {
    next.computeIfAbsent(kind, any -> new ArrayDeque<>()).add(fault);
  }

  /** What goes wrong with this call. */
  Fault of(SimulatedCall call) {
    Deque<Fault> queued = next.get(call.kind());
    if (queued != null && !queued.isEmpty()) {
      return queued.remove();
    }
    Function<SimulatedCall, Fault> plan = plans.get(call.kind());
    return plan == null ? Fault.none() : plan.apply(call);
  }
}
