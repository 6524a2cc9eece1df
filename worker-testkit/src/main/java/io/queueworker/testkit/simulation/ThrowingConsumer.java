package io.queueworker.testkit.simulation;

/**
 * Code that takes one value and may throw.
 *
 * @param <T> the value's type
 */
@FunctionalInterface
public interface ThrowingConsumer<T> {

  /** Runs the code. */
  void accept(T value) throws Exception;
}
