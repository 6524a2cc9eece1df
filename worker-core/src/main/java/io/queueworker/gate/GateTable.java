package io.queueworker.gate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The gate's statements over its table: one row for each key, written <em>started</em> when an attempt's transaction opens
 * and <em>completed</em> by its last statement.
 *
 * <p>Immutable; the connections are the callers'.
 */
final class GateTable {
  /** The columns that an attempt writes first. */
  static final String COLUMNS =
      "scope, key_hash, key_text, state, attempt, worker, message_id, receive_count, started_at";

  private static final int TEXT = 500;
  private static final int NAME = 200;
  private static final int CLAIM_TRIES = 3;
  private static final String IS_KEY = " WHERE scope = ? AND key_hash = ?";

  private final Dialect dialect;
  private final RowText text;
  private final String lockWaitMillis;
  private final String look;
  private final String suppress;
  private final String insert;
  private final String lock;
  private final String takeOver;
  private final String complete;

  /**
   * @param text how the texts for people are written
   */
  GateTable(Dialect dialect, StoredTable table, Duration lockWait, RowText text) {
    this.dialect = dialect;
    this.text = text;
    this.lockWaitMillis = Long.toString(lockWait.toMillis());
    this.look =
        "SELECT " + dialect.clock + " AS asked_at, " + KeyRow.COLUMNS + " FROM (SELECT 1 AS one) AS q LEFT JOIN "
            + table + " t ON t.scope = ? AND t.key_hash = ?";
    this.suppress =
        "UPDATE " + table + " SET suppressed = suppressed + 1" + IS_KEY + " AND state = '" + KeyRow.COMPLETED + "'";
    this.insert =
        "INSERT INTO " + table + " (" + COLUMNS + ") VALUES (?, ?, ?, '" + KeyRow.STARTED + "', 1, ?, ?, ?, ?)"
            + dialect.unlessTaken;
    this.lock = "SELECT " + KeyRow.COLUMNS + " FROM " + table + " t WHERE t.scope = ? AND t.key_hash = ? FOR UPDATE";
    this.takeOver =
        "UPDATE " + table + " SET attempt = ?, worker = ?, message_id = ?, receive_count = ?, started_at = ?,"
            + " suppressed = 0" + IS_KEY;
    // Attempt, worker and message together name this attempt alone: were the handler to roll back behind our back, the
    // row could be one that another attempt left, and completing that would suppress the key without its effect.
    this.complete =
        "UPDATE " + table + " SET state = '" + KeyRow.COMPLETED + "', completed_at = " + dialect.clock
            + ", duration_ms = " + dialect.millisSinceStart + ", " + StoryColumns.SET + IS_KEY + " AND state = '"
            + KeyRow.STARTED
            + "' AND attempt = ? AND worker = ? AND message_id = ?";
  }

