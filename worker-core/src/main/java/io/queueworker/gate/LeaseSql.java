package io.queueworker.gate;

import io.queueworker.gate.Admission.Completion;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The statements of a leased gate over its table. The connections are in autocommit mode.
 *
 * <p>Immutable; the connections are the callers'.
 */
final class LeaseSql {
  private static final int TEXT = 500;
  private static final int NAME = 200;
  private static final String STARTED = "'started'";
  private static final String COMPLETED = "completed";
  private static final String COLUMNS =
      "scope, key_hash, key_text, state, owner, worker, message_id, receive_count, first_started_at, started_at,"
          + " expires_at";
  private static final String IS_KEY = " WHERE scope = ? AND key_hash = ?";
  private static final String IS_OURS = IS_KEY + " AND owner = ? AND state = " + STARTED;

  private final Dialect dialect;
  private final RowText text;
  private final String look;
  private final String insert;
  private final String takeOver;
  private final String draw;
  private final String fence;
  private final String renew;
  private final String restart;
  private final String complete;
  private final String letGo;
  private final String remove;
  private final String suppress;

  private LeaseSql(LeaseDialect lease, StoredTable table, RowText text) {
    this.dialect = lease.dialect();
    this.text = text;
    String clock = dialect.clock;
    String later = lease.later();
    String update = "UPDATE " + table + " SET ";
    this.look =
        "SELECT state, owner, worker, message_id, receive_count, started_at, duration_ms, suppressed, "
            + StoryColumns.NAMES + ", " + clock + " AS asked_at,"
            + " CASE WHEN expires_at <= " + clock + " THEN 1 ELSE 0 END AS expired, "
            + dialect.millisSinceStart.replace("started_at", "first_started_at") + " AS age_ms FROM " + table + IS_KEY;
    this.insert =
        "INSERT INTO " + table + " (" + COLUMNS + ", fence) VALUES (?, ?, ?, " + STARTED + ", ?, ?, ?, ?, " + clock
            + ", "
            + clock + ", " + later + ", " + lease.nextFence() + ")" + lease.unlessTaken();
    this.takeOver =
        update + "owner = ?, worker = ?, message_id = ?, receive_count = ?, expires_at = " + later
            + ", fence = " + lease.nextFence() + ", started_at = " + clock + IS_OURS + " AND expires_at <= " + clock;
    this.draw = lease.draw().isEmpty() ? "" : "UPDATE " + table + lease.draw();
    this.fence = "SELECT fence FROM " + table + IS_OURS;
    this.renew = update + "expires_at = " + later + IS_OURS;
    this.restart = update + "first_started_at = " + clock + IS_OURS;
    this.complete =
        update + "state = '" + COMPLETED + "', completed_at = " + clock + ", duration_ms = " + dialect.millisSinceStart
            + ", " + StoryColumns.SET + IS_OURS;
    this.letGo = update + "expires_at = " + clock + IS_OURS;
    this.remove = "DELETE FROM " + table + IS_OURS;
    this.suppress = update + "suppressed = suppressed + 1" + IS_KEY + " AND state = '" + COMPLETED + "'";
  }

  /**
   * The statements over the table that the name means on this connection. Changes nothing but, on MySQL, the count of fences.
   *
   * @throws SQLException when the table, one of its columns, its key or a right to read or write it is not there
   */
  static LeaseSql check(Connection connection, Dialect dialect, TableName name) throws SQLException {
    String columns = "SELECT " + COLUMNS + ", fence, completed_at, duration_ms, suppressed, " + StoryColumns.NAMES
        + ", version FROM ";
    String nothing = " WHERE 1 = 0";
    LeaseDialect lease = LeaseDialect.of(dialect);
    try (Statement statement = connection.createStatement()) {
      statement.execute(columns + name + nothing);
      StoredTable table = dialect.find(connection, name, columns + name + nothing);
      for (String sql : List.of(
          "UPDATE " + table + " SET fence = " + lease.nextFence() + ", suppressed = suppressed" + nothing,
          "DELETE FROM " + table + nothing,
          "INSERT INTO " + table + " (" + COLUMNS + ") SELECT " + COLUMNS + " FROM " + table + nothing)) {
        statement.execute(sql);
      }
      TableCheck.checkKey(connection, dialect, table);
      LeaseSql checked = new LeaseSql(lease, table, new RowText(dialect.holdsUnicode(connection, table)));
      checked.draw(connection);
      return checked;
    }
  }

