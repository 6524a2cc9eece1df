package io.queueworker.gate;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A gate's answer for one attempt. Once given it stands, whatever the handler returns, throws or swallows.
 *
 * @param <R> what the handler makes its effect with
 */
public sealed interface Admission<R> {

  /**
   * The key has no effect yet: run.
   *
   * @param attempt the run's hold on the key, to be committed or rolled back exactly once
   */
  record Fresh<R>(Attempt<R> attempt) implements Admission<R> {}

  /**
   * The effect is committed: the message only needs deleting.
   *
   * @param by whose work it was, as far as the store knows
   */
  record AlreadyDone<R>(Optional<Completion> by) implements Admission<R> {}

  /** Another attempt is under way: hold the message and ask again. */
  record InProgress<R>() implements Admission<R> {}

  /**
   * Nobody can tell whether the effect happened: the message must not run here, and a person has to look. It is left to come
   * back by itself, for the queue's redrive policy to count.
   *
   * @param why in words, with what to do
   */
  record Uncertain<R>(String why) implements Admission<R> {}

  /**
   * The attempt that completed a key.
   *
   * @param worker its worker's id
   * @param messageId the message it handled
   * @param receiveCount that message's receive count then
   * @param startedAt when it started, by the store's clock
   * @param took from start to completion
   * @param suppressed redeliveries of the key recognised so far, this one included
   * @param ago how long before this answer it completed, by the store's clock, where known
   * @param lease how its message's lease stood when it completed
   */
  record Completion(
      String worker,
      String messageId,
      int receiveCount,
      Instant startedAt,
      Duration took,
      long suppressed,
      Optional<Duration> ago,
      LeaseStory lease) {

    public Completion {
      // Stores keep milliseconds, so the sum of start and duration may lie a little ahead of the store's clock.
      ago = ago.map(known -> known.isNegative() ? Duration.ZERO : known);
    }

    /** One of a store that keeps nothing about the end of the work. */
    public Completion(
        String worker, String messageId, int receiveCount, Instant startedAt, Duration took, long suppressed) {
      this(worker, messageId, receiveCount, startedAt, took, suppressed, Optional.empty(), LeaseStory.UNKNOWN);
    }
  }
}
