package io.queueworker.examples.chaos;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

/**
 * The table of the effects. It has no key, on purpose: an effect made twice is more rows. Thread-safe.
 *
 * @param dataSource where it is
 */
record EffectTable(DataSource dataSource) {

  /** Creates the table in a database that does not have it. */
  void create() throws SQLException {
    try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE effects (task varchar(50) NOT NULL, part integer NOT NULL, worker varchar(50) NOT NULL)");
    }
  }

  /** Writes a part of a task's effect, in the transaction of {@code connection}. */
  static void insert(Connection connection, String task, int part, String worker) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO effects (task, part, worker) VALUES (?, ?, ?)")) {
      insert.setString(1, task);
      insert.setInt(2, part);
      insert.setString(3, worker);
      insert.executeUpdate();
    }
  }

  /** How often each part of each task's effect is there: index 0 is the first part. Tasks without any are left out. */
  Map<String, int[]> parts() throws SQLException {
    Map<String, int[]> parts = new HashMap<>();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT task, part, count(*) FROM effects GROUP BY task, part")) {
      while (row.next()) {
        parts.computeIfAbsent(row.getString(1), task -> new int[Task.PARTS])[row.getInt(2) - 1] = row.getInt(3);
      }
    }
    return parts;
  }
}
