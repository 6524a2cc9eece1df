package io.queueworker.strict;

import io.queueworker.testkit.endpoint.EndpointCall;
import io.queueworker.testkit.endpoint.EndpointCall.Outcome;
import io.queueworker.testkit.endpoint.Operation;
import io.queueworker.testkit.endpoint.StrictQueue;
import java.time.Duration;
import java.util.List;

/** The extensions of the one message of a queue, held against the cap. Immutable. */
record CapCalls(StrictQueue queue) {

  private static final Duration CAP = Duration.ofHours(12);

  /** Those that the service has answered. */
  private List<EndpointCall> answered() {
    return queue.calls(Operation.CHANGE_VISIBILITY).stream()
        .filter(call -> call.outcome() != Outcome.UNDER_WAY)
        .toList();
  }

  /** How many were done, each of which asked for no more than the cap left by the service's clock. */
  long doneWithinTheCap() {
    Duration received =
        queue.calls(Operation.RECEIVE).stream()
            .filter(call -> !call.entries().isEmpty())
            .map(EndpointCall::arrivedAt)
            .findFirst()
            .orElseThrow();
    return answered().stream()
        .filter(call -> is(call, EndpointCall.Entry.DONE))
        .map(call -> call.arrivedAt().minus(received).plus(call.entries().get(0).visibility().orElseThrow()))
        .filter(end -> end.compareTo(CAP) <= 0)
        .count();
  }

  /** How many were refused, as the service refuses what is beyond the cap. */
  long refused() {
    return answered().stream().filter(call -> is(call, "InvalidParameterValue")).count();
  }

  private static boolean is(EndpointCall call, String result) {
    return call.entries().size() == 1 && call.entries().get(0).result().equals(result);
  }

  @Override
  public String toString() {
    return doneWithinTheCap() + " extensions done within the cap, " + refused() + " refused";
  }
}
