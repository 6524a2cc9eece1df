package io.queueworker.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The payment provider of {@link PaymentMain}: an HTTP server on the loopback interface that charges an order for each
 * {@code POST /charges}, and counts. With keys on it charges once for each {@code Idempotency-Key} and refuses a call whose
 * {@code Fence} is lower than one that it has seen with the same key. Thread-safe.
 */
final class PaymentServer implements AutoCloseable {

  private final boolean keys;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(8);
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by lock.
  private final List<String> charges = new ArrayList<>();
  private final Map<String, Long> fences = new HashMap<>();
  private int repeatedCalls;
  private int refusedCalls;

  private PaymentServer(boolean keys, HttpServer server) {
    this.keys = keys;
    this.server = server;
  }

  /**
   * Starts one on a free port.
   *
   * @param keys whether it honours idempotency keys
   */
  static PaymentServer start(boolean keys) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    PaymentServer payments = new PaymentServer(keys, server);
    server.setExecutor(payments.threads);
    server.createContext("/charges", payments::charge);
    server.start();
    return payments;
  }

  /** Where to send charges. */
  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/charges";
  }

  private void charge(HttpExchange exchange) throws IOException {
    try (exchange) {
      String order = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      long fence = Long.parseLong(exchange.getRequestHeaders().getFirst("Fence"));
      exchange.sendResponseHeaders(answer(order, key, fence), -1);
    }
  }

  private int answer(String order, String key, long fence) {
    lock.lock();
    try {
      Long highest = fences.get(key);
      fences.merge(key, fence, Math::max);
      if (keys && highest != null && highest > fence) {
        refusedCalls++;
        return 409;
      }
      if (keys && highest != null) {
        repeatedCalls++;
        return 200;
      }
      charges.add(order);
      return 201;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the order was charged. */
  boolean hasCharged(String order) {
    lock.lock();
    try {
      return charges.contains(order);
    } finally {
      lock.unlock();
    }
  }

  /** What happened so far. */
  Bill bill() {
    lock.lock();
    try {
      Set<String> orders = new HashSet<>(charges);
      return new Bill(charges.size(), charges.size() - orders.size(), repeatedCalls, refusedCalls);
    } finally {
      lock.unlock();
    }
  }

  /**
   * What a payment server counted. Immutable.
   *
   * @param charges how often money was taken
   * @param doubleCharges how many of these were for an order that had been charged before
   * @param repeatedCalls calls that changed nothing, since their key was known
   * @param refusedCalls calls with a fence that was too low
   */
  record Bill(int charges, int doubleCharges, int repeatedCalls, int refusedCalls) {}

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
