package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.queueworker.testkit.elasticmq.ElasticMq;
import java.time.Duration;
import java.util.Optional;

/**
 * What becomes of the messages when the service that the handlers call is down for ten visibility timeouts, with a dead-letter
 * queue after three receives?
 *
 * <p>First a worker without a circuit breaker, then one with: it holds what is in flight, receives nothing, and tries with a
 * message that it holds. The queue is an ElasticMQ server and the service an HTTP server, both in this process. Run it with
 * {@code mvn -q compile exec:exec@breaker}.
 */
public final class BreakerMain {

  private BreakerMain() {}

  /** Ends with one line of JSON on standard output; exits with 1 when the breaker did not save the messages. */
  public static void main(String[] args) throws Exception {
    CircuitBreaker breaker =
        CircuitBreaker.of(
            "stock",
            CircuitBreakerConfig.custom()
                .slidingWindowSize(20)
                .minimumNumberOfCalls(5)
                .permittedNumberOfCallsInHalfOpenState(2)
                .waitDurationInOpenState(Duration.ofSeconds(1))
                .build());
    boolean saved;
    ObjectNode json = new ObjectMapper().createObjectNode().put("example", "breaker");
    try (ElasticMq server = ElasticMq.start()) {
      ObjectNode without = new OutageRun(server, Optional.empty()).run();
      System.out.println("Without a breaker " + without.get("deadLettered") + " orders became dead letters.");
      ObjectNode with = new OutageRun(server, Optional.of(breaker)).run();
      System.out.println("With a breaker " + with.get("deadLettered") + " did.");
      saved = with.get("deadLettered").asInt() == 0 && with.get("reserved").asInt() == OutageRun.ORDERS;
      json.set("withoutBreaker", without);
      json.set("withBreaker", with);
    }
    System.out.println(json);
    System.exit(saved ? 0 : 1);
  }
}
