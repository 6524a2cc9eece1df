package io.queueworker.testkit.engine;

import java.time.Duration;

/** Whose rules a queue follows. */
enum Manner {
  /** A standard queue of Amazon SQS. */
  STANDARD,
  /** A FIFO queue of Amazon SQS. */
  FIFO,
  /** A queue of Alibaba Cloud SMQ. */
  SMQ;

  private static final long HOLD_LIMIT = Duration.ofHours(12).toNanos();

  /** Whether a receipt whose time ran out is refused. */
  boolean refusesLapsed() {
    return this != STANDARD;
  }

  /**
   * Until when a receive can hold a message, and its receipt is good, whatever timeout was asked for: Amazon SQS counts 12 hours
   * from the arrival of the receive's request (docs/queue-facts.md A1).
   */
  long holdEnd(long requestedAt) {
    return this == SMQ ? StoredMessage.NEVER : requestedAt + HOLD_LIMIT;
  }
}
