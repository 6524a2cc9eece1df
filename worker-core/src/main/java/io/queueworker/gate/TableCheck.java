package io.queueworker.gate;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The look at the gate's table when the gate opens. Changes nothing.
 *
 * <p>Immutable.
 */
record TableCheck(Dialect dialect, TableName name, Duration lockWait) {

  /**
   * The statements over the table that the name means on this connection, from here on by its schema: another connection
   * may point to another schema, with a table of the same name and none of the completed keys.
   *
   * @throws SQLException when the table, one of its columns, its key or a right to read or write it is not there
   */
  GateTable open(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // First by the name, since the database says best what it misses.
      statement.execute(select(name.text()));
      StoredTable table = dialect.find(connection, name, select(name.text()));
      String columns = GateTable.COLUMNS;
      for (String sql : List.of(
          select(table.toString()),
          "UPDATE " + table + " SET suppressed = suppressed WHERE 1 = 0",
          "INSERT INTO " + table + " (" + columns + ") SELECT " + columns + " FROM " + table + " WHERE 1 = 0"
              + dialect.unlessTaken)) {
        statement.execute(sql);
      }
      if (dialect.unlessTaken.isEmpty()) {
        checkKey(connection, table);
      }
      return new GateTable(dialect, table, lockWait, new RowText(dialect.holdsUnicode(connection)));
    }
  }

  private static String select(String table) {
    return "SELECT " + GateTable.COLUMNS + ", completed_at, duration_ms, suppressed, version FROM " + table
        + " WHERE 1 = 0";
  }

  /** For a database that takes an insert into a table without the key for a fresh one each time. */
  private static void checkKey(Connection connection, StoredTable table) throws SQLException {
    Set<String> columns = new HashSet<>();
    try (ResultSet key = connection.getMetaData().getPrimaryKeys(null, table.schema(), table.name())) {
      while (key.next()) {
        columns.add(key.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
      }
    }
    if (!columns.equals(Set.of("scope", "key_hash"))) {
      throw new SQLException("its primary key is " + columns + ", but must be scope and key_hash");
    }
  }
}
