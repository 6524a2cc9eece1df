package io.queueworker.settle;

import io.queueworker.lease.Lease;

/**
 * One message on its way to the dead-letter queue. Used by one sending thread at a time; {@link #dueAt} is guarded by the
 * lock of its {@link Rejects}.
 */
final class Rejecting {

  /** While a send is under way, or its task waits for a thread. */
  static final long UNDER_WAY = Long.MAX_VALUE;

  final Lease lease;
  final Rejection why;
  final Runnable permit;
  final Runnable instead;
  final SettleWatch watch;
  final long decidedAt;
  private int failures;

  /** Lease time of the next send. */
  long dueAt = UNDER_WAY;

  /**
   * @param permit gives the message's permit back
   * @param instead leaves the message to come back by itself, and gives its permit back
   * @param watch who waits for the end of it
   * @param decidedAt lease time of the decision
   */
  Rejecting(Lease lease, Rejection why, Runnable permit, Runnable instead, SettleWatch watch, long decidedAt) {
    this.lease = lease;
    this.why = why;
    this.permit = permit;
    this.instead = instead;
    this.watch = watch;
    this.decidedAt = decidedAt;
  }

  String messageId() {
    return lease.message().id();
  }

  int receiveCount() {
    return lease.message().receiveCount();
  }

  /** Notes a failure and tells how many there were. */
  int failed() {
    return ++failures;
  }
}
