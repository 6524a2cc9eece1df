package io.queueworker.testkit;

/** What a trail shows of one receive of one message. Not thread-safe. */
final class ReceiveTrack {

  final int receiveCount;

  /** Its handler started. */
  boolean started;

  /** The effect is durable, or was before. */
  boolean done;

  /** The dead-letter queue has the message. */
  boolean rejected;

  /** The lease ended, or the handler could not start. */
  boolean lost;

  /** A delete, a release or leaving it ended it. */
  boolean settled;

  /** Its permit has returned. */
  boolean left;

  ReceiveTrack(int receiveCount) {
    this.receiveCount = receiveCount;
  }

  /** Whether nothing ended it so far. */
  boolean isOpen() {
    return !lost && !settled;
  }
}
