package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.queueworker.FailurePolicy;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.observe.WorkerListener;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One worker of {@link BreakerMain} on a queue of its own, whose stock is down for a while. Used by one thread; as a listener
 * it is called from several.
 */
final class OutageRun implements WorkerListener {

  static final Duration VISIBILITY = Duration.ofSeconds(1);
  static final Duration OUTAGE = VISIBILITY.multipliedBy(10);
  static final int MOST_RECEIVES = 3;
  static final int ORDERS = 100;

  private static final Duration LONGEST = Duration.ofMinutes(2);

  private final TestQueueHandle queue;
  private final Optional<CircuitBreaker> breaker;
  private final AtomicInteger mostReceives = new AtomicInteger();
  private final CountDownLatch first = new CountDownLatch(10);
  private final CountDownLatch outage = new CountDownLatch(1);

  /** A run on a new queue, with a breaker or without. */
  OutageRun(ElasticMq server, Optional<CircuitBreaker> breaker) {
    this.queue = server.createQueue(breaker.isPresent() ? "with-breaker" : "without", VISIBILITY, MOST_RECEIVES);
    this.breaker = breaker;
  }

  @Override
  public void onEvent(EventContext context, WorkerEvent event) {
    if (event instanceof Received received) {
      mostReceives.accumulateAndGet(received.receiveCount(), Math::max);
    } else if (event instanceof Deleted) {
      first.countDown();
    }
  }

  /** Runs it to the end and tells what became of the orders. */
  ObjectNode run() throws IOException, InterruptedException {
    try (Stock stock = Stock.start(); QueueWorker worker = start(stock)) {
      send(0);
      if (!first.await(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("the first orders were not done within " + LONGEST);
      }
      stock.down(true);
      send(ORDERS / 2);
      // Nobody counts it down: a wait as long as the outage.
      if (outage.await(OUTAGE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("the outage cannot end early");
      }
      stock.down(false);
      queue.awaitEmpty(LONGEST);
      return new ObjectMapper()
          .createObjectNode()
          .put("sent", ORDERS)
          .put("reserved", stock.reservedOrders())
          .put("deadLettered", queue.deadLetters().counts().total())
          .put("mostReceives", mostReceives.get())
          .put("callsWhileDown", stock.refusedCalls());
    }
  }

  private void send(int from) throws IOException {
    String[] bodies = new String[ORDERS / 2];
    for (int i = 0; i < bodies.length; i++) {
      bodies[i] = new Order("order-" + (from + i), 1).toJson();
    }
    queue.send(bodies);
  }

  private QueueWorker start(Stock stock) {
    WorkerBuilder<Order> builder = QueueWorker.of(queue.connect()).decode(Order::fromJson);
    breaker.ifPresent(builder::circuitBreaker);
    return builder
        .failurePolicy(FailurePolicy.exponential(Duration.ofMillis(500), Duration.ofSeconds(5)))
        .maxConcurrency(16)
        .pollWait(Duration.ofSeconds(1)) // closing waits for the long poll under way
        .inlineListener(this)
        .handler(
            delivery -> {
              Thread.sleep(50);
              stock.reserve(delivery.body().id());
            })
        .start();
  }
}
