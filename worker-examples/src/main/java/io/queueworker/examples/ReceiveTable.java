package io.queueworker.examples;

import io.queueworker.queue.ReceivedMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/**
 * The table of everything that the queue handed out: one row for each receive of a message, with the receive count that
 * the queue gave it. Thread-safe.
 *
 * @param dataSource where it is
 */
record ReceiveTable(DataSource dataSource) {

  /** Creates the table in a database that does not have it. */
  void create() throws SQLException {
    try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE receives (worker varchar(50) NOT NULL, message_id varchar(50) NOT NULL,"
              + " receive_count integer NOT NULL)");
    }
  }

  /** Writes down what one receive brought to a worker. */
  void insert(String worker, List<ReceivedMessage> messages) {
    String sql = "INSERT INTO receives (worker, message_id, receive_count) VALUES (?, ?, ?)";
    try (Connection connection = dataSource.getConnection();
        PreparedStatement insert = connection.prepareStatement(sql)) {
      for (ReceivedMessage message : messages) {
        insert.setString(1, worker);
        insert.setString(2, message.id());
        insert.setInt(3, message.receiveCount());
        insert.addBatch();
      }
      insert.executeBatch();
    } catch (SQLException e) {
      throw new IllegalStateException("the receive could not be written down; its messages come again", e);
    }
  }
}
