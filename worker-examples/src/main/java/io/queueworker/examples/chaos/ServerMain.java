package io.queueworker.examples.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A server of {@link ChaosMain} in a JVM of its own: a queue, or the database. It prints one line of JSON that says where it
 * is, and ends when its standard input does, which its parent holds open.
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
      case "postgres" -> postgres();
      default ->
          throw new IllegalArgumentException("server is \"" + args[0] + "\": give elasticmq, strict or postgres");
    }
    Runtime.getRuntime().halt(0); // a server that still answers a long poll would take its time
  }

  private static void elasticMq() throws IOException {
    try (ElasticMq server = ElasticMq.start()) {
      TestQueueHandle queue = server.createQueue("chaos", ChaosOptions.VISIBILITY, MAX_RECEIVE_COUNT);
      announce(JSON.createObjectNode().put("url", queue.url()).put("deadLetters", queue.deadLetters().url()));
      awaitEndOfInput();
      Runtime.getRuntime().halt(0);
    }
  }

  private static void postgres() throws IOException {
    try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
      announce(JSON.createObjectNode().put("url", server.getJdbcUrl("postgres", "postgres")));
      awaitEndOfInput();
    }
  }

  private static void announce(ObjectNode where) {
    System.out.println(where);
    System.out.flush();
  }

  private static void awaitEndOfInput() throws IOException {
    BufferedReader parent = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (parent.readLine() != null) {
      // Nothing is asked.
    }
  }
}
