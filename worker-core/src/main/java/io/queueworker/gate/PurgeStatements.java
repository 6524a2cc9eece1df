package io.queueworker.gate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A purge's statements over a table of keys: any with the columns {@code scope}, {@code key_hash}, {@code state} and {@code
 * completed_at} and the primary key {@code (scope, key_hash)}.
 *
 * <p>Each reads or deletes a bounded run of the primary key, and plain comparisons of one column keep to it on every
 * database. Immutable; the connections are the callers', in autocommit mode.
 */
final class PurgeStatements {
  private static final byte[] BEFORE_ALL = {};

  private final Dialect dialect;
  private final String lockWaitMillis;
  private final String scope;
  private final String keys;
  private final String delete;

  private PurgeStatements(Dialect dialect, StoredTable table, String lockWaitMillis) {
    this.dialect = dialect;
    this.lockWaitMillis = lockWaitMillis;
    String isOld = "state = '" + KeyRow.COMPLETED + "' AND completed_at < ?";
    this.scope = "SELECT scope FROM " + table + " WHERE scope > ? ORDER BY scope LIMIT 1";
    // Ordered by both columns: with the second alone H2 sorts all that is left of the scope at each step.
    this.keys =
        "SELECT key_hash, CASE WHEN " + isOld + " THEN 1 ELSE 0 END AS old FROM " + table
            + " WHERE scope = ? AND key_hash > ? ORDER BY scope, key_hash LIMIT ?";
    // By the whole key, not by a range: that locks no gap into which a handler is about to insert on MariaDB and MySQL.
    this.delete = "DELETE FROM " + table + " WHERE scope = ? AND key_hash = ? AND " + isOld;
  }

  /** The statements over the table that the name means on this connection. */
  static PurgeStatements on(Connection connection, TableName name, long lockWaitMillis) throws SQLException {
    Dialect dialect = Dialect.of(connection);
    String select = "SELECT scope, key_hash, state, completed_at FROM " + name + " WHERE 1 = 0";
    try (Statement statement = connection.createStatement()) {
      // By the name first, since the database says best what it misses.
      statement.execute(select);
    }
    return new PurgeStatements(dialect, dialect.find(connection, name, select), Long.toString(lockWaitMillis));
  }

  /** The database's time. */
  OffsetDateTime now(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT " + dialect.clock + " AS asked_at")) {
      row.next();
      return dialect.values.time(row, "asked_at");
    }
  }

  /** The first scope that has keys and comes after this one. */
  Optional<String> scopeAfter(Connection connection, String before) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(scope)) {
      query.setObject(1, dialect.values.parameter(before));
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(dialect.values.scope(row, "scope")) : Optional.empty();
      }
    }
  }

  /** The next keys of a scope after a hash, or the first ones. */
  Keys keys(Connection connection, String scope, byte @Nullable [] after, int limit, OffsetDateTime completedBefore)
      throws SQLException {
    List<byte[]> old = new ArrayList<>();
    byte @Nullable [] last = null;
    int count = 0;
    try (PreparedStatement query = connection.prepareStatement(keys)) {
      query.setObject(1, dialect.values.parameter(completedBefore));
      query.setObject(2, dialect.values.parameter(scope));
      query.setBytes(3, after == null ? BEFORE_ALL : after);
      query.setInt(4, limit);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          last = rows.getBytes(1);
          count++;
          if (rows.getInt(2) == 1) {
            old.add(last);
          }
        }
      }
    }
    return new Keys(count, last, old);
  }

  /**
   * Deletes those keys that are still completed before then, in one transaction: on a connection in autocommit mode, or in
   * the transaction for it alone.
   *
   * @return how many, or empty when another transaction held one of them for longer than the lock wait
   */
  Optional<Integer> delete(Connection connection, String scope, List<byte[]> hashes, OffsetDateTime completedBefore)
      throws SQLException {
    boolean ours = connection.getAutoCommit();
    @Nullable String before = null;
    try {
      if (ours) {
        connection.setAutoCommit(false);
      }
      before = dialect.exchangeLockWait(connection, lockWaitMillis);
      int deleted = 0;
      try (PreparedStatement statement = connection.prepareStatement(delete)) {
        for (byte[] hash : hashes) {
          statement.setObject(1, dialect.values.parameter(scope));
          statement.setBytes(2, hash);
          statement.setObject(3, dialect.values.parameter(completedBefore));
          statement.addBatch();
        }
        for (int rows : statement.executeBatch()) {
          deleted += rows == Statement.SUCCESS_NO_INFO ? 1 : rows;
        }
      }
      if (ours) {
        connection.commit();
      }
      return Optional.of(deleted);
    } catch (SQLException e) {
      if (dialect.isBusy(e)) {
        connection.rollback();
        return Optional.empty();
      }
      throw e;
    } finally {
      if (ours) {
        connection.rollback();
      }
      if (before != null && dialect.lockWaitOutlivesTransaction) {
        dialect.exchangeLockWait(connection, before);
      }
      if (ours) {
        connection.setAutoCommit(true);
      }
    }
  }

  /**
   * Some keys of one scope, in order.
   *
   * @param count how many
   * @param last the last one's hash, or null when there are none
   * @param old the hashes of those to delete
   */
  @SuppressWarnings("ArrayRecordComponent") // It is never compared.
  record Keys(int count, byte @Nullable [] last, List<byte[]> old) {}
}
