package io.queueworker.testkit.simulation;

import io.queueworker.queue.EntryResult;
import java.time.Duration;
import java.util.List;

/** The calls for a message that their worker did not hold and could have known so. Stateless. */
final class Trespasses {

  private Trespasses() {}

  /** Those among these calls; see {@link SimulatedQueue#trespasses()}. */
  static List<SimulatedCall> in(List<SimulatedCall> calls) {
    List<SimulatedCall> changes =
        calls.stream().filter(call -> call.kind() == CallKind.EXTEND || call.kind() == CallKind.RELEASE).toList();
    return changes.stream()
        .filter(
            call -> call.entries().stream()
                .anyMatch(entry -> !entry.inTimeWhenDecided() && !isUnwitting(call.decidedAt(), entry, changes)))
        .toList();
  }

  /** Whether a call of an earlier holder, which was made in time and arrived late, has cut the hold short. */
  private static boolean isUnwitting(Duration at, SimulatedCall.Entry entry, List<SimulatedCall> changes) {
    return changes.stream()
        .filter(call -> call.arrivedAt().filter(arrived -> arrived.compareTo(at) <= 0).isPresent())
        .flatMap(call -> call.entries().stream())
        .anyMatch(
            other -> other.messageId().equals(entry.messageId())
                && other.receive() < entry.receive()
                && !other.held()
                && other.result().filter(EntryResult.Done.class::isInstance).isPresent());
  }
}
