package io.queueworker;

/** Why a worker does not receive as it could although it runs. Several can hold at once. */
public enum PauseReason {
  /** {@link QueueWorker#pause()} was called. */
  BY_HAND,
  /** The gate's store cannot be reached; messages in flight are held meanwhile. */
  GATE_UNAVAILABLE,
  /** A permission is missing; tried again from time to time. */
  PERMISSION_DENIED,
  /** The circuit breaker is not closed; while it is half open, a receive may bring as many messages as it lets try. */
  BREAKER_OPEN,
  /**
   * The rate limiter paces receiving, or did so within the last 30 seconds. The one reason that does not stop it: receives go
   * on as fast as handlers may start.
   */
  RATE_LIMITED;

  /** Whether nothing is received while this holds. */
  public boolean stopsReceiving() {
    return this != RATE_LIMITED;
  }
}
