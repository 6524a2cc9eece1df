package io.queueworker.benchmarks;

/** What is done with a contender. */
enum Kind {
  /** The queue is full from the beginning, and drained as fast as the contender can. */
  SATURATED,
  /** Messages are sent one by one, at a set rate. */
  TRICKLE,
  /** No message ever comes. */
  IDLE,
  /** It is closed in the middle of a full queue. */
  CLOSE,
  /** It holds all messages of a queue at once. */
  HELD
}
