package io.queueworker.integration;

import io.queueworker.gate.JdbcGate;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * An empty schema on a real PostgreSQL server, with the gate's table and a table of effects. The server starts once in a
 * JVM and ends with it.
 *
 * <p>Thread-safe.
 */
final class Postgres {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private final String schema;
  private final int port;

  private Postgres(String schema, int port) {
    this.schema = schema;
    this.port = port;
  }

  /** A schema of its own, on the one server of this JVM. */
  static Postgres schema() throws SQLException {
    return schemaAt(Server.STARTED.getPort());
  }

  /** A schema of its own, on the server at a port. */
  static Postgres schemaAt(int port) throws SQLException {
    Postgres database = new Postgres("integration" + SCHEMAS.incrementAndGet(), port);
    database.sql("CREATE SCHEMA " + database.schema);
    database.sql("CREATE TABLE effects (id varchar(100))");
    JdbcGate.on(database.direct()).createTable();
    return database;
  }

  /** Plain connections to an empty schema of its own. */
  static PGSimpleDataSource empty() throws SQLException {
    Postgres database = new Postgres("empty" + SCHEMAS.incrementAndGet(), Server.STARTED.getPort());
    database.sql("CREATE SCHEMA " + database.schema);
    return database.direct();
  }

  /** Plain connections to the schema. */
  PGSimpleDataSource direct() {
    return through(port);
  }

  /** Plain connections to the schema through a proxy's port. */
  PGSimpleDataSource through(int port) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setServerNames(new String[]{"127.0.0.1"});
    dataSource.setPortNumbers(new int[]{port});
    dataSource.setDatabaseName("postgres");
    dataSource.setUser("postgres");
    dataSource.setCurrentSchema(schema);
    dataSource.setSslMode("disable");
    return dataSource;
  }

  /** A proxy in front of the server. */
  static CuttingProxy proxy() throws IOException {
    return new CuttingProxy(Server.STARTED.getPort());
  }

  /** Makes the effect of one message on a connection. */
  static void effect(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effects VALUES (?)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  /** Runs statements. */
  void sql(String sql) throws SQLException {
    try (Connection connection = direct().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first value that a query gives. */
  String ask(String query) throws SQLException {
    try (Connection connection = direct().getConnection()) {
      return ask(connection, query);
    }
  }

  static String ask(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getString(1);
    }
  }

  /** How many effects there are. */
  int effects() throws SQLException {
    return Integer.parseInt(ask("SELECT count(*) FROM effects"));
  }

  /** How many messages have an effect. */
  int messagesWithEffect() throws SQLException {
    return Integer.parseInt(ask("SELECT count(DISTINCT id) FROM effects"));
  }

  /** How many of the gate's rows are completed. */
  int completed() throws SQLException {
    return Integer.parseInt(ask("SELECT count(*) FROM queueworker_gate WHERE state = 'completed'"));
  }

  /** How many of the gate's rows there are. */
  int rows() throws SQLException {
    return Integer.parseInt(ask("SELECT count(*) FROM queueworker_gate"));
  }

  /** The one server of this JVM. */
  private static final class Server {
    static final EmbeddedPostgres STARTED = start();

    private static EmbeddedPostgres start() {
      try {
        EmbeddedPostgres started =
            EmbeddedPostgres.builder().setServerConfig("max_connections", "200").start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(started)));
        return started;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void close(EmbeddedPostgres started) {
      try {
        started.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
