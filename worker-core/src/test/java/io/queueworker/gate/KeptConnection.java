package io.queueworker.gate;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A pool of one connection that resets nothing, so that a test sees how it came back. */
final class KeptConnection implements DataSource, AutoCloseable {
  final Connection physical;
  int lent;
  int returned;

  private String failsAt = "nothing";
  private Throwable failure = new SQLException();
  private boolean failsAtStatement;

  /** From here on statements that start so are not prepared. */
  void failAt(String start, Throwable thrown) {
    failsAt = start;
    failure = thrown;
  }

  /** From here on no plain statement is made. */
  void failAtStatement(SQLException thrown) {
    failsAtStatement = true;
    failure = thrown;
  }

  KeptConnection(DataSource from) throws SQLException {
    physical = from.getConnection();
  }

  @Override
  public Connection getConnection() {
    lent++;
    return (Connection) Proxy.newProxyInstance(
        KeptConnection.class.getClassLoader(),
        new Class<?>[]{Connection.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("close")) {
            returned++;
            return null;
          }
          if (method.getName().equals("prepareStatement") && ((String) arguments[0]).startsWith(failsAt)) {
            throw failure;
          }
          if (method.getName().equals("createStatement") && failsAtStatement) {
            throw failure;
          }
          try {
            return method.invoke(physical, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  @Override
  public void close() throws SQLException {
    physical.close();
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
