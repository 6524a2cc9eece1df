package io.queueworker.gate;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.function.Supplier;
import java.util.logging.Logger;

/**
 * A data source with one connection: that of the gate's transaction.
 *
 * <p>As thread-safe as the transaction, which is for one thread.
 */
record BoundDataSource(Supplier<Connection> connection) implements javax.sql.DataSource {

  /** The transaction's connection, which opens with the first call. */
  @Override
  public Connection getConnection() {
    return connection.get();
  }

  /** Refused: the connection is there already, under the name that the pool gave it. */
  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException(
        "the gate's transaction has one connection, whose user the gate's own data source chose; call getConnection()");
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    throw noSettings();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    throw noSettings();
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    throw noSettings();
  }

  /** 0, the default of the pool. */
  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw noSettings();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new SQLException("the data source of the gate's transaction wraps no " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }

  private static SQLFeatureNotSupportedException noSettings() {
    return new SQLFeatureNotSupportedException(
        "the data source of the gate's transaction has no settings; change them on the one given to JdbcGate.on");
  }
}
