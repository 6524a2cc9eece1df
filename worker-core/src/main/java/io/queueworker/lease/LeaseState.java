package io.queueworker.lease;

/**
 * Where a lease is in its life.
 *
 * <pre>
 * HELD ──settle decided──► SETTLING ──answered──► SETTLED
 *   └── deadline passed · refused · stopped ──► LOST
 * </pre>
 */
public enum LeaseState {
  /** The message is ours; beats extend it. Left by the run that settles it, or by the heartbeat when it is lost. */
  HELD,
  /** The run has decided; a delete is on its way, under beats, or a release, without. Left by the answer. */
  SETTLING,
  /** Our involvement has ended as decided. Final. */
  SETTLED,
  /** It ended before we could settle. Final: no extension, release or rejection follows. */
  LOST;

  /** Whether nothing follows. */
  boolean isOver() {
    return this == LOST || this == SETTLED;
  }
}
