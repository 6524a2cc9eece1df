package io.queueworker.handle;

import io.queueworker.Failure;
import io.queueworker.FailureAction;
import io.queueworker.FailurePolicy;
import io.queueworker.lease.Lease;
import io.queueworker.observe.WorkerEvent.CutShort;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import java.time.Duration;
import java.util.Optional;

/**
 * The attempts of one run that failed, and what becomes of its message. On a queue that keeps order the message is tried again
 * here, under its lease: a release would cost all of its group that wait behind it a receive. Used on the run's own thread.
 */
final class FailedTries {

  private final RunParts parts;
  private final FailurePolicy policy;
  private final HandlerRun<?, ?> run;
  private final Turn turn;
  private final Lease lease;
  private int retriesHere;

  FailedTries(RunParts parts, FailurePolicy policy, HandlerRun<?, ?> run, Turn turn) {
    this.parts = parts;
    this.policy = policy;
    this.run = run;
    this.turn = turn;
    this.lease = run.lease();
  }

  /** Asks the policy, ends the attempt, tells what was decided, and waits for the next attempt; empty when it is due. */
  Optional<Ending> after(Try.Failed failed) {
    int receives = lease.message().receiveCount();
    Failure failure =
        new Failure(
            failed.cause(), failed.stage(), run.messageId(), receives, receives + retriesHere, parts.timing().random());
    // Without the lease, or in a close, the policy has nothing to decide.
    boolean open = isHeld() && !run.thread().wasTold();
    FailureAction action =
        open
            ? new PolicyQuestion(parts, policy, lease, run.thread()).ask(failure)
            : FailureAction.leaveForRedrive();
    run.over();
    boolean held = isHeld();
    if (held && run.thread().wasTold()) {
      return Optional.of(cutShort());
    }
    parts
        .events()
        .accept(
            new Failed(
                run.messageId(),
                receives,
                failed.stage(),
                failed.cause(),
                held ? action.toString() : "nothing: the message is not held any more"));
    if (!held) {
      parts.cutOff(lease);
      return Optional.of(new Ending.Lost());
    }
    parts.failed();
    return switch (action) {
      case FailureAction.RetryAfter retry -> parts.fifo()
          ? tryAgain(retry.delay(), failure)
          : Optional.of(new Ending.Release(retry.delay()));
      case FailureAction.Reject reject -> Optional.of(new Ending.Reject(Rejections.of(failure, reject)));
      case FailureAction.LeaveForRedrive leave -> Optional.of(new Ending.Leave());
    };
  }

  private Optional<Ending> tryAgain(Duration delay, Failure failure) {
    InPlace inPlace = parts.inPlace().get();
    long nanos = delay.toNanos();
    long failedAt = parts.clock().now();
    String why = "attempt " + failure.attempt() + " of " + inPlace.attempts() + " failed";
    if (failure.attempt() >= inPlace.attempts() && inPlace.thenRejected() && parts.threads().canReject()) {
      // Each further receive of it would cost those behind it one too, until they are on the dead-letter queue beside it.
      return Optional.of(new Ending.Reject(Rejections.of(failure, new FailureAction.Reject(Optional.empty()))));
    }
    if (run.isDraining() || failure.attempt() >= inPlace.attempts() || !turn.fits(nanos, failedAt)) {
      return Optional.of(new Ending.Release(delay));
    }
    retriesHere++;
    parts
        .events()
        .accept(new HeldBack(run.messageId(), run.receiveCount(), HoldReason.RETRY_IN_ORDER, why, delay));
    run.thread().sleep(nanos, run::mustEnd);
    long left = Math.max(0, failedAt + nanos - parts.clock().now());
    return run.isDraining() ? Optional.of(new Ending.Release(Duration.ofNanos(left))) : Optional.empty();
  }

  private boolean isHeld() {
    return lease.isHeld(parts.clock().now());
  }

  /** The close told the run to end, and it did: nothing failed, so the policy is not asked. */
  Ending cutShort() {
    parts.cutOff(lease);
    parts.events().accept(new CutShort(run.messageId(), lease.message().receiveCount(), Holding.GIVE_UP_DELAY));
    return new Ending.Release(Holding.GIVE_UP_DELAY);
  }
}
