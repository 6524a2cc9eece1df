package io.queueworker.observe;

import org.jspecify.annotations.Nullable;

/** One attempt under observation, from its beginning to its end on one thread. Never throws. For the thread of the attempt. */
public interface Observed {

  /** An attempt that nobody observes. */
  Observed NONE = new Observed() {
    @Override
    public void cameTo(DeliveryOutcome outcome, @Nullable Throwable thrown, boolean mayQuoteBody) {}

    @Override
    public void end() {}
  };

  /**
   * Tells what the attempt came to, once, before its end.
   *
   * @param thrown the exception behind it, if any
   * @param mayQuoteBody whether the exception's message may quote the message's body, which is nobody's to keep
   */
  void cameTo(DeliveryOutcome outcome, @Nullable Throwable thrown, boolean mayQuoteBody);

  /** The attempt is over. */
  void end();
}
