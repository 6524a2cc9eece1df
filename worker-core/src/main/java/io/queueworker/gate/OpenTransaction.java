package io.queueworker.gate;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * One database transaction that has begun. It ends in exactly one of {@link #rollback()}, {@link #discard()}, or an
 * answered {@link #commit()} and then {@link #giveBack()}.
 *
 * <p>For one thread.
 */
interface OpenTransaction {

  /** The connection that the transaction runs on. */
  Connection connection();

  /** Sends COMMIT and nothing else, and waits for the answer. */
  void commit() throws SQLException;

  /** Gives the connection back after an answered commit, as it was when the transaction began. Does not throw. */
  void giveBack();

  /**
   * Rolls back and gives the connection back; one whose rollback was not confirmed is thrown away. Does not throw.
   *
   * @return whether the connection was lost
   */
  boolean rollback();

  /**
   * Throws the connection away without waiting for the server. One that this cannot end, and that still answers, is
   * rolled back and given back instead. Does not throw.
   */
  void discard();

  /** Whether the connection answers within a second. Does not throw. */
  boolean isAlive();
}
