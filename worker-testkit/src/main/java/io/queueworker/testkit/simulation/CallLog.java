package io.queueworker.testkit.simulation;

import java.util.ArrayList;
import java.util.List;

/** Every call to a simulated queue, and every call that its port forbids. Not thread-safe: belongs to the thread that holds the baton. */
final class CallLog {

  private final List<SimulatedCall> calls = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private int made;

  /** The number of the next call. */
  int nextNumber() {
    return ++made;
  }

  /** Keeps a call that a worker makes. */
  void add(SimulatedCall call) {
    calls.add(call);
  }

  /** Forgets a call that is not sent after all. */
  void remove(SimulatedCall call) {
    calls.remove(call);
  }

  /** All calls that were sent, in the order of the workers' decisions. */
  List<SimulatedCall> calls() {
    return List.copyOf(calls);
  }

  /** Those of one kind. */
  List<SimulatedCall> calls(CallKind kind) {
    return calls.stream().filter(call -> call.kind() == kind).toList();
  }

  /** How many entries the calls of one kind had. */
  int entries(CallKind kind) {
    return calls.stream().filter(call -> call.kind() == kind).mapToInt(call -> call.entries().size()).sum();
  }

  /** Keeps and throws what breaks the port's rules, so that a worker that swallows the exception is still found out. */
  void require(boolean allowed, String otherwise) {
    if (!allowed) {
      violations.add(otherwise);
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** What broke the port's rules. */
  List<String> violations() {
    return List.copyOf(violations);
  }
}
