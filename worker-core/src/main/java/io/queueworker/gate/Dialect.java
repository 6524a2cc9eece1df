package io.queueworker.gate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the gate says differently to each database.
 *
 * <p>Immutable.
 */
enum Dialect {
  /**
   * PostgreSQL. A failed statement aborts its transaction, so a taken key must not fail the insert. Its
   * {@code CURRENT_TIMESTAMP} stands still in a transaction.
   */
  POSTGRESQL(
      "PostgreSQL",
      "clock_timestamp()",
      "CAST(EXTRACT(EPOCH FROM clock_timestamp() - started_at) * 1000 AS bigint)",
      " ON CONFLICT (scope, key_hash) DO NOTHING",
      "55P03|40P01|40001|57014",
      false,
      // The subquery, which OFFSET keeps apart, reads the setting before the outer list changes it.
      "SELECT was, set_config('lock_timeout', ?, true)"
          + " FROM (SELECT current_setting('lock_timeout') AS was OFFSET 0) AS before",
      StoredValues.AS_THEY_ARE) {
    @Override
    String exchangeLockWait(Connection connection, String setting) throws SQLException {
      return queryString(connection, exchange, setting);
    }

    @Override
    StoredTable find(Connection connection, TableName name, String select) throws SQLException {
      try (PreparedStatement query = connection.prepareStatement(
          "SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n"
              + " ON n.oid = c.relnamespace WHERE c.oid = pg_catalog.to_regclass(?)")) {
        query.setString(1, name.text());
        try (ResultSet row = query.executeQuery()) {
          if (!row.next()) {
            throw new SQLException("the catalog does not list it");
          }
          return new StoredTable(row.getString(1), row.getString(2));
        }
      }
    }

    @Override
    boolean holdsUnicode(Connection connection, StoredTable table) throws SQLException {
      return "UTF8".equals(queryString(connection, "SELECT current_setting('server_encoding')", null));
    }
  },

  /**
   * H2. A taken key fails the insert and nothing else. Its lock timeout belongs to the session, and its
   * {@code CURRENT_TIMESTAMP} stands still in a transaction too.
   */
  H2(
      "H2",
      Dialect.H2_STATEMENT_START,
      "DATEDIFF(MILLISECOND, started_at, " + Dialect.H2_STATEMENT_START + ")",
      "",
      "HYT00|40001|90131|57014",
      true,
      "SET LOCK_TIMEOUT ?",
      StoredValues.AS_THEY_ARE) {
    @Override
    String exchangeLockWait(Connection connection, String setting) throws SQLException {
      String before = queryString(connection, "SELECT LOCK_TIMEOUT()", null);
      try (PreparedStatement set = connection.prepareStatement(exchange)) {
        set.setInt(1, Integer.parseInt(setting));
        set.executeUpdate();
      }
      return before;
    }

    @Override
    StoredTable find(Connection connection, TableName name, String select) throws SQLException {
      try (PreparedStatement query = connection.prepareStatement(select);
          ResultSet rows = query.executeQuery()) {
        ResultSetMetaData columns = rows.getMetaData();
        return new StoredTable(columns.getSchemaName(1), columns.getTableName(1));
      }
    }
  },

  /**
   * MariaDB and MySQL. An insert that a taken key fails keeps a shared lock, and two that then ask for the row lock each
   * other out: so a taken key is written to instead, which locks the row alone and is undone or set right afterwards. The
   * lock wait is in whole seconds, and when it ends, the transaction is still open. {@code UTC_TIMESTAMP} is the
   * statement's.
   */
  MYSQL(
      "MariaDB|MySQL",
      "UTC_TIMESTAMP(6)",
      "TIMESTAMPDIFF(MICROSECOND, started_at, UTC_TIMESTAMP(6)) DIV 1000",
      // Some change, so that the count of rows is 2 with every setting of the driver.
      " ON DUPLICATE KEY UPDATE suppressed = suppressed + 1",
      "40001|70100",
      true,
      "SET SESSION innodb_lock_wait_timeout = ?",
      StoredValues.AS_BYTES_AND_UTC) {
    @Override
    String exchangeLockWait(Connection connection, String setting) throws SQLException {
      return new MySqlSession(connection).exchangeLockWait(exchange, setting);
    }

    @Override
    StoredTable find(Connection connection, TableName name, String select) throws SQLException {
      return new MySqlSession(connection).find(name);
    }

    @Override
    Set<String> key(Connection connection, StoredTable table) throws SQLException {
      return new MySqlSession(connection).key(table);
    }

    @Override
    boolean holdsUnicode(Connection connection, StoredTable table) throws SQLException {
      return new MySqlSession(connection).holdsUnicode(table);
    }

    @Override
    boolean isBusy(SQLException failure) {
      return super.isBusy(failure) || MySqlSession.isBusy(failure);
    }
  };

