package io.queueworker.observe;

import io.queueworker.DuplicateDiagnosis;
import io.queueworker.Failure;
import io.queueworker.LossReason;
import io.queueworker.PauseReason;
import io.queueworker.gate.Admission.Completion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Something that happened in a worker. No event carries a body, a receipt or an attribute's value. */
public sealed interface WorkerEvent {

  /** An event about one message. */
  sealed interface MessageEvent extends WorkerEvent {
    /** The service's message id. */
    String messageId();

    /** Which receive of the message it is about, by the service's receive count; 1 or more. */
    int receiveCount();
  }

  /** The worker started. {@code warnings} are sentences that a person can act on. */
  record Started(Duration visibility, List<String> warnings) implements WorkerEvent {}

  /** The worker stops receiving for good and finishes what is in flight. */
  record Draining(int inFlight, Duration budget) implements WorkerEvent {}

  /** The worker closed. {@code leftOver} names what it could not finish, by message id or thread. */
  record Closed(Duration took, List<String> leftOver) implements WorkerEvent {}

  /** Receiving stopped for this reason. */
  record Paused(PauseReason reason, String why) implements WorkerEvent {}

  /** This reason for not receiving is gone. */
  record Resumed(PauseReason reason) implements WorkerEvent {}

  /** A receive ended well, perhaps empty. */
  record ReceiveCompleted(int asked, int received, Duration took) implements WorkerEvent {}

  /** A receive failed; the next comes after {@code retryIn}. */
  record ReceiveFailed(String kind, String why, int inARow, Duration retryIn) implements WorkerEvent {}

  /** A receive did not end by its own deadline, so its poll gave up its place to others; what it still brings is released. */
  record PollReplaced(String thread) implements WorkerEvent {}

  /** The queue's visibility timeout was changed while the worker ran. */
  record VisibilityChanged(Duration from, Duration to) implements WorkerEvent {}

  /** A permission is missing. */
  record PermissionDenied(String action) implements WorkerEvent {}

  /** A permission that was missing is there again. */
  record PermissionRestored(String action) implements WorkerEvent {}

  /** The process, or the machine, stood still for this long, so leases count as that much older. */
  record ClockGap(Duration length, String why) implements WorkerEvent {}

  /** The worker's own code failed where it should not; it goes on. */
  record InternalError(String where, Throwable cause) implements WorkerEvent {}

  /** Code of the user that is not the handler threw, such as a callback or the failure policy; the worker goes on. */
  record UserCodeFailed(String where, Throwable cause) implements WorkerEvent {}

  /** A message came, under lease for {@code leaseLeft}. */
  record Received(String messageId, int receiveCount, Duration leaseLeft) implements MessageEvent {}

  /** The lease had run out before the handler could start, so it did not. */
  record NotStarted(String messageId, int receiveCount, LossReason reason) implements MessageEvent {}

  /** The handler starts. */
  record HandlerStarted(String messageId, int receiveCount) implements MessageEvent {}

  /** The handler returned. */
  record HandlerReturned(String messageId, int receiveCount, Duration took) implements MessageEvent {}

  /** The attempt failed and the failure policy decided. */
  record Failed(String messageId, int receiveCount, Failure.Stage stage, Throwable cause, String decision)
      implements MessageEvent {}

  /** The close told the handler to end and it did; its message goes back, and comes again after {@code delay}. */
  record CutShort(String messageId, int receiveCount, Duration delay) implements MessageEvent {}

  /** The message is held under beats and will be tried again here, for a reason that is no failure. */
  record HeldBack(String messageId, int receiveCount, HoldReason reason, String why, Duration retryIn)
      implements MessageEvent {}

  /** The effect is durable, or a handler without a gate returned. {@code sinceReceived} is lease start to commit. */
  record Committed(String messageId, int receiveCount, Duration sinceReceived) implements MessageEvent {}

