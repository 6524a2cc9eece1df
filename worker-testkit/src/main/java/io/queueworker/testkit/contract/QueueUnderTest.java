package io.queueworker.testkit.contract;

import java.util.Set;

/** The queue that a part of the contract runs against, and how it is known to differ from the service it stands for. */
public interface QueueUnderTest {

  /**
   * Makes an empty queue with these settings, runs the test on it and removes it, also when the test fails. A queue in
   * virtual time runs the test inside {@code SimulatedTiming.run}.
   */
  void withQueue(SubjectSettings settings, QueueTest test) throws Exception;

  /** Where an emulator is known to do otherwise: the tests then ask for that. None for a service itself. */
  default Set<QueueDifference> differences() {
    return Set.of();
  }
}
