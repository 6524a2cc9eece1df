package io.queueworker.gate;

import java.sql.Connection;
import javax.sql.DataSource;

/**
 * The transaction in which a handler makes its effect and the gate records the key: both commit, or neither does.
 *
 * <p>It opens when the handler first asks for the connection, so a handler that computes for long and writes at its end
 * holds no connection meanwhile. Opening waits for a connection of the pool and, when another attempt at the same key is
 * under way, for at most {@link JdbcGate#lockWait(java.time.Duration)}. One of a {@link TransactionRunner} is open already when the
 * handler starts.
 *
 * <p>The connection is a view. {@code commit()}, {@code setAutoCommit(true)}, {@code setTransactionIsolation(int)} and
 * {@code abort()} throw, since the gate
 * commits after the handler returned; {@code rollback()} makes sure that nothing of this attempt is committed;
 * {@code close()} does nothing; savepoints work. It and its statements throw when used on another thread or after the
 * handler ended. {@code unwrap} gives the driver's own object, for what only it can do, such as PostgreSQL's COPY: do not
 * commit, roll back, close or keep it.
 *
 * <p>For the thread that runs the handler only.
 */
public interface GateTransaction {

  /**
   * The transaction's connection, the same one each time.
   *
   * @throws GateVerdictException when the key turned out to be done or in progress, or the database cannot be reached or
   *     refuses the gate's row:
   *     let it pass; the gate's verdict stands even if you do not
   * @throws IllegalStateException when called on another thread, after the handler ended, or when the thread was
   *     interrupted while the transaction opened
   */
  Connection connection();

  /**
   * A data source whose every {@code getConnection()} is {@link #connection()}, for code that wants one. Getting it opens
   * nothing yet.
   */
  DataSource dataSource();
}
