package io.queueworker.testkit.contract;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a test of the contract needs its queue to be set to. Immutable.
 *
 * @param visibility the queue's own visibility timeout, in whole seconds
 * @param maxReceiveCount after how many receives a message moves to a dead-letter queue; empty for none
 * @param retention how long the queue keeps a message; empty for the service's default. Only tests that move time set it
 */
public record SubjectSettings(Duration visibility, OptionalInt maxReceiveCount, Optional<Duration> retention) {

  /** A queue with this visibility timeout and no dead-letter queue. */
  public static SubjectSettings visibility(Duration timeout) {
    return new SubjectSettings(timeout, OptionalInt.empty(), Optional.empty());
  }

  /** The same with a dead-letter queue. */
  public SubjectSettings maxReceiveCount(int receives) {
    return new SubjectSettings(visibility, OptionalInt.of(receives), retention);
  }

  /** The same that forgets messages after this time. */
  public SubjectSettings retention(Duration kept) {
    return new SubjectSettings(visibility, maxReceiveCount, Optional.of(kept));
  }
}
