package io.queueworker.testkit.contract;

/** What one test of the contract does to its queue. */
@FunctionalInterface
public interface QueueTest {

  /**
   * Runs the test.
   *
   * @throws Exception what a call threw; it fails the test as an {@code AssertionError} does
   */
  void on(QueueSubject queue) throws Exception;
}
