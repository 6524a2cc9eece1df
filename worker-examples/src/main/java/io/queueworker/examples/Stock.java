package io.queueworker.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the handlers of {@link BreakerMain} depend on: an HTTP server on the loopback interface that reserves goods for an
 * order, or answers 503 while it is down. Thread-safe.
 */
final class Stock implements AutoCloseable {

  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(8);
  private final HttpClient client = HttpClient.newHttpClient();
  private final Set<String> reserved = ConcurrentHashMap.newKeySet();
  private final AtomicInteger refused = new AtomicInteger();
  private volatile boolean down;

  private Stock(HttpServer server) {
    this.server = server;
  }

  /** Starts one on a free port. */
  static Stock start() throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    Stock stock = new Stock(server);
    server.setExecutor(stock.threads);
    server.createContext("/reservations", stock::answer);
    server.start();
    return stock;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String order = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      if (down) {
        refused.incrementAndGet();
      } else {
        reserved.add(order);
      }
      exchange.sendResponseHeaders(down ? 503 : 201, -1);
    }
  }

  /** Takes it down, or brings it up again. */
  void down(boolean isDown) {
    down = isDown;
  }

  /**
   * Reserves the goods of an order.
   *
   * @throws IOException when it could not
   */
  void reserve(String order) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/reservations");
    HttpResponse<Void> response =
        client.send(
            HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(order)).build(), BodyHandlers.discarding());
    if (response.statusCode() != 201) {
      throw new IOException("the stock answered " + response.statusCode());
    }
  }

  /** How many orders have their goods. */
  int reservedOrders() {
    return reserved.size();
  }

  /** How many calls came while it was down. */
  int refusedCalls() {
    return refused.get();
  }

  @Override
  public void close() {
    client.close();
    server.stop(0);
    threads.close();
  }
}
