package io.queueworker.testkit.engine;

/** Whose rules a queue follows. */
enum Manner {
  /** A standard queue of Amazon SQS. */
  STANDARD,
  /** A FIFO queue of Amazon SQS. */
  FIFO,
  /** A queue of Alibaba Cloud SMQ. */
  SMQ;

  /** Whether a receipt whose time ran out is refused. */
  boolean refusesLapsed() {
    return this != STANDARD;
  }

  /** Whether a message can be held for 12 hours at most, and each receipt is good for no longer. */
  boolean limitsHold() {
    return this != SMQ;
  }
}
