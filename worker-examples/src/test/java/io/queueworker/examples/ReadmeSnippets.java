package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.queueworker.FailurePolicy;
import io.queueworker.MessageHandler;
import io.queueworker.QueueWorker;
import io.queueworker.gate.JdbcGate;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.sqs.SqsQueue;
import io.queueworker.testkit.Deliveries;
import io.queueworker.testkit.chaos.Chaos;
import io.queueworker.testkit.elasticmq.ElasticMqTest;
import io.queueworker.testkit.elasticmq.TestQueue;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.sql.SQLTransientException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** The README's Java as code that compiles. It does not run; {@link ReadmeTest} compares it with the README. */
final class ReadmeSnippets {

  private ReadmeSnippets() {}

  static void firstWorker(String queueUrl, ObjectMapper json, DataSource dataSource, OrderTable orders) {
    // from here
    QueueWorker worker = QueueWorker.of(SqsQueue.connect(queueUrl))
        .decode(body -> json.readValue(body, Order.class))
        .once(JdbcGate.on(dataSource), delivery -> delivery.body().id(),
            (delivery, tx) -> orders.insert(tx.connection(), delivery.body()))
        .start();
    worker.closeOnShutdown().awaitClosed();
    // to here
  }

  static FailurePolicy failures() {
    // from here
    FailurePolicy policy = FailurePolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(15))
        .rejectingAfter(5)
        .rejecting(IllegalArgumentException.class)
        .on(SQLTransientException.class, FailurePolicy.retryAfter(Duration.ofSeconds(5)));
    // to here
    return policy;
  }

  static QueueWorker behindABreaker(MessageQueue queue, RateLimiter limiter, MessageHandler<String> handler) {
    // from here
    CircuitBreaker breaker = CircuitBreaker.of("payments", CircuitBreakerConfig.custom()
        .waitDurationInOpenState(Duration.ofSeconds(10))
        .permittedNumberOfCallsInHalfOpenState(3)
        .build());
    QueueWorker worker = QueueWorker.of(queue).circuitBreaker(breaker).rateLimiter(limiter).handler(handler).start();
    // to here
    return worker;
  }

  static JdbcGate inSpringsTransaction(TransactionTemplate template, DataSource dataSource) {
    // from here
    JdbcGate gate = JdbcGate.on(work -> template.executeWithoutResult(
        status -> work.run(DataSourceUtils.getConnection(dataSource))));
    // to here
    return gate;
  }

  static void handlerAlone(MessageHandler<Order> handler) throws Exception {
    // from here
    handler.handle(Deliveries.of(new Order("42", 1)));
    // to here
  }

  // from here
  @ElasticMqTest
  static class OrdersTest {
    @Test
    void an_order_is_stored(@TestQueue(visibilitySeconds = 5, maxReceiveCount = 3) TestQueueHandle queue) {}
  }
  // to here

  static void wholeWorkers(long seed, MessageHandler<String> handler) {
    // from here
    SimulatedTiming.run(seed, timing -> {
      SimulatedQueue queue = SimulatedQueue.standard(timing, "orders");
      QueueWorker worker = QueueWorker.of(queue.connect()).handler(handler).timing(timing).start();
      queue.send("…");
      timing.await("handled", queue::isEmpty, Duration.ofMinutes(5));
      worker.close();
    });
    // to here
  }

  static void underEveryFault() {
    // from here
    Chaos.of(world -> world.worker().once(world.database().gate(), delivery -> delivery.body(), (delivery, tx) -> {
      world.work(delivery);
      tx.insert(delivery.body());
    })).run();
    // to here
  }
}
