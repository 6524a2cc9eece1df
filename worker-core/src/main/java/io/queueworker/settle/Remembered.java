package io.queueworker.settle;

import io.queueworker.gate.LeaseStory;
import java.time.Duration;
import java.util.Optional;

/**
 * What a worker remembers of a message that it completed or recognised as completed.
 *
 * <p>Immutable.
 *
 * @param receiveCount at which receive
 * @param took from the start of the lease until then
 * @param lease how the lease stood then
 * @param at lease time of it
 * @param deleted whether the delete is confirmed
 * @param deleteFailed how a delete failed last, if one did
 */
public record Remembered(
    int receiveCount, Duration took, LeaseStory lease, long at, boolean deleted, Optional<String> deleteFailed) {

  /** One whose delete has yet to be sent. */
  public Remembered(int receiveCount, Duration took, LeaseStory lease, long at) {
    this(receiveCount, took, lease, at, false, Optional.empty());
  }

  /** Lease time until which the message was surely held, beats after the completion not counted. */
  public long heldUntil() {
    return at + lease.left().toNanos();
  }

  /** The same with its delete confirmed. */
  Remembered withDelete() {
    return new Remembered(receiveCount, took, lease, at, true, deleteFailed);
  }

  /** The same with a delete that failed. */
  Remembered withoutDelete(String why) {
    return new Remembered(receiveCount, took, lease, at, deleted, Optional.of(why));
  }
}
