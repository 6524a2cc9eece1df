package io.queueworker.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.QueueWorker;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * What does a probe see of a worker that has not started, works, is paused, has lost its queue, and is closed?
 *
 * <p>The program asks its own {@link HealthServer} and prints each answer. The service is an ElasticMQ server in this process,
 * where the queue is deleted while the worker runs. Run it with {@code mvn -q compile exec:exec@health}.
 */
public final class HealthMain {

  private static final Duration DOWN_AFTER = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper mapper = new ObjectMapper();
  private final HealthServer probes;

  private HealthMain(HealthServer probes) {
    this.probes = probes;
  }

  /** Ends with one line of JSON on standard output. */
  public static void main(String[] args) throws Exception {
    try (ElasticMq server = ElasticMq.start()) {
      run(server.createQueue("orders", Duration.ofSeconds(30), 5));
    }
  }

  private static void run(TestQueueHandle queue) throws Exception {
    QueueWorker worker =
        QueueWorker.of(queue.connect())
            .handler(delivery -> {})
            .pollWait(Duration.ofSeconds(1)) // closing waits for the long poll under way
            .healthDownAfter(DOWN_AFTER) // so short for this program: two minutes fit most
            .build();
    try (worker; HealthServer probes = HealthServer.start(worker::health)) {
      HealthMain program = new HealthMain(probes);
      ObjectNode json = program.mapper.createObjectNode().put("example", "health");
      json.set("new", program.await(503));
      worker.start();
      json.set("running", program.await(200));
      worker.pause();
      json.set("paused", program.await(200));
      worker.resume();
      queue.close(); // deletes it
      json.set("queueGone", program.await(503));
      json.put("stateThen", worker.state().name());
      worker.close();
      json.set("closed", program.await(503));
      System.out.println(json);
    }
  }

  /** Asks until {@code /health} answers so, and tells what the three paths say then. */
  private ObjectNode await(int wanted) throws Exception {
    long start = System.nanoTime();
    HttpResponse<String> answer = get("/health");
    while (answer.statusCode() != wanted) {
      if (System.nanoTime() - start > LONGEST.toNanos()) {
        throw new IllegalStateException("after " + LONGEST + " /health is not " + wanted + ": " + answer.body());
      }
      Thread.sleep(100);
      answer = get("/health");
    }
    JsonNode health = mapper.readTree(answer.body());
    System.out.println(answer.statusCode() + " " + answer.body());
    ObjectNode seen =
        mapper.createObjectNode()
            .put("health", answer.statusCode())
            .put("live", get("/health/live").statusCode())
            .put("ready", get("/health/ready").statusCode())
            .put("status", health.get("status").asText());
    ArrayNode reasons = seen.putArray("reasons");
    health.get("reasons").forEach(reason -> reasons.add(reason.get("kind").asText()));
    return seen;
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(HttpRequest.newBuilder(probes.at(path)).build(), HttpResponse.BodyHandlers.ofString());
  }
}
