package io.queueworker.queue;

import java.time.Duration;
import java.util.Optional;

/**
 * What a kind of queue can do, and within which limits.
 *
 * @param maxBatch messages per receive and entries per batch call
 * @param maxWait longest long poll
 * @param smallestDelay shortest delay of a release: zero, or one second on a service that knows no zero
 * @param largestVisibility longest visibility timeout that one call may set
 * @param totalCap longest time that one receive can hold a message, counted from the receive request, if there is a limit
 * @param receiveVisibility whether a receive can set its own visibility timeout
 * @param receiptChangesOnExtend whether an extension or a release replaces the receipt, so that a delete must not run
 *     beside it
 * @param batchExtend whether visibility calls take batches
 * @param reportsLeaseLoss whether the service refuses a receipt whose time ran out
 * @param fifo whether the queue keeps order inside message groups
 */
public record QueueTraits(
    int maxBatch,
    Duration maxWait,
    Duration smallestDelay,
    Duration largestVisibility,
    Optional<Duration> totalCap,
    boolean receiveVisibility,
    boolean receiptChangesOnExtend,
    boolean batchExtend,
    boolean reportsLeaseLoss,
    boolean fifo) {

  /** Entries that one visibility call may carry. */
  public int maxVisibilityBatch() {
    return batchExtend ? maxBatch : 1;
  }
}