  /** Reads the key's row as committed, and the database's time. */
  Look look(Connection connection, GateKey key) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(look)) {
      bindKey(query, 1, key);
      try (ResultSet row = query.executeQuery()) {
        row.next();
        OffsetDateTime now = dialect.values.time(row, "asked_at");
        return new Look(now,
            row.getString("state") == null
                ? Optional.empty()
                : Optional.of(KeyRow.read(row, dialect, Optional.of(now))));
      }
    }
  }

  /**
   * Counts one more redelivery of a completed key, on a connection in autocommit mode or in a transaction for it alone.
   *
   * @return the row with the new count, if it is still there
   */
  Optional<KeyRow> suppress(Connection connection, GateKey key) throws SQLException {
    boolean ours = connection.getAutoCommit();
    @Nullable String before = null;
    try {
      if (ours) {
        connection.setAutoCommit(false);
      }
      before = dialect.exchangeLockWait(connection, lockWaitMillis);
      Optional<KeyRow> row;
      try (PreparedStatement update = connection.prepareStatement(suppress)) {
        bindKey(update, 1, key);
        update.executeUpdate();
        row = look(connection, key).row();
      }
      if (ours) {
        connection.commit();
      }
      return row;
    } finally {
      if (ours) {
        connection.rollback();
      }
      restoreLockWait(connection, before);
      if (ours) {
        connection.setAutoCommit(true);
      }
    }
  }

  /**
   * Writes the started row in the connection's transaction, waiting for another attempt at the same key for no longer than
   * the lock wait. After any answer but {@link Claim.Mine}, and after an exception, the transaction is to be rolled back.
   */
  Claim claim(Connection connection, GateKey key, AttemptInfo info, OffsetDateTime startedAt) throws SQLException {
    @Nullable String before = null;
    try {
      before = dialect.exchangeLockWait(connection, lockWaitMillis);
      Claim claim = write(connection, key, info, startedAt);
      dialect.exchangeLockWait(connection, before);
      return claim;
    } catch (SQLException | RuntimeException | Error e) {
      try {
        connection.rollback();
        restoreLockWait(connection, before);
      } catch (SQLException | RuntimeException worse) {
        e.addSuppressed(worse);
        throw e;
      }
      if (e instanceof SQLException sql && dialect.isBusy(sql)) {
        return new Claim.Busy();
      }
      throw e;
    }
  }

  private Claim write(Connection connection, GateKey key, AttemptInfo info, OffsetDateTime startedAt)
      throws SQLException {
    for (int i = 0; i < CLAIM_TRIES; i++) {
      if (insert(connection, key, info, startedAt)) {
        return new Claim.Mine(1, Optional.empty());
      }
      Optional<KeyRow> row = lock(connection, key);
      if (row.isPresent()) {
        return row.get().completed()
            ? new Claim.Done(row.get())
            : takeOver(connection, key, info, startedAt, row.get());
      }
      // The other attempt rolled back, or a purge removed the row, between our insert and our look: insert again.
    }
    return new Claim.Busy();
  }

  private boolean insert(Connection connection, GateKey key, AttemptInfo info, OffsetDateTime startedAt)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      int next = bindKey(statement, 1, key);
      statement.setString(next++, text.of(key.text(), TEXT));
      bindInfo(statement, next, info, startedAt);
      return statement.executeUpdate() == 1;
    } catch (SQLException e) {
      if (dialect.isTaken(e)) {
        return false;
      }
      throw e;
    }
  }

  private Optional<KeyRow> lock(Connection connection, GateKey key) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(lock)) {
      bindKey(query, 1, key);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(KeyRow.read(row, dialect, Optional.empty())) : Optional.empty();
      }
    }
  }

  private Claim takeOver(
      Connection connection, GateKey key, AttemptInfo info, OffsetDateTime startedAt, KeyRow unfinished)
      throws SQLException {
    int attempt = unfinished.attempt() + 1;
    try (PreparedStatement statement = connection.prepareStatement(takeOver)) {
      statement.setInt(1, attempt);
      bindKey(statement, bindInfo(statement, 2, info, startedAt), key);
      statement.executeUpdate();
    }
    return new Claim.Mine(attempt, Optional.of(unfinished));
  }

  /** Marks the attempt's row completed. Says whether there was such a row. */
  boolean complete(Connection connection, GateKey key, AttemptInfo info, int attempt) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(complete)) {
      int next = bindKey(statement, StoryColumns.bind(statement, 1, info.lease().get()), key);
      statement.setInt(next++, attempt);
      statement.setString(next++, text.of(info.worker(), NAME));
      statement.setString(next, text.of(info.messageId(), NAME));
      return statement.executeUpdate() == 1;
    }
  }

  /** Whether the row was written by this attempt. */
  boolean isBy(KeyRow row, AttemptInfo info, int attempt) {
    return row.attempt() == attempt
        && row.by().worker().equals(text.of(info.worker(), NAME))
        && row.by().messageId().equals(text.of(info.messageId(), NAME));
  }

  private void restoreLockWait(Connection connection, @Nullable String before) throws SQLException {
    if (before != null && dialect.lockWaitOutlivesTransaction) {
      dialect.exchangeLockWait(connection, before);
    }
  }

  private int bindKey(PreparedStatement statement, int first, GateKey key) throws SQLException {
    statement.setObject(first, dialect.values.parameter(key.scope()));
    statement.setBytes(first + 1, key.hash());
    return first + 2;
  }

  private int bindInfo(PreparedStatement statement, int first, AttemptInfo info, OffsetDateTime startedAt)
      throws SQLException {
    statement.setString(first, text.of(info.worker(), NAME));
    statement.setString(first + 1, text.of(info.messageId(), NAME));
    statement.setInt(first + 2, info.receiveCount());
    statement.setObject(first + 3, dialect.values.parameter(startedAt));
    return first + 4;
  }

  /**
   * A key's row, if there is one, and the database's time when it was read.
   *
   * <p>Immutable.
   */
  record Look(OffsetDateTime now, Optional<KeyRow> row) {}
}
