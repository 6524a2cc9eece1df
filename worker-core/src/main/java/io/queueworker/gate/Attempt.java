package io.queueworker.gate;

import java.util.Optional;

/**
 * One run's hold on a key, from admission to commit or rollback. Used by the run's own thread only, never interrupted
 * during {@link #commit()} and {@link #rollback()}.
 *
 * @param <R> what the handler makes its effect with
 */
public interface Attempt<R> {

  /** What the handler gets. */
  R effects();

  /**
   * The verdict that replaced "fresh" while the handler ran, if one did: another attempt turned out to have completed the
   * key or to be at it, or the store could not be reached. Asked after the handler ended, however it did.
   */
  Optional<Outcome> verdict();

  /** Makes the effect and the key's completion durable together. Called once, after the handler returned. Does not throw. */
  Outcome commit();

  /**
   * Undoes the attempt. Does not throw.
   *
   * @return true when the store lost the connection before or during it: the failure is then the store's, not the
   *     message's
   */
  boolean rollback();

  /** How an attempt ended. */
  sealed interface Outcome {

    /** The effect is durable. */
    record Committed() implements Outcome {}

    /** Another attempt had completed the key; nothing of this one stays. */
    record AlreadyDone(Optional<Admission.Completion> by) implements Outcome {}

    /**
     * Another attempt is at it, or a transaction elsewhere came in between; nothing of this one stays, and it is no failure.
     *
     * @param why in words
     */
    record InProgress(String why) implements Outcome {

      /** Another attempt at the key is under way. */
      public InProgress() {
        this("another attempt is under way");
      }
    }

    /** The store refused the effect for good, such as by a constraint; nothing of this attempt stays. */
    record RolledBack(Throwable cause) implements Outcome {}

    /** The store could not be reached before anything became durable; nothing of this attempt stays. */
    record Unavailable(Throwable cause) implements Outcome {}

    /** The commit was sent and not answered: the effect may be durable or not, and the next admission will tell. */
    record CommitUnknown(Throwable cause) implements Outcome {}
  }
}
