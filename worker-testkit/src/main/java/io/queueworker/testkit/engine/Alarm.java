package io.queueworker.testkit.engine;

/**
 * A clock that calls back: the one thing that {@linkplain LongPolls long polls} need from the world.
 *
 * <p>It calls every action under the lock, or on the one thread, that the owner of the queue uses for all its calls to the engine. So
 * nothing in this package is thread-safe by itself.
 */
public interface Alarm {

  /** Nanoseconds since a fixed start; never negative and never back. */
  long now();

  /** Makes {@code action} happen once after {@code nanos}, later than this call returns; below zero counts as zero. */
  Pending after(long nanos, Runnable action);

  /** An action that waits for its time. */
  @FunctionalInterface
  interface Pending {

    /** Takes it back; nothing when it has happened. */
    void cancel();
  }
}