  /** Makes the next fence the one that the connection's next statement may use. */
  private void draw(Connection connection) throws SQLException {
    if (draw.isEmpty()) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      if (statement.executeUpdate(draw) != 1) {
        throw new SQLException("its row that counts fences is gone: insert it as the DDL does, with the highest fence");
      }
    }
  }

  /** Whether a step failed for the sake of another transaction. */
  boolean isBusy(SQLException failure) {
    return dialect.isBusy(failure);
  }

  Optional<LeaseRecord> look(Connection connection, GateKey key) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(look)) {
      bindKey(query, 1, key);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(record(row)) : Optional.empty();
      }
    }
  }

  private LeaseRecord record(ResultSet row) throws SQLException {
    OffsetDateTime startedAt = dialect.values.time(row, "started_at");
    Duration took = Duration.ofMillis(row.getLong("duration_ms"));
    return new LeaseRecord(
        COMPLETED.equals(row.getString("state")),
        row.getInt("expired") == 1,
        row.getString("owner"),
        Duration.ofMillis(row.getLong("age_ms")),
        new Completion(
            row.getString("worker"),
            row.getString("message_id"),
            row.getInt("receive_count"),
            startedAt.toInstant(),
            took,
            row.getLong("suppressed"),
            Optional.of(Duration.between(startedAt, dialect.values.time(row, "asked_at")).minus(took)),
            StoryColumns.read(row)));
  }

  OptionalLong begin(Connection connection, GateKey key, AttemptInfo info, String owner) throws SQLException {
    draw(connection);
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      int next = bindKey(statement, 1, key);
      statement.setString(next++, text.of(key.text(), TEXT));
      bindInfo(statement, next, info, owner);
      if (statement.executeUpdate() == 0) {
        return OptionalLong.empty();
      }
    } catch (SQLException e) {
      if (dialect.isTaken(e)) {
        return OptionalLong.empty();
      }
      throw e;
    }
    return fence(connection, key, owner);
  }

  OptionalLong takeOver(Connection connection, GateKey key, AttemptInfo info, String owner, String from)
      throws SQLException {
    draw(connection);
    try (PreparedStatement statement = connection.prepareStatement(takeOver)) {
      int next = bindInfo(statement, 1, info, owner);
      bindOurs(statement, next, key, from);
      if (statement.executeUpdate() == 0) {
        return OptionalLong.empty();
      }
    }
    return fence(connection, key, owner);
  }

  private OptionalLong fence(Connection connection, GateKey key, String owner) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(fence)) {
      bindOurs(query, 1, key, owner);
      try (ResultSet row = query.executeQuery()) {
        // Absent when it expired and was taken over that fast.
        return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  boolean renew(Connection connection, GateKey key, String owner, Duration length) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(renew)) {
      statement.setLong(1, ceilMillis(length));
      bindOurs(statement, 2, key, owner);
      return statement.executeUpdate() == 1;
    }
  }

  boolean restart(Connection connection, GateKey key, String owner) throws SQLException {
    return change(connection, restart, key, owner);
  }

  boolean complete(Connection connection, GateKey key, String owner, LeaseStory lease) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(complete)) {
      bindOurs(statement, StoryColumns.bind(statement, 1, lease), key, owner);
      return statement.executeUpdate() == 1;
    }
  }

  boolean letGo(Connection connection, GateKey key, String owner) throws SQLException {
    return change(connection, letGo, key, owner);
  }

  boolean remove(Connection connection, GateKey key, String owner) throws SQLException {
    return change(connection, remove, key, owner);
  }

  Optional<LeaseRecord> suppress(Connection connection, GateKey key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(suppress)) {
      bindKey(statement, 1, key);
      statement.executeUpdate();
    }
    return look(connection, key);
  }

  private boolean change(Connection connection, String sql, GateKey key, String owner) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bindOurs(statement, 1, key, owner);
      return statement.executeUpdate() == 1;
    }
  }

  private int bindKey(PreparedStatement statement, int first, GateKey key) throws SQLException {
    statement.setObject(first, dialect.values.parameter(key.scope()));
    statement.setBytes(first + 1, key.hash());
    return first + 2;
  }

  private void bindOurs(PreparedStatement statement, int first, GateKey key, String owner)
      throws SQLException {
    statement.setString(bindKey(statement, first, key), owner);
  }

  private int bindInfo(PreparedStatement statement, int first, AttemptInfo info, String owner) throws SQLException {
    statement.setString(first, owner);
    statement.setString(first + 1, text.of(info.worker(), NAME));
    statement.setString(first + 2, text.of(info.messageId(), NAME));
    statement.setInt(first + 3, info.receiveCount());
    statement.setLong(first + 4, ceilMillis(info.leaseLeft()));
    return first + 5;
  }

  /** Rounded up: the record must not end before the lease. */
  private static long ceilMillis(Duration length) {
    return length.plusNanos(999_999).toMillis();
  }
}
