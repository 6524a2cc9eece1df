package io.queueworker.examples;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The table of the orders that are done: the effect of the examples. It has no key, on purpose: an order done twice would
 * be two rows. Thread-safe.
 *
 * @param dataSource where it is
 */
record OrderTable(DataSource dataSource) {

  /** Creates the table in a database that does not have it. */
  void create() throws SQLException {
    try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id varchar(50) NOT NULL, items integer NOT NULL)");
    }
  }

  /** Makes the effect of an order, in the transaction of {@code connection}. */
  void insert(Connection connection, Order order) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders (id, items) VALUES (?, ?)")) {
      insert.setString(1, order.id());
      insert.setInt(2, order.items());
      insert.executeUpdate();
    }
  }

  /** How many rows it has. */
  int rows() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet count = statement.executeQuery("SELECT count(*) FROM orders")) {
      count.next();
      return count.getInt(1);
    }
  }

  /** How many rows an order has. */
  int rows(String id) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement query = connection.prepareStatement("SELECT count(*) FROM orders WHERE id = ?")) {
      query.setString(1, id);
      try (ResultSet count = query.executeQuery()) {
        count.next();
        return count.getInt(1);
      }
    }
  }
}
