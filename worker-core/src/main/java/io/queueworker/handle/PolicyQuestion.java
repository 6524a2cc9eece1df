package io.queueworker.handle;

import io.queueworker.Failure;
import io.queueworker.FailureAction;
import io.queueworker.FailurePolicy;
import io.queueworker.lease.Lease;
import io.queueworker.observe.WorkerEvent.UserCodeFailed;

/**
 * The user's failure policy, asked as part of an attempt: under its lease, and within its limits. Runs on the run's own thread.
 */
record PolicyQuestion(RunParts parts, FailurePolicy policy, Lease lease, RunThread thread) {

  /** The policy's decision, or the default's when the policy throws or returns null. */
  FailureAction ask(Failure failure) {
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
}
