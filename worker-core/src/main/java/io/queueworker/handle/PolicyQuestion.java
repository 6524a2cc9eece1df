package io.queueworker.handle;

import io.queueworker.Failure;
import io.queueworker.FailureAction;
import io.queueworker.FailurePolicy;
import io.queueworker.RejectException;
import io.queueworker.RetryLaterException;
import io.queueworker.lease.Lease;
import io.queueworker.observe.WorkerEvent.UserCodeFailed;
import java.util.Optional;

/**
 * The user's failure policy, asked unless the handler has said itself what is to become of its message; asked as part of an attempt: under its lease, and within its limits. Runs on the run's own thread.
 */
record PolicyQuestion(RunParts parts, FailurePolicy policy, Lease lease, RunThread thread) {

  /** What the handler says, else the policy's decision, or the default's when the policy throws or returns null. */
  FailureAction ask(Failure failure) {
    Optional<FailureAction> said = said(failure);
    if (said.isPresent()) {
      return said.get();
    }
    long now = parts.clock().now();
    lease.watch().userCode(now);
    parts.heartbeat().changed(lease);
    thread.enter(now);
    try {
      FailureAction action = policy.decide(failure);
      if (action != null) {
        return action;
      }
      throw new NullPointerException("the failure policy returned null");
    } catch (Throwable t) {
      // Listeners must not meet the interrupt that was meant for the policy.
      thread.finishing(parts.clock().now());
      parts.events().accept(new UserCodeFailed("the failure policy; the default decides instead", t));
      return FailurePolicy.defaults().decide(failure);
    }
  }

  /** Whether the handler itself decided about the message with what it threw. */
  static boolean isSaid(Throwable thrown) {
    return said(new Failure(thrown, Failure.Stage.HANDLE, "", 1, 1, 0)).isPresent();
  }

  private static Optional<FailureAction> said(Failure failure) {
    Optional<RejectException> reject = failure.causedBy(RejectException.class);
    if (reject.isPresent()) {
      return Optional.of(FailureAction.reject(reject.get().reason()));
    }
    return failure.causedBy(RetryLaterException.class).map(later -> FailureAction.retryAfter(later.delay()));
  }
}
