package io.queueworker.settle;

import io.queueworker.lease.Lease;
import io.queueworker.queue.QueueTraits;
import java.time.Duration;

/**
 * One message whose fate is decided, until the service has confirmed it. Used by one settling thread at a time.
 *
 * <p>The permit goes back once: when the service answered, or when a delete has to be tried again.
 */
final class Settlement {

  private final Lease lease;
  private final Duration delay;
  private final long decidedAt;
  private final SettleWatch watch;
  private Runnable permit;
  private boolean early;
  private boolean rejected;
  private boolean ended;
  private int failures;
  private long firstSentAt;

  /**
   * @param delay after which a released message is visible again; not used for a delete
   * @param decidedAt lease time of the commit or the decision
   * @param permit gives the message's permit back
   * @param watch who waits for the end of it
   */
  Settlement(Lease lease, Duration delay, long decidedAt, Runnable permit, SettleWatch watch) {
    this.lease = lease;
    this.delay = delay;
    this.decidedAt = decidedAt;
    this.permit = permit;
    this.watch = watch;
  }

  /** Makes it the delete of a rejected message, which is ours to send only while the lease is held. */
  Settlement ofRejected() {
    rejected = true;
    return this;
  }

  /** Whether it deletes a message that was not handled but rejected. */
  boolean isOfRejected() {
    return rejected;
  }

  Lease lease() {
    return lease;
  }

  String messageId() {
    return lease.message().id();
  }

  int receiveCount() {
    return lease.message().receiveCount();
  }

  Duration delay() {
    return delay;
  }

  /** The delay, as far as the service can do it now. */
  Duration possibleDelay(QueueTraits traits, long now) {
    Duration longest = Duration.ofNanos(lease.longestDelay(now));
    if (longest.compareTo(traits.largestVisibility()) > 0) {
      longest = traits.largestVisibility();
    }
    Duration clamped = delay.compareTo(longest) > 0 ? longest : delay;
    return clamped.compareTo(traits.smallestDelay()) < 0 ? traits.smallestDelay() : clamped;
  }

  long decidedAt() {
    return decidedAt;
  }

  /** Gives the permit back, unless that was done. */
  void givePermitBack() {
    Runnable once = permit;
    permit = () -> {};
    once.run();
  }

  /** Gives the permit back although the message is not settled. */
  void givePermitBackEarly() {
    early = true;
    givePermitBack();
  }

  SettleWatch watch() {
    return watch;
  }

  /** Tells, once, that nothing more is sent. */
  void end(boolean confirmed) {
    try {
      if (!ended) {
        ended = true;
        watch.ended(confirmed);
      }
    } finally {
      // Last: who waited for this end takes a permit of its own first.
      givePermitBack();
    }
  }

  /** Whether the permit went back before the message was settled. */
  boolean isPermitBackEarly() {
    return early;
  }

  /** Notes that it is being sent; the first time counts. */
  void sent(long now) {
    if (failures == 0) {
      firstSentAt = now;
    }
  }

  /** Whether it was sent before, so that this may be a repetition. */
  boolean wasSent() {
    return failures > 0;
  }

  /** Lease time of the first attempt to send it, which may have had its effect. */
  long firstSentAt() {
    return firstSentAt;
  }

  /** Notes a failure and tells how many there were. */
  int failed() {
    return ++failures;
  }
}
