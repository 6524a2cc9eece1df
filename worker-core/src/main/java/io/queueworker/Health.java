package io.queueworker;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How a worker is doing at one moment.
 *
 * @param state where it is in its life
 * @param lastReceive when a receive last completed, empty ones included
 * @param inFlight messages received and not yet settled
 * @param stuck threads of handlers that were told to end and have not
 * @param pauses why it does not receive, with the reason in words; empty when it does
 * @param denied permissions that the service denies, by their names in a policy
 * @param warnings what the start found that a person should look at
 */
public record Health(
    WorkerState state,
    Optional<Instant> lastReceive,
    int inFlight,
    List<String> stuck,
    Map<PauseReason, String> pauses,
    Set<String> denied,
    List<String> warnings) {}
