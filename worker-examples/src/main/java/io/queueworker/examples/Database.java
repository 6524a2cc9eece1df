package io.queueworker.examples;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;

/**
 * A database server on the loopback interface, which other processes reach by its JDBC URL and which ends with this one.
 *
 * @param url how others reach it
 * @param dataSource connections for this process, without a pool
 * @param server what to close
 */
record Database(String url, DataSource dataSource, AutoCloseable server) implements AutoCloseable {

  /** Starts {@code h2}, in this process, or {@code postgres}, from the embedded binaries. */
  static Database start(String kind) throws SQLException, IOException {
    return kind.equals("postgres") ? postgres() : h2();
  }

  private static Database h2() throws SQLException {
    System.setProperty("h2.bindAddress", "127.0.0.1"); // H2 would listen on every interface
    Server server = Server.createTcpServer("-tcpPort", "0", "-tcpDaemon", "-ifNotExists").start();
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:orders;DB_CLOSE_DELAY=-1");
    return new Database(dataSource.getURL(), dataSource, server::stop);
  }

  private static Database postgres() throws IOException {
    EmbeddedPostgres server = EmbeddedPostgres.start();
    return new Database(server.getJdbcUrl("postgres", "postgres"), server.getPostgresDatabase(), server);
  }

  @Override
  public void close() throws Exception {
    server.close();
  }
}
