package io.queueworker.testkit.endpoint;

import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * An HTTP server on one port of 127.0.0.1 that gives each request a virtual thread of its own, so that a call that waits
 * takes nothing that another one needs.
 *
 * <p>It is Jetty, because a fault may be a TCP reset: that takes the socket of the connection, which Jetty gives and the
 * server of the JDK ({@code com.sun.net.httpserver}) keeps to itself.
 *
 * <p>Thread-safe.
 */
final class HttpFront implements AutoCloseable {

  private static final String HOST = "127.0.0.1";
  private static final int THREADS = 12;
  private static final int BACKLOG = 512;

  private final Server server;
  private final ServerConnector connector;

  private HttpFront(Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  /**
   * Takes a port; requests wait until {@link #start}.
   *
   * @param port 1 to 65,535, or 0 for a free one
   * @throws UncheckedIOException when the port is taken
   */
  static HttpFront bind(int port) {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS);
    threads.setName("strict-sqs");
    threads.setDaemon(true);
    Server server = new Server(threads);
    server.setStopTimeout(0);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(HOST);
    connector.setPort(port);
    connector.setAcceptQueueSize(BACKLOG);
    connector.setIdleTimeout(0);
    connector.setShutdownIdleTimeout(0);
    server.addConnector(connector);
    try {
      connector.open();
    } catch (IOException taken) {
      throw new UncheckedIOException(
          "port " + port + " of " + HOST + " cannot be used: give one that is free, or 0 for any", taken);
    }
    return new HttpFront(server, connector);
  }

  /**
   * Starts to serve.
   *
   * @param serve gets each request on a thread of its own and ends it
   */
  void start(Timing timing, Consumer<HttpCall> serve) {
    server.setHandler(new Handler.Abstract.NonBlocking() {
      @Override
      public boolean handle(Request request, Response response, Callback callback) {
        HttpCall call = new HttpCall(request, response, callback);
        timing.start(ThreadKind.VIRTUAL, "strict-sqs-call", () -> serve.accept(call));
        return true;
      }
    });
    try {
      server.start();
    } catch (Exception failed) {
      close();
      throw new IllegalStateException("the HTTP server did not start", failed);
    }
  }

  /** The port on 127.0.0.1. */
  int port() {
    return connector.getLocalPort();
  }

  /** Closes all connections, also those that wait for an answer, and gives the port back. */
  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception failed) {
      throw new IllegalStateException("the HTTP server did not stop", failed);
    }
  }
}
