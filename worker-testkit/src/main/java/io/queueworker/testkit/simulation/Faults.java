package io.queueworker.testkit.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What goes wrong with which call. Not thread-safe: belongs to the thread that holds the baton. */
final class Faults {

  private static final Set<CallKind> NO_ENTRIES = Set.of(CallKind.RECEIVE, CallKind.ATTRIBUTES, CallKind.SEND);

  private final Map<CallKind, Function<SimulatedCall, Fault>> plans = new EnumMap<>(CallKind.class);
  private final Map<CallKind, Deque<Fault>> next = new EnumMap<>(CallKind.class);

  /** Decides about every call of a kind from now on. */
  void plan(CallKind kind, Function<SimulatedCall, Fault> plan) {
    plans.put(kind, plan);
  }

  /** Decides about one call of a kind: the next one that no such decision waits for, and to which the fault does anything. */
  void once(CallKind kind, Fault fault) {
    if (fault.isOfEntries() && NO_ENTRIES.contains(kind)) {
      throw new IllegalArgumentException(
          kind + " has no entries that could fail: give another fault, or one of EXTEND, RELEASE and DELETE");
    }
    next.computeIfAbsent(kind, any -> new ArrayDeque<>()).add(fault);
  }

  /** How many decisions about one call no call has met yet. */
  int left() {
    return next.values().stream().mapToInt(Deque::size).sum();
  }

  /** What goes wrong with this call. */
  Fault of(SimulatedCall call) {
    Deque<Fault> queued = next.get(call.kind());
    if (queued != null && !queued.isEmpty()) {
      Optional<Fault> decided = queued.element().decidedFor(call.messageIds());
      if (decided.isPresent()) {
        queued.remove();
        return decided.get();
      }
    }
    Function<SimulatedCall, Fault> plan = plans.get(call.kind());
    return plan == null ? Fault.none() : plan.apply(call);
  }
}