  /** The commit was sent and not answered. */
  record CommitUnknown(String messageId, int receiveCount, Throwable cause) implements MessageEvent {}

  /**
   * A redelivery was recognised; the message is only deleted. {@code by} is whose work it was, where the gate knows, and
   * {@code diagnosis} why it came again.
   */
  record Suppressed(String messageId, int receiveCount, Optional<Completion> by, DuplicateDiagnosis diagnosis)
      implements MessageEvent {}

  /** Something about the handler's use of the gate that a person should look at. */
  record GateWarning(String messageId, int receiveCount, String warning) implements MessageEvent {}

  /** Nobody can tell whether the effect happened, so the message is rejected without running; {@code why} says what to do. */
  record EffectUncertain(String messageId, int receiveCount, String why) implements MessageEvent {}

  /** An extension was sent for this message. */
  record ExtendSent(String messageId, int receiveCount, Duration visibility, boolean urgent) implements MessageEvent {}

  /** An extension succeeded; the lease now ends in {@code leaseLeft}. */
  record Extended(String messageId, int receiveCount, Duration leaseLeft) implements MessageEvent {}

  /** An extension failed for now; it is tried again while the lease lasts. */
  record ExtendFailed(String messageId, int receiveCount, String why, Duration leaseLeft) implements MessageEvent {}

  /** The lease ended before the worker settled the message. {@code detail} is the service's word on it, often empty. */
  record LeaseLost(String messageId, int receiveCount, LossReason reason, String detail) implements MessageEvent {}

  /** The handler was told to end. */
  record Interrupted(String messageId, int receiveCount, LossReason reason) implements MessageEvent {}

  /** A handler that was told to end is still running; it keeps its permit. */
  record HandlerStuck(String messageId, int receiveCount, String thread, Duration running) implements MessageEvent {}

  /** A stuck handler ended after all. */
  record HandlerUnstuck(String messageId, int receiveCount) implements MessageEvent {}

  /** The delete is confirmed. {@code sinceCommitted} is how long that took, from the commit or the reject on. */
  record Deleted(String messageId, int receiveCount, Duration sinceCommitted) implements MessageEvent {}

  /** A delete failed for now, or for good when {@code retryIn} is empty. */
  record DeleteFailed(String messageId, int receiveCount, String why, Optional<Duration> retryIn)
      implements MessageEvent {}

  /** A release was sent; the message is visible again after {@code delay}. */
  record Released(String messageId, int receiveCount, Duration delay) implements MessageEvent {}

  /** A release failed; the message comes back when its visibility timeout runs out. */
  record ReleaseFailed(String messageId, int receiveCount, String why) implements MessageEvent {}

  /** The message was left to come back by itself. */
  record LeftForRedrive(String messageId, int receiveCount) implements MessageEvent {}

  /** The dead-letter queue has the message, which is deleted now. {@code reason} is what the copy there says. */
  record Rejected(String messageId, int receiveCount, String deadLetterQueue, String reason) implements MessageEvent {}

  /** The message could not be rejected for now, or for good when {@code retryIn} is empty: then it comes back by itself. */
  record RejectFailed(String messageId, int receiveCount, String why, Optional<Duration> retryIn)
      implements MessageEvent {}

  /** Why a message waits here although nothing failed. */
  enum HoldReason {
    /** Another attempt at its key is under way. */
    IN_PROGRESS,
    /** The gate's store cannot be reached. */
    GATE_UNAVAILABLE,
    /** A commit was not answered. */
    COMMIT_UNKNOWN,
    /** It failed, and those of its group wait behind it while it is tried again here. */
    RETRY_IN_ORDER,
    /** As many messages of its group as may be are worked on. */
    GROUP_FULL,
    /** An earlier run of the same message has not ended in this process. */
    EARLIER_RUN,
    /** The circuit breaker does not let it try, or it failed while the breaker was not closed. */
    BREAKER_OPEN,
    /** The rate limiter lets it start later. */
    RATE_LIMITED
  }
}
