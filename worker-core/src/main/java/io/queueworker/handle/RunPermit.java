package io.queueworker.handle;

/**
 * The room that a message in flight takes, as its run sees it. Thread-safe.
 *
 * <p>What only waits for others of its line takes none meanwhile: else one group would keep all others from being received.
 */
public interface RunPermit {

  /** Leaves the room to others while the message only waits. Nothing when it has none. */
  void park();

  /** Takes room again, at once, when its turn has come. Nothing unless it was parked. */
  void takeAgain();

  /** Gives it back for good; nothing when that was done. */
  void giveBack();
}
