package io.queueworker.integration;

import io.queueworker.gate.JdbcGate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** The databases that the gate works on, each with an empty gate's table and an empty table of effects when asked. */
enum GateStore {
  H2 {
    @Override
    DataSource database() {
      JdbcDataSource dataSource = new JdbcDataSource();
      dataSource.setURL("jdbc:h2:mem:store" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1");
      return dataSource;
    }
  },

  POSTGRESQL {
    @Override
    DataSource database() throws SQLException {
      return Postgres.empty();
    }
  },

  MARIADB {
    @Override
    DataSource database() throws SQLException {
      String name = "store" + NUMBER.incrementAndGet();
      sql(mariaDb("mysql"), "CREATE DATABASE " + name + " CHARACTER SET utf8mb4");
      return mariaDb(name);
    }
  };

  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** Plain connections to an empty schema. */
  abstract DataSource database() throws SQLException;

  /** Plain connections to a schema with the gate's table and the effects'. */
  DataSource prepared() throws SQLException {
    DataSource dataSource = database();
    sql(dataSource, "CREATE TABLE effects (id varchar(100))");
    JdbcGate.on(dataSource).createTable();
    return dataSource;
  }

  private static DataSource mariaDb(String database) throws SQLException {
    return new MariaDbDataSource(
        "jdbc:mariadb://127.0.0.1:" + MariaDbServer.port() + "/" + database + "?user=root&sslMode=disable");
  }

  /** Makes an effect. */
  static void effect(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effects VALUES (?)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  /** How many durable effects have the id. */
  static long effects(DataSource dataSource, String id) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement query = connection.prepareStatement("SELECT count(*) FROM effects WHERE id = ?")) {
      query.setString(1, id);
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /** The first number that a query gives. */
  static long ask(DataSource dataSource, String query) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Runs a statement. */
  static void sql(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
