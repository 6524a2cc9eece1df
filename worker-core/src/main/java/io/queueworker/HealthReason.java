package io.queueworker;

import io.queueworker.Health.Status;
import java.util.Locale;

/**
 * One thing that is wrong with a worker. Immutable.
 *
 * @param kind what it is
 * @param status how bad it is: DEGRADED or DOWN
 * @param words what was seen, and what to do
 */
public record HealthReason(Kind kind, Status status, String words) {

  /** What can be wrong. {@code docs/operations/runbook.md} has a heading of this name for each. */
  public enum Kind {
    /** DOWN: it was not started, or its start still checks queue and gate. */
    NOT_STARTED,
    /** DOWN: it closed, or its start failed. */
    CLOSED,
    /** DEGRADED: it closes, and finishes what is in flight. */
    DRAINING,
    /** DOWN: a receive was due, and none has completed for {@link WorkerBuilder#healthDownAfter}. */
    NO_RECEIVE,
    /** DEGRADED: the latest receives failed, three in a row or more. */
    RECEIVES_FAIL,
    /** DEGRADED: a receive passed its own deadline and still hangs; others took its place. */
    RECEIVES_HANG,
    /** DOWN: the heartbeat has not ticked for ten seconds, so that leases run out. */
    HEARTBEAT_STOPPED,
    /** DEGRADED: extensions are due and do not succeed, so that leases are about to run out. */
    BEATS_LATE,
    /** DEGRADED: leases were lost in the last five minutes. */
    LEASES_LOST,
    /** DEGRADED: handlers were told to end and have not. DOWN when they hold every permit. */
    HANDLERS_STUCK,
    /** DEGRADED: the gate's store cannot be reached. */
    GATE_UNAVAILABLE,
    /** DEGRADED: the circuit breaker is not closed. */
    BREAKER_OPEN,
    /** DEGRADED: the service denies a permission that the worker needs. */
    PERMISSION_DENIED,
    /** DEGRADED: {@link QueueWorker#pause()} was called. */
    PAUSED_BY_HAND,
    /** DEGRADED: the latest deletes failed, three in a row or more. */
    DELETES_FAIL,
    /** DEGRADED: the latest sends to the dead-letter queue failed, three in a row or more. */
    REJECTS_FAIL,
    /** DEGRADED: a listener is too far behind, and events for it are dropped. */
    EVENTS_DROPPED,
    /** DEGRADED: the worker's own code failed in the last five minutes, which is a bug of this library. */
    INTERNAL_ERROR;

    /** Where the runbook speaks of it: the anchor of its heading. */
    public String anchor() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
