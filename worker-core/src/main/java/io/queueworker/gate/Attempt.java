package io.queueworker.gate;

import java.time.Duration;
import java.util.Optional;

/**
 * One run's hold on a key, from admission to commit or rollback. Used by the run's own thread only, never interrupted
 * but while the handler runs.
 *
 * <p>A worker calls {@link #run} and {@link #verdict()}. A store that begins and ends its transaction by calls implements
 * the other three, which the default of {@code run} puts in order. One whose transaction is a callback overrides
 * {@code run}.
 *
 * @param <R> what the handler makes its effect with
 */
public interface Attempt<R> {

  /**
   * Runs the attempt from the handler to its end. An outcome that comes without the handling having run was found before
   * the handler could start. Called once. Does not throw.
   *
   * @param handling is run at most once, on this thread; what it made durable or undone is the outcome
   */
  default Outcome run(Handling<R> handling) {
    return handling.mayCommit(effects()) ? commit() : new Outcome.Undone(rollback());
  }

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

  /**
   * The handler of one message, and the decision about its effect.
   *
   * @param <R> what the handler makes its effect with
   */
  @FunctionalInterface
  interface Handling<R> {

    /**
     * Runs the handler to its end. From the return on, the thread is not interrupted. Does not throw.
     *
     * @return whether the effect may become durable; if not, nothing of the attempt may stay
     */
    boolean mayCommit(R effects);
  }

  /** How the gate's record is kept while the handler runs, for a gate whose record runs out with the message's lease. */
  default Optional<Renewal> renewal() {
    return Optional.empty();
  }

  /** Keeps an attempt's record. */
  @FunctionalInterface
  interface Renewal {

    /**
     * Has the record last for {@code length} from now, by the store's clock. Called before each beat until the attempt has
     * ended, on a thread kept for this and not on the run's; may block. Once it has failed to return for longer than the
     * lease lasts, the lease is lost, so give the store's calls timeouts.
     *
     * @return false when the record is another attempt's or gone: the lease is then lost
     * @throws Exception when the store did not answer: the beat is left out, and both are tried again while the lease lasts
     */
    boolean renew(Duration length) throws Exception;
  }

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

    /**
     * The handling decided against the effect, such as because the handler threw; nothing of this attempt stays.
     *
     * @param storeBroke whether the store lost the connection before or during it: the failure is then the store's, not
     *     the message's
     */
    record Undone(boolean storeBroke) implements Outcome {}

    /** The commit was sent and not answered: the effect may be durable or not, and the next admission will tell. */
    record CommitUnknown(Throwable cause) implements Outcome {}
  }
}
