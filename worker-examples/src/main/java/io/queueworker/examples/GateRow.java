package io.queueworker.examples;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * What the gate keeps of one key. Immutable.
 *
 * @param state {@code completed} once the effect is committed
 * @param worker who committed it
 * @param receiveCount the receive count of the message then
 * @param suppressed redeliveries recognised since
 */
record GateRow(String state, String worker, int receiveCount, int suppressed) {

  /** Reads the row of a key that has one. */
  static GateRow of(DataSource dataSource, String key) throws SQLException {
    String sql = "SELECT state, worker, receive_count, suppressed FROM queueworker_gate WHERE key_text = ?";
    try (Connection connection = dataSource.getConnection();
        PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, key);
      try (ResultSet row = query.executeQuery()) {
        return row.next()
            ? new GateRow(row.getString(1), row.getString(2), row.getInt(3), row.getInt(4))
            : new GateRow("no row", "nobody", 0, 0);
      }
    }
  }

  @Override
  public String toString() {
    return "%s by %s at receive count %d, redeliveries suppressed: %d".formatted(state, worker, receiveCount,
        suppressed);
  }
}
