package io.queueworker.lease;

import java.time.Duration;
import java.util.Optional;

/**
 * The times that every lease of a worker obeys, in nanoseconds. Immutable; replaced as a whole when the queue's visibility
 * timeout is changed.
 *
 * @param visibility how long a receive or an extension keeps a message hidden
 * @param cap how long the service lets one receive hold a message, from the receive request on
 * @param maxHold how long the worker holds a message, from its receive on
 * @param maxProcessing how long one handler run may last
 * @param stall how long a handler may go without progress
 * @param beats whether leases are extended at all
 */
public record LeaseTerms(long visibility, long cap, long maxHold, long maxProcessing, long stall, boolean beats) {

  /** After a commit beats go on for the delete, but not for ever. */
  public static final long SETTLE_LIMIT = Duration.ofMinutes(10).toNanos();

  /** Stands for "no limit"; far enough away, and small enough to be added to any time. */
  static final long NEVER = Long.MAX_VALUE / 4;

  /** Kept free of the service's cap, so that an extension is not refused for a second too many. */
  private static final long CAP_MARGIN = Duration.ofSeconds(5).toNanos();

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long LARGEST_MARGIN = Duration.ofSeconds(2).toNanos();

  /** The terms for these durations; an empty one means no limit. */
  public static LeaseTerms of(
      Duration visibility,
      Optional<Duration> cap,
      Duration maxHold,
      Duration maxProcessing,
      Optional<Duration> stall,
      boolean beats) {
    return new LeaseTerms(
        visibility.toNanos(),
        cap.map(Duration::toNanos).orElse(NEVER),
        maxHold.toNanos(),
        maxProcessing.toNanos(),
        stall.map(Duration::toNanos).orElse(NEVER),
        beats);
  }

  /** The same terms with another visibility timeout. */
  public LeaseTerms withVisibility(Duration other) {
    return new LeaseTerms(other.toNanos(), cap, maxHold, maxProcessing, stall, beats);
  }

  /** The visibility timeout as a duration. */
  public Duration visibilityTimeout() {
    return Duration.ofNanos(visibility);
  }

  /** What is taken off a visibility of this length for the way of the answer: a tenth, two seconds at most. */
  static long margin(long visibility) {
    return Math.min(LARGEST_MARGIN, visibility / 10);
  }

  /** From a beat to the next: half the visibility timeout, the ratio AWS documents for unknown durations. */
  long interval() {
    return visibility / 2;
  }

  /**
   * The visibility that an extension may set now: whole seconds, up to {@code wanted}, within what the cap and maxHold
   * leave; zero or less when nothing is left.
   *
   * @param sinceRequest time since the receive was sent, from which the service counts its cap
   * @param sinceStart time since the lease began
   */
  long grant(long wanted, long sinceRequest, long sinceStart) {
    long rounded = Math.ceilDiv(wanted, SECOND) * SECOND;
    long holdLeft = maxHold - sinceStart;
    // With its margin on top: the end of the hold is to end the lease, and to be named as the reason.
    long hidden = Math.ceilDiv(holdLeft + Math.min(LARGEST_MARGIN, holdLeft / 9 + 1), SECOND) * SECOND;
    return Math.min(rounded, Math.min(capLeft(sinceRequest), hidden));
  }

  /** What the service's cap leaves, in whole seconds. */
  long capLeft(long sinceRequest) {
    return Math.floorDiv(cap - CAP_MARGIN - sinceRequest, SECOND) * SECOND;
  }
}
