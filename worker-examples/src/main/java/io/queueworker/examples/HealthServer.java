package io.queueworker.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.queueworker.Health;
import io.queueworker.Health.Status;
import io.queueworker.HealthReason;
import io.queueworker.HealthReason.Kind;
import io.queueworker.WorkerState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A worker's health over HTTP, with what the JDK brings. Each answer is the health as JSON, with 200 or 503:
 *
 * <ul>
 *   <li>{@code /health} is 503 when the worker is DOWN.
 *   <li>{@code /health/live} is 503 when it is DOWN for a reason that a new process may mend: let it last some minutes before
 *       you restart, since a queue that cannot be reached looks the same.
 *   <li>{@code /health/ready} is 200 when it runs and is not DOWN. It has no say in whether messages come, but lets a rollout
 *       wait for it.
 * </ul>
 *
 * <p>Listens on the loopback interface. In a container listen where the probe comes from, and do not make it public: the words
 * name queues and threads. Thread-safe.
 */
final class HealthServer implements AutoCloseable {

  private static final Set<Kind> A_NEW_PROCESS_MAY_HELP =
      Set.of(Kind.NO_RECEIVE, Kind.HEARTBEAT_STOPPED, Kind.HANDLERS_STUCK);

  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(2);

  private HealthServer(HttpServer server) {
    this.server = server;
  }

  /** Starts one on a free port. */
  static HealthServer start(Supplier<Health> health) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    HealthServer started = new HealthServer(server);
    server.setExecutor(started.threads);
    serve(server, "/health", health, now -> now.status() != Status.DOWN);
    serve(server, "/health/live", health, HealthServer::isLive);
    serve(
        server,
        "/health/ready",
        health,
        now -> now.state() == WorkerState.RUNNING && now.status() != Status.DOWN);
    server.start();
    return started;
  }

  private static void serve(HttpServer server, String path, Supplier<Health> health, Predicate<Health> good) {
    server.createContext(path, exchange -> answer(exchange, path, health.get(), good));
  }

  private static void answer(HttpExchange exchange, String path, Health health, Predicate<Health> good)
      throws IOException {
    try (exchange) {
      if (!exchange.getRequestURI().getPath().equals(path)) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      byte[] body = health.json().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.sendResponseHeaders(good.test(health) ? 200 : 503, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static boolean isLive(Health health) {
    return health.reasons().stream()
        .filter(reason -> reason.status() == Status.DOWN)
        .map(HealthReason::kind)
        .noneMatch(A_NEW_PROCESS_MAY_HELP::contains);
  }

  /** Where a path of it is. */
  URI at(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }
}
