package io.queueworker.examples;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The bytes that the gate's table takes, by the database's own account. Immutable.
 *
 * @param table those of its rows
 * @param index those of its primary key
 */
record TableSize(long table, long index) {

  /** Asks PostgreSQL. H2 holds the table in this process's memory and does not say how much it takes. */
  static Optional<TableSize> of(String db, DataSource dataSource) throws SQLException {
    if (!db.equals("postgres")) {
      return Optional.empty();
    }
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT pg_table_size('queueworker_gate'), pg_indexes_size('queueworker_gate')")) {
      row.next();
      return Optional.of(new TableSize(row.getLong(1), row.getLong(2)));
    }
  }

  /** Adds the bytes for each row. */
  void into(ObjectNode json, int rows) {
    json.put("tableBytesPerRow", table / rows).put("indexBytesPerRow", index / rows);
    json.put("bytesPerRow", (table + index) / rows);
  }
}
