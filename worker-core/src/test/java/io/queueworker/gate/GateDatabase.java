package io.queueworker.gate;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The databases that the gate's suite runs on. The servers start once in a JVM and end with it. */
enum GateDatabase {
  H2 {
    @Override
    DataSource empty() {
      JdbcDataSource dataSource = new JdbcDataSource();
      dataSource.setURL("jdbc:h2:mem:gate" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=7000");
      return dataSource;
    }

    @Override
    String lockTimeoutQuery() {
      return "SELECT LOCK_TIMEOUT()";
    }

    @Override
    String waitingQuery() {
      // H2 waits for another transaction's row by trying the statement again, which shows as no lock.
      return "SELECT count(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE EXECUTING_STATEMENT LIKE 'INSERT INTO %QUEUEW%'";
    }
  },

  POSTGRESQL {
    @Override
    DataSource empty() throws SQLException {
      String schema = "gate" + NUMBER.incrementAndGet();
      try (Connection connection = Server.STARTED.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE SCHEMA " + schema);
      }
      return postgres(schema);
    }

    @Override
    String lockTimeoutQuery() {
      return "SHOW lock_timeout";
    }

    @Override
    String waitingQuery() {
      return "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    }
  },

  MARIADB {
    @Override
    DataSource empty() throws SQLException {
      String schema = "gate" + NUMBER.incrementAndGet();
      try (Connection connection = mariaDb("mysql", "").getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE " + schema);
      }
      return mariaDb(schema, "");
    }

    @Override
    String lockTimeoutQuery() {
      return "SELECT @@innodb_lock_wait_timeout";
    }

    @Override
    String waitingQuery() {
      // A statement of ours that has run for so long waits. The server's own list of waits is a copy that ages.
      return "SELECT count(*) FROM information_schema.processlist WHERE info LIKE 'INSERT INTO %queuew%' AND time_ms > 50";
    }

    @Override
    String resource() {
      return "mysql.sql";
    }

    @Override
    String dropSchema(String schema) {
      return "DROP SCHEMA " + schema;
    }

    @Override
    String schemaOf(Connection connection) throws SQLException {
      return connection.getCatalog();
    }

    @Override
    void pointTo(Connection connection, String schema) throws SQLException {
      connection.setCatalog(schema);
    }
  };

  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** Those to run on: all, or the one that the system property {@code gate.databases} names, as for mutation testing. */
  static Stream<GateDatabase> chosen() {
    String one = System.getProperty("gate.databases", "");
    return Stream.of(values()).filter(database -> one.isEmpty() || database.name().equals(one));
  }

  /** A data source of plain connections to an empty schema. */
  abstract DataSource empty() throws SQLException;

  /** Asks a session for how long it waits for locks. */
  abstract String lockTimeoutQuery();

  /** Counts the sessions that wait for another attempt's row. */
  abstract String waitingQuery();

  /** The file of the gate's DDL. */
  String resource() {
    return name().toLowerCase(Locale.ROOT) + ".sql";
  }

  /** How the statement starts that sets the lock wait. */
  String lockWaitStatement() {
    return switch (this) {
      case H2 -> "SET LOCK";
      case POSTGRESQL -> "SELECT was";
      case MARIADB -> "SET SESSION innodb";
    };
  }

  /** The statement that drops a schema and what is in it. */
  String dropSchema(String schema) {
    return "DROP SCHEMA " + schema + " CASCADE";
  }

  /** The schema that names without one are looked up in. */
  String schemaOf(Connection connection) throws SQLException {
    return connection.getSchema();
  }

  /** From here on names without a schema are looked up in this one. */
  void pointTo(Connection connection, String schema) throws SQLException {
    connection.setSchema(schema);
  }

  /** Connections to a database of MariaDB, whose session waits 7 s for locks and has more variables set. */
  static MariaDbDataSource mariaDb(String database, String variables) throws SQLException {
    return new MariaDbDataSource(
        "jdbc:mariadb://127.0.0.1:" + MariaDbServer.port() + "/" + database
            + "?user=root&sslMode=disable&sessionVariables=innodb_lock_wait_timeout=7" + variables);
  }

  /** Connections to one schema, whose session waits 7 s for locks. */
  private static PGSimpleDataSource postgres(String schema) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setServerNames(new String[]{"127.0.0.1"});
    dataSource.setPortNumbers(new int[]{Server.STARTED.getPort()});
    dataSource.setDatabaseName("postgres");
    dataSource.setUser("postgres");
    dataSource.setCurrentSchema(schema);
    dataSource.setOptions("-c lock_timeout=7s");
    dataSource.setSslMode("disable");
    return dataSource;
  }

  /** Connections whose transactions are serializable unless told otherwise, to an empty schema. */
  static DataSource serializablePostgres() throws SQLException {
    PGSimpleDataSource dataSource = (PGSimpleDataSource) POSTGRESQL.empty();
    dataSource.setOptions("-c default_transaction_isolation=serializable -c lock_timeout=7s");
    return dataSource;
  }

  /** Connections to an empty database of encoding LATIN1, which can hold neither Polish nor emoji. */
  static DataSource latinPostgres() throws SQLException {
    String name = "latin" + NUMBER.incrementAndGet();
    try (Connection connection = Server.STARTED.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE DATABASE " + name + " ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
    }
    PGSimpleDataSource dataSource = postgres("public");
    dataSource.setDatabaseName(name);
    return dataSource;
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
