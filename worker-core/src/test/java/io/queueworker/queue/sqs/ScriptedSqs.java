package io.queueworker.queue.sqs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An endpoint that speaks SQS's JSON 1.0 protocol and answers what the test wrote down, in that order; without a line
 * for it, a call fails with HTTP 500. It keeps every request. Thread-safe.
 */
final class ScriptedSqs implements AutoCloseable {

  /** One request as it came over the wire. */
  record Request(String operation, String body) {}

  /** What the endpoint does with one request. */
  sealed interface Reply {

    /** Answers. */
    record Answer(int status, String queryError, String body) implements Reply {}

    /** Keeps the connection open and says nothing until the endpoint closes. */
    record Silence() implements Reply {}

    /** Cuts the connection. */
    record Cut() implements Reply {}
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ConcurrentLinkedQueue<Reply> script = new ConcurrentLinkedQueue<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  ScriptedSqs() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  URI endpoint() {
    return URI.create("http://localhost:" + server.getAddress().getPort());
  }

  /** The URL of a queue here. */
  String url(String name) {
    return endpoint() + "/000000000000/" + name;
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  /** The one request that came. */
  Request request() {
    if (requests.size() != 1) {
      throw new AssertionError("expected one request, came: " + requests);
    }
    return requests.get(0);
  }

  ScriptedSqs then(Reply reply) {
    script.add(reply);
    return this;
  }

  /** Answers with this JSON. */
  ScriptedSqs thenJson(String body) {
    return then(new Reply.Answer(200, "", body));
  }

  /** Fails the call as the service does: the code in the header of the query protocol, the words in the body. */
  ScriptedSqs thenError(int status, String code, String message) {
    String shape = code.substring(code.lastIndexOf('.') + 1);
    return then(
        new Reply.Answer(
            status,
            code + (status < 500 ? ";Sender" : ";Receiver"),
            "{\"__type\":\"com.amazonaws.sqs#" + shape + "\",\"message\":" + quoted(message) + "}"));
  }

  /** Fails one entry of a batch answer. */
  static String failed(int id, String code, String message, boolean senderFault) {
    return "{\"Id\":\"" + id + "\",\"SenderFault\":" + senderFault + ",\"Code\":" + quoted(code) + ",\"Message\":"
        + quoted(message) + "}";
  }

  /** A batch answer from entries that worked and entries that failed. */
  static String batch(List<Integer> successful, String... failed) {
    String done = String.join(",", successful.stream().map(id -> "{\"Id\":\"" + id + "\"}").toList());
    return "{\"Successful\":[" + done + "],\"Failed\":[" + String.join(",", failed) + "]}";
  }

  /** A received message with no more than the SDK needs. */
  static String message(String id, String receipt, String body, String more) {
    return "{\"MessageId\":" + quoted(id) + ",\"ReceiptHandle\":" + quoted(receipt) + ",\"Body\":" + quoted(body)
        + ",\"MD5OfBody\":\"" + md5(body) + "\"" + more + "}";
  }

  static String received(String... messages) {
    return "{\"Messages\":[" + String.join(",", messages) + "]}";
  }

  static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
  }

  static String md5(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String target = String.valueOf(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
      requests.add(new Request(target.substring(target.indexOf('.') + 1), body));
      Reply next = script.poll();
      switch (next == null ? new Reply.Answer(500, "", "{}") : next) {
        case Reply.Answer answer -> send(exchange, answer);
        case Reply.Silence silence -> awaitClose();
        case Reply.Cut cut -> {} // closing the exchange before an answer closes the connection
      }
    }
  }

  private static void send(HttpExchange exchange, Reply.Answer answer) throws IOException {
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
    if (!answer.queryError().isEmpty()) {
      exchange.getResponseHeaders().add("x-amzn-query-error", answer.queryError());
    }
    exchange.sendResponseHeaders(answer.status(), bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private void awaitClose() {
    try {
      closed.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
