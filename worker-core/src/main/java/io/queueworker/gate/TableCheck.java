package io.queueworker.gate;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The look at the gate's table when the gate opens. Changes nothing.
 *
 * <p>Immutable.
 */
record TableCheck(Dialect dialect, TableName name, Duration lockWait) {
  private static final Set<String> KEY = Set.of("scope", "key_hash");
  private static final int MYSQL_READ_ONLY = 1290;
  private static final String LATER_COLUMNS =
      "completed_at, duration_ms, suppressed, " + StoryColumns.NAMES + ", version";

  /**
   * The statements over the table that the name means on this connection, from here on by its schema: another connection
   * may point to another schema, with a table of the same name and none of the completed keys.
   *
   * @throws SQLException when the table, one of its columns, its key or a right to read or write it is not there
   */
  GateTable open(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // First by the name, since the database says best what it misses.
      checkColumns(statement, name);
      StoredTable table = dialect.find(connection, name, select(name.text()));
      String columns = GateTable.COLUMNS;
      for (String sql : List.of(
          select(table.toString()),
          "UPDATE " + table + " SET suppressed = suppressed WHERE 1 = 0",
          // From no columns but these: MySQL would not know which "suppressed" is meant.
          "INSERT INTO " + table + " (" + columns + ") SELECT " + columns + " FROM (SELECT " + columns + " FROM "
              + table + ") AS t WHERE 1 = 0" + dialect.unlessTaken)) {
        statement.execute(sql);
      }
      checkKey(connection, dialect, table);
      return new GateTable(dialect, table, lockWait, new RowText(dialect.holdsUnicode(connection, table)));
    }
  }

  /** What to do about a table that was found unusable. */
  static String remedy(Dialect dialect, SQLException failure) {
    if (failure instanceof Outdated) {
      return "Bring it up to date with the statements in " + dialect.upgradeResource()
          + " of worker-core, which JdbcGate.upgradeDdl() gives, and compare it with " + dialect.resource();
    }
    if ("25006".equals(SqlFailure.sqlState(failure)) || SqlFailure.isCode(failure, MYSQL_READ_ONLY)) {
      return "The database is read-only here: connect to its primary, or let it write again";
    }
    return "Create it with the statement in " + dialect.resource()
        + " of worker-core, or with JdbcGate.createTable(), and grant SELECT, INSERT and UPDATE on it";
  }

  private static String select(String table) {
    return "SELECT " + GateTable.COLUMNS + ", " + LATER_COLUMNS + " FROM " + table + " WHERE 1 = 0";
  }

  /** A later version of the library may add columns, and an earlier one goes on with a table that has more than it knows. */
  private static void checkColumns(Statement statement, TableName name) throws SQLException {
    Set<String> found = new HashSet<>();
    try (ResultSet rows = statement.executeQuery("SELECT * FROM " + name + " WHERE 1 = 0")) {
      ResultSetMetaData columns = rows.getMetaData();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        found.add(columns.getColumnName(i).toLowerCase(Locale.ROOT));
      }
    }
    Set<String> missing = new TreeSet<>(List.of((GateTable.COLUMNS + ", " + LATER_COLUMNS).split(", ", -1)));
    missing.removeAll(found);
    if (!missing.isEmpty()) {
      throw new Outdated("it has no column " + String.join(", ", missing) + ", so it was made for another version");
    }
  }

  /** Columns that this version needs are missing. */
  private static final class Outdated extends SQLException {
    private static final long serialVersionUID = 1;

    Outdated(String message) {
      super(message);
    }
  }

  /** An insert into a table without the key would be taken for a fresh one each time. */
  static void checkKey(Connection connection, Dialect dialect, StoredTable table) throws SQLException {
    Set<String> key = dialect.key(connection, table);
    if (!key.equals(KEY)) {
      throw new SQLException("its primary key is " + key + ", but must be scope and key_hash");
    }
  }
}
