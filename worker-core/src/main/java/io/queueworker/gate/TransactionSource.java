package io.queueworker.gate;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Where the gate's connections and transactions come from: a pool, or a framework's transaction manager.
 *
 * <p>Implementations are thread-safe.
 */
interface TransactionSource {

  /**
   * Runs {@code work} on a connection in autocommit mode, apart from every transaction under way, and gives the connection
   * back as it was.
   */
  <A> A outside(Work<A> work) throws SQLException;

  /** Begins a transaction on a connection of its own. */
  OpenTransaction begin() throws SQLException;

  /** Statements on one connection. */
  @FunctionalInterface
  interface Work<A> {
    A on(Connection connection) throws SQLException;
  }
}
