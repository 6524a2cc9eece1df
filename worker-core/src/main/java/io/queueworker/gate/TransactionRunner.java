package io.queueworker.gate;

import java.sql.Connection;

/**
 * Runs work inside one transaction of a framework, such as Spring's.
 *
 * {@snippet :
 * JdbcGate.on(
 *     work -> template.executeWithoutResult(
 *         status -> work.run(DataSourceUtils.getConnection(dataSource))));
 * }
 *
 * <p>The handler runs inside that call, so code that looks for the framework's transaction (Spring's {@code JdbcTemplate},
 * an {@code EntityManager}, methods with {@code @Transactional}) joins it unchanged. The gate claims the key by the first
 * statement, completes it by the last one before the call to {@code work} returns, and the framework commits.
 *
 * <p><b>What is in the transaction.</b> Only what joins the framework's transaction on the handler's own thread. These are
 * not in it, and the gate cannot see them: {@code REQUIRES_NEW} and {@code NOT_SUPPORTED}, another data source or
 * transaction manager, work handed to another thread ({@code @Async}). Such an effect stays when the handler is rolled
 * back, and happens again when the message is redelivered. Leave it out of the handler, or make it idempotent.
 *
 * <p><b>What it costs.</b> The handler's whole run holds a connection, since the transaction opens before it: the pool
 * needs as many connections as the worker has handlers at once, and one more for each that uses {@code REQUIRES_NEW}. Use
 * {@link JdbcGate#on(javax.sql.DataSource)} for handlers that compute for long and write at their end. Each message takes two
 * more short transactions of the runner: a look at the key before the handler, and one after the commit.
 *
 * <p>Implementations are thread-safe: called on handler threads, many at once.
 */
@FunctionalInterface
public interface TransactionRunner {

  /**
   * Begins a transaction, runs the work once on this thread, and commits when it returns, or rolls back and throws when it
   * throws. The transaction must be a new one: neither joined nor nested. Its isolation must be READ COMMITTED or higher.
   * It must not be read-only, nor repeated by itself. May block; give it a timeout for a connection.
   *
   * <p>No interrupt is sent to the thread but while the handler runs.
   *
   * @throws Exception when the transaction could not begin or commit, of whatever type: the gate looks for the first
   *     {@link java.sql.SQLException} in its causes, and at the key's row
   */
  void run(Work work) throws Exception;

  /** What runs inside the transaction. */
  interface Work {

    /**
     * Runs it.
     *
     * @param connection that of the transaction. It stays the framework's: the gate neither commits nor closes it
     * @throws RuntimeException to have the transaction rolled back; let it pass
     */
    void run(Connection connection);
  }
}
