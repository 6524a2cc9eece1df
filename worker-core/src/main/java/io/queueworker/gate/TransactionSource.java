package io.queueworker.gate;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;

/**
 * Where the gate's connections and transactions come from: a pool, or a framework.
 *
 * <p>Implementations are thread-safe.
 */
interface TransactionSource {

  /**
   * Runs {@code work} on a connection in autocommit mode, or in a transaction of its own which is then committed, or rolled
   * back after an exception; apart from every attempt under way. The connection goes back as it was.
   */
  <A> A outside(Work<A> work) throws SQLException;

  /**
   * An attempt at a key that was not completed.
   *
   * @param admittedAt the database's time when the key was looked at
   */
  Attempt<GateTransaction> attempt(GateTable table, GateKey key, AttemptInfo info, OffsetDateTime admittedAt);

  /** Statements on one connection. */
  @FunctionalInterface
  interface Work<A> {
    A on(Connection connection) throws SQLException;
  }
}
