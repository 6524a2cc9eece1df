package io.queueworker.gate;

/**
 * Decides whether a key may run now, and makes its effect and the record of it one.
 *
 * <p>Called on handler threads, many at once; may block. An exception from {@link #admit} means that the gate cannot
 * answer now: the message is then held and tried again, and the worker stops receiving meanwhile.
 *
 * @param <R> what the handler makes its effect with
 */
public interface IdempotencyGate<R> {

  /**
   * Checks at the worker's start that the gate can work, such as that its table is there.
   *
   * @throws IllegalStateException when it cannot, in words that say what to do
   */
  void open();

  /** Whether an attempt's effects and its completion commit together or not at all. */
  boolean transactional();

  /** Decides about one attempt. */
  Admission<R> admit(GateKey key, AttemptInfo attempt) throws Exception;
}
