package io.queueworker.observe;

import io.queueworker.DuplicateCause;
import io.queueworker.DuplicateDiagnosis;
import io.queueworker.Failure;
import io.queueworker.LossReason;
import io.queueworker.PauseReason;
import io.queueworker.gate.Admission.Completion;
import io.queueworker.observe.WorkerEvent.HoldReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One event of each type, and of each reason where that matters. */
final class EveryEvent {

  static final EventContext CONTEXT = new EventContext("orders", "w1", Instant.EPOCH, 0);

  private EveryEvent() {}

  static List<WorkerEvent> all() {
    List<WorkerEvent> events = new ArrayList<>(aboutTheWorker());
    events.addAll(aboutMessages());
    for (LossReason reason : LossReason.values()) {
      events.add(new WorkerEvent.LeaseLost("m1", 1, reason, "why"));
      events.add(new WorkerEvent.NotStarted("m1", 1, reason));
    }
    for (HoldReason reason : HoldReason.values()) {
      events.add(new WorkerEvent.HeldBack("m1", 1, reason, "why", Duration.ofSeconds(1)));
    }
    for (PauseReason reason : PauseReason.values()) {
      events.add(new WorkerEvent.Paused(reason, "why"));
      events.add(new WorkerEvent.Resumed(reason));
    }
    for (Failure.Stage stage : Failure.Stage.values()) {
      events.add(new WorkerEvent.Failed("m1", 2, stage, new IllegalStateException("no stock"), "tried again in 3 s"));
    }
    return events;
  }

  private static List<WorkerEvent> aboutTheWorker() {
    return List.of(
        new WorkerEvent.Started(Duration.ofSeconds(30), List.of("no redrive policy: set one")),
        new WorkerEvent.Draining(3, Duration.ofSeconds(25)),
        new WorkerEvent.Closed(Duration.ofSeconds(2), List.of()),
        new WorkerEvent.ReceiveCompleted(10, 4, Duration.ofMillis(20)),
        new WorkerEvent.ReceiveFailed("unreachable", "connection refused", 1, Duration.ofSeconds(1)),
        new WorkerEvent.PollReplaced("worker-orders-poll-1"),
        new WorkerEvent.VisibilityChanged(Duration.ofSeconds(30), Duration.ofSeconds(150)),
        new WorkerEvent.PermissionDenied("sqs:DeleteMessage"),
        new WorkerEvent.PermissionRestored("sqs:DeleteMessage"),
        new WorkerEvent.ClockGap(Duration.ofSeconds(40), "the tick came late"),
        new WorkerEvent.InternalError("heartbeat tick", new NullPointerException("x")),
        new WorkerEvent.UserCodeFailed("keepAliveWhile", new IllegalStateException("x")));
  }

  private static List<WorkerEvent> aboutMessages() {
    return List.of(
        new WorkerEvent.Received("m1", 1, Duration.ofSeconds(28)),
        new WorkerEvent.HandlerStarted("m1", 1),
        new WorkerEvent.HandlerReturned("m1", 1, Duration.ofSeconds(3)),
        new WorkerEvent.Committed("m1", 1, Duration.ofSeconds(4)),
        new WorkerEvent.CommitUnknown("m1", 1, new IllegalStateException("connection reset")),
        new WorkerEvent.Suppressed("m1", 2, Optional.empty(), diagnosis(DuplicateCause.DELETE_FAILED)),
        new WorkerEvent.Suppressed(
            "m1", 2, Optional.of(completion()), diagnosis(DuplicateCause.PRODUCER_DUPLICATE)),
        new WorkerEvent.GateWarning("m1", 1, "the handler returned without opening its transaction"),
        new WorkerEvent.EffectUncertain("m1", 1, "left unfinished for 25 h"),
        new WorkerEvent.ExtendSent("m1", 1, Duration.ofSeconds(30), false),
        new WorkerEvent.Extended("m1", 1, Duration.ofSeconds(28)),
        new WorkerEvent.ExtendFailed("m1", 1, "throttled", Duration.ofSeconds(9)),
        new WorkerEvent.CutShort("m1", 1, Duration.ofSeconds(10)),
        new WorkerEvent.Interrupted("m1", 1, LossReason.OVERTIME),
        new WorkerEvent.HandlerStuck("m1", 1, "worker-orders-handler-m1", Duration.ofMinutes(61)),
        new WorkerEvent.HandlerUnstuck("m1", 1),
        new WorkerEvent.Deleted("m1", 1, Duration.ofMillis(90)),
        new WorkerEvent.DeleteFailed("m1", 1, "throttled", Optional.of(Duration.ofSeconds(1))),
        new WorkerEvent.DeleteFailed("m1", 1, "refused", Optional.empty()),
        new WorkerEvent.Released("m1", 1, Duration.ofSeconds(3)),
        new WorkerEvent.ReleaseFailed("m1", 1, "throttled"),
        new WorkerEvent.LeftForRedrive("m1", 1),
        new WorkerEvent.Rejected("m1", 1, "orders-dead", "poison"),
        new WorkerEvent.RejectFailed("m1", 1, "throttled", Optional.of(Duration.ofSeconds(1))),
        new WorkerEvent.RejectFailed("m1", 1, "denied: sqs:SendMessage", Optional.empty()));
  }

  static DuplicateDiagnosis diagnosis(DuplicateCause cause) {
    return new DuplicateDiagnosis(cause, "Worker w7 was at it, and " + cause.words() + ".");
  }

  static Completion completion() {
    return new Completion("w7", "m0", 1, Instant.parse("2030-01-02T03:04:05Z"), Duration.ofSeconds(45), 3);
  }
}
