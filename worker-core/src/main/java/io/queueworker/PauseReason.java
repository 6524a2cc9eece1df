package io.queueworker;

/** Why a worker does not receive although it runs. Several can hold at once; receiving needs none. */
public enum PauseReason {
  /** {@link QueueWorker#pause()} was called. */
  BY_HAND,
  /** The gate's store cannot be reached; messages in flight are held meanwhile. */
  GATE_UNAVAILABLE,
  /** A permission is missing; tried again from time to time. */
  PERMISSION_DENIED
}
