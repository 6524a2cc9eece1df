package io.queueworker.examples.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.testkit.SqsTestQueue;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.endpoint.StrictQueue;
import io.queueworker.testkit.endpoint.StrictSqs;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * A server of {@link ChaosMain} in a JVM of its own: a queue, or the database. It prints one line of JSON that says where it
 * is, answers each line of its input with what its log says ({@link TrespassLog}), and ends when its input does, which its
 * parent holds open.
 */
public final class ServerMain {

  /** After how many receives a message counts as dead: more than any can need here. */
  private static final int MAX_RECEIVE_COUNT = 50;

  private static final ObjectMapper JSON = new ObjectMapper();

  private ServerMain() {}

  /** Takes {@code elasticmq}, {@code strict} or {@code postgres}. */
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "elasticmq" -> elasticMq();
      case "strict" -> strict();
      case "postgres" -> postgres();
      default ->
          throw new IllegalArgumentException("server is \"" + args[0] + "\": give elasticmq, strict or postgres");
    }
    Runtime.getRuntime().halt(0); // a server that still answers a long poll would take its time
  }

  @SuppressWarnings("resource") // ends with the process
  private static void elasticMq() throws IOException {
    SqsTestQueue queue = ElasticMq.start().createQueue("chaos", ChaosOptions.VISIBILITY, MAX_RECEIVE_COUNT);
    announce(queue);
    answerUntilTheEnd(JSON::createArrayNode); // it tells nothing
  }

  @SuppressWarnings("resource") // ends with the process
  private static void strict() throws IOException {
    StrictQueue queue =
        StrictSqs.start()
            .queue("chaos")
            .visibility(ChaosOptions.VISIBILITY)
            .maxReceiveCount(MAX_RECEIVE_COUNT)
            .anyOrder()
            .create();
    announce(queue);
    answerUntilTheEnd(() -> TrespassLog.of(queue));
  }

  private static void postgres() throws IOException {
    try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
      print(JSON.createObjectNode().put("url", server.getJdbcUrl("postgres", "postgres")));
      answerUntilTheEnd(JSON::createArrayNode);
    }
  }

  private static void announce(SqsTestQueue queue) {
    ObjectNode where = JSON.createObjectNode();
    print(where.put("url", queue.url()).put("deadLetters", queue.deadLetters().url()));
  }

  private static void print(JsonNode line) {
    System.out.println(line);
    System.out.flush();
  }

  private static void answerUntilTheEnd(Supplier<JsonNode> answer) throws IOException {
    BufferedReader parent = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (parent.readLine() != null) {
      print(answer.get());
    }
  }
}
