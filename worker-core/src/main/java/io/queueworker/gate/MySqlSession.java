package io.queueworker.gate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * What MariaDB and MySQL say about the gate's table, and how long one of their sessions waits for locks.
 *
 * <p>As thread-safe as the connection.
 */
record MySqlSession(Connection connection) {
  private static final Set<String> ENGINE = Set.of("innodb");
  private static final long MILLIS_IN_SECOND = 1000;

  /** The code of a lock wait that ended. It undoes the statement and, by default, not the transaction. */
  private static final int LOCK_WAIT = 1205;

  /** The code of a row that another transaction changed after this one's snapshot. */
  private static final int CHANGED = 1020;

  /** Whether the failure means that another attempt holds the key's row, though its SQLState does not say so. */
  static boolean isBusy(SQLException failure) {
    return SqlFailure.isCode(failure, LOCK_WAIT) || SqlFailure.isCode(failure, CHANGED);
  }

  /**
   * Sets how long the session waits for a row's lock.
   *
   * @param set the statement that does
   * @param setting milliseconds, rounded up to whole seconds
   * @return the setting before, in milliseconds
   */
  String exchangeLockWait(String set, String setting) throws SQLException {
    long before =
        Long.parseLong(Dialect.queryString(connection, "SELECT @@SESSION.innodb_lock_wait_timeout", null));
    try (PreparedStatement statement = connection.prepareStatement(set)) {
      statement.setLong(1, Math.ceilDiv(Long.parseLong(setting), MILLIS_IN_SECOND));
      statement.executeUpdate();
    }
    return Long.toString(before * MILLIS_IN_SECOND);
  }

  /**
   * The table that a name means on this connection, given that it is there.
   *
   * @throws SQLException when its engine is not InnoDB: others have no transactions, or other locks
   */
  StoredTable find(TableName name) throws SQLException {
    String[] parts = name.text().split("\\.", 2);
    StoredTable table =
        new StoredTable(parts.length == 2 ? parts[0] : Dialect.queryString(connection, "SELECT DATABASE()", null),
            parts[parts.length - 1], '`');
    Set<String> engines = about("SELECT engine FROM information_schema.tables", table, "");
    if (!engines.equals(ENGINE)) {
      throw new SQLException(
          "its storage engine is " + engines + ", but must be InnoDB, since a rollback must undo the gate's row; run"
              + " ALTER TABLE " + table + " ENGINE=InnoDB, and see that the tables of the effects are InnoDB too");
    }
    return table;
  }

  /** The columns of the table's primary key. */
  Set<String> key(StoredTable table) throws SQLException {
    return about("SELECT column_name FROM information_schema.statistics", table, " AND index_name = 'PRIMARY'");
  }

  /** Whether every text of the table can hold every character. */
  boolean holdsUnicode(StoredTable table) throws SQLException {
    return about("SELECT character_set_name FROM information_schema.columns", table,
        " AND column_name IN ('key_text', 'worker', 'message_id')").equals(Set.of("utf8mb4"));
  }

  /** The different values of a column of the catalog, in lower case. */
  private Set<String> about(String select, StoredTable table, String more) throws SQLException {
    Set<String> values = new HashSet<>();
    // Where the server keeps the names of tables in lower case, it finds them so.
    try (PreparedStatement query = connection.prepareStatement(
        select + " WHERE table_schema = IF(@@lower_case_table_names = 0, ?, LOWER(?))"
            + " AND table_name = IF(@@lower_case_table_names = 0, ?, LOWER(?))" + more)) {
      query.setString(1, table.schema());
      query.setString(2, table.schema());
      query.setString(3, table.name());
      query.setString(4, table.name());
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          values.add(String.valueOf(row.getString(1)).toLowerCase(Locale.ROOT));
        }
      }
    }
    return values;
  }
}
