package io.queueworker.handle;

import java.time.Duration;

/**
 * How a failed message of a queue that keeps order is tried again under its lease, while its group waits behind it. Immutable.
 *
 * @param attempts after so many attempts, earlier receives included, it is given up here, 1 or more
 * @param thenRejected whether it is rejected then, so that those behind it are not received again for nothing
 */
public record InPlace(int attempts, boolean thenRejected) {

  /** What a run needs after its handler, so that its delete still falls into the hold. */
  public static final Duration DELETE_MARGIN = Duration.ofSeconds(30);

  /** As many attempts as SQS allows receives when a redrive policy names no number, and no dead-letter queue. */
  public static final InPlace UNKNOWN = new InPlace(10, false);
}
