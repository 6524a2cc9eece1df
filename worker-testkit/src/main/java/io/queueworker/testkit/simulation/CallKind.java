package io.queueworker.testkit.simulation;

/** What a call to a simulated queue asks for. */
public enum CallKind {
  /** Reads the queue's settings. */
  ATTRIBUTES,
  /** Receives messages. */
  RECEIVE,
  /** Makes received messages stay hidden. */
  EXTEND,
  /** Makes received messages come back. */
  RELEASE,
  /** Deletes received messages. */
  DELETE
}
