package io.queueworker.testkit.chaos;

/**
 * The modelled transaction that a handler makes its effect in; it commits together with the key, or neither does. It opens
 * at the first insert. For the handler's thread only.
 */
public interface SimulatedTransaction {

  /**
   * Adds an effect to the transaction. Blocks in virtual time.
   *
   * @param effect its name; the rules count how often each was committed
   * @throws StoreException when the database cannot be reached or gives way
   * @throws IllegalStateException when the key turned out to be done or in progress: let it pass
   */
  void insert(String effect);
}