  private static final String H2_STATEMENT_START =
      "(SELECT EXECUTING_STATEMENT_START FROM INFORMATION_SCHEMA.SESSIONS WHERE SESSION_ID = SESSION_ID())";

  /** The names that drivers report for the database, as alternatives of a pattern. */
  private final String products;

  /** The time now, also inside a transaction. */
  final String clock;

  /** Whole milliseconds since the row's {@code started_at}. */
  final String millisSinceStart;

  /** What the insert ends with so that a taken key is no error, if there is such a thing. */
  final String unlessTaken;

  /** How the wait for the key's row is set. */
  final String exchange;

  /** How scopes and times go into columns and come out of them. */
  final StoredValues values;

  /** Whether the wait stays set when the transaction ends. */
  final boolean lockWaitOutlivesTransaction;

  /** A pattern of the SQLStates that mean a lock wait that ended, a deadlock or a conflict. */
  private final String busyStates;

  Dialect(
      String products,
      String clock,
      String millisSinceStart,
      String unlessTaken,
      String busyStates,
      boolean lockWaitOutlivesTransaction,
      String exchange,
      StoredValues values) {
    this.products = products;
    this.clock = clock;
    this.millisSinceStart = millisSinceStart;
    this.unlessTaken = unlessTaken;
    this.busyStates = busyStates;
    this.lockWaitOutlivesTransaction = lockWaitOutlivesTransaction;
    this.exchange = exchange;
    this.values = values;
  }

  /**
   * The dialect of the database behind a connection.
   *
   * @throws IllegalStateException for a database that the gate does not know
   */
  static Dialect of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return Arrays.stream(values())
        .filter(dialect -> product.matches(dialect.products))
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException(
                "JdbcGate does not know the database \""
                    + product
                    + "\"; it works on "
                    + Arrays.stream(values()).map(d -> d.products.replace("|", ", "))
                        .collect(Collectors.joining(", "))));
  }

  /**
   * Sets how long this connection's statements wait for a lock, for the transaction or until set again.
   *
   * @param setting milliseconds, or what an earlier call returned
   * @return the setting before
   */
  abstract String exchangeLockWait(Connection connection, String setting) throws SQLException;

  /**
   * The table that a name means on this connection, given that it is there.
   *
   * @param select reads a column of it
   */
  abstract StoredTable find(Connection connection, TableName name, String select) throws SQLException;

  /** The columns of the table's primary key. */
  Set<String> key(Connection connection, StoredTable table) throws SQLException {
    Set<String> columns = new HashSet<>();
    try (ResultSet key = connection.getMetaData().getPrimaryKeys(null, table.schema(), table.name())) {
      while (key.next()) {
        columns.add(key.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
      }
    }
    return columns;
  }

  /** Whether this table can hold every character. */
  boolean holdsUnicode(Connection connection, StoredTable table) throws SQLException {
    return true;
  }

  /** Whether transactions of this database can be set to see what others have not committed. */
  static boolean mayReadUncommitted(Connection connection) throws SQLException {
    return !POSTGRESQL.products.equals(connection.getMetaData().getDatabaseProductName());
  }

  /** Whether the failure means that another attempt holds the key's row. */
  boolean isBusy(SQLException failure) {
    String state = SqlFailure.sqlState(failure);
    return state != null && state.matches(busyStates);
  }

  /** Whether the failed insert met an existing row. */
  boolean isTaken(SQLException failure) {
    return unlessTaken.isEmpty() && "23505".equals(SqlFailure.sqlState(failure));
  }

  /** Where the DDL is on the class path. */
  String resource() {
    return "io/queueworker/gate/" + name().toLowerCase(Locale.ROOT) + ".sql";
  }

  /** Where the statements are that bring an earlier layout up to date. */
  String upgradeResource() {
    return resource().replace(".sql", "-upgrade.sql");
  }

  /** The DDL for a table of this name. */
  String ddl(TableName table) {
    return ShippedDdl.of(resource(), table);
  }

  /** The statements for a table of this name with an earlier layout. */
  String upgradeDdl(TableName table) {
    return ShippedDdl.of(upgradeResource(), table);
  }

  static String queryString(Connection connection, String sql, @Nullable String parameter)
      throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      if (parameter != null) {
        query.setString(1, parameter);
      }
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }
}
