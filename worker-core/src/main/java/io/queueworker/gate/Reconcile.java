package io.queueworker.gate;

/**
 * The user's way to find out from the outside system whether an effect happened, for attempts that were left unfinished longer
 * than that system remembers idempotency keys. See {@link LeasedGate#reconcile}.
 */
@FunctionalInterface
public interface Reconcile {

  /**
   * Asks. Called on the thread of the handler, under the message's lease, before the handler; it may block and be interrupted.
   * An exception counts as {@link Finding#UNKNOWN}.
   *
   * @param key the effect's scope and key
   * @param idempotencyKey what earlier attempts had as {@link Fenced#idempotencyKey()}
   */
  Finding ask(GateKey key, String idempotencyKey) throws Exception;

  /** What the outside system says. */
  enum Finding {
    /** The effect happened: the key is completed without the handler. */
    DONE,
    /** It did not, and no call is under way that could still make it: the handler runs. */
    NOT_DONE,
    /** It cannot say: the handler does not run. */
    UNKNOWN
  }
}
