package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.Delivery;
import io.queueworker.FailurePolicy;
import io.queueworker.QueueWorker;
import io.queueworker.RejectException;
import io.queueworker.RetryLaterException;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.RejectAttributes;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Messages that can never be handled, among others that can: each poison message is on the dead-letter queue with the reason
 * as soon as that is clear, and its neighbours do not notice.
 *
 * <ul>
 *   <li>One has a body that cannot be decoded: rejected at once, by the class of the exception.
 *   <li>One names a customer who does not exist: the handler rejects it at once.
 *   <li>One fails whatever is done: rejected when its third attempt fails.
 *   <li>One only has to wait, as its handler says: it comes again after a second and is done.
 * </ul>
 *
 * <p>Run it with {@code mvn -q compile exec:exec@poison}: it takes some seconds. The exit code is 1 unless exactly the three are
 * rejected, each with its reason, and every other message was handled once.
 */
public final class PoisonMessageMain {

  private static final int GOOD = 30;
  private static final String WAITING = "order-waiting";

  /** Why the three are rejected, in the order of the alphabet. */
  private static final List<String> REASONS =
      List.of(
          "the body could not be decoded: com.fasterxml.jackson.core.JsonParseException",
          "the handler failed: java.lang.IllegalStateException: the price is below zero",
          "there is no such customer");

  private static final Duration LIMIT = Duration.ofMinutes(1);

  private PoisonMessageMain() {}

  /** Ends with one line of JSON on standard output. */
  public static void main(String[] args) throws Exception {
    Map<String, AtomicInteger> handled = new ConcurrentHashMap<>();
    Trail trail = Trail.create();
    List<ReceivedMessage> rejected;
    int left;
    try (ElasticMq server = ElasticMq.start()) {
      TestQueueHandle queue = server.createQueue("orders", Duration.ofSeconds(30), 10);
      queue.send("{ not JSON", order("order-of-nobody"), order("order-poison"), order(WAITING));
      for (int i = 1; i <= GOOD; i++) {
        queue.send(order("order-" + i));
      }
      try (QueueWorker worker =
          QueueWorker.of(queue.connect())
              .decode(Order::fromJson)
              .handler(delivery -> handle(delivery, handled))
              .failurePolicy(
                  FailurePolicy.exponential(Duration.ofMillis(500), Duration.ofSeconds(2))
                      .rejectingAfter(3)
                      .rejecting(IOException.class))
              .pollWait(Duration.ofSeconds(1))
              .workerId("worker-1")
              .inlineListener(trail)
              .start()) {
        queue.awaitEmpty(LIMIT);
        worker.close();
      }
      left = queue.counts().total();
      rejected = deadLetters(queue);
    }
    report(handled, rejected, trail, left);
  }

  private static String order(String id) throws IOException {
    return new Order(id, 1).toJson();
  }

  private static void handle(Delivery<Order> delivery, Map<String, AtomicInteger> handled) {
    String id = delivery.body().id();
    switch (id) {
      case "order-of-nobody" -> throw new RejectException("there is no such customer");
      case "order-poison" -> throw new IllegalStateException("the price is below zero");
      case WAITING -> {
        if (delivery.receiveCount() == 1) {
          throw new RetryLaterException(Duration.ofSeconds(1));
        }
      }
      default -> {
        // An order like any other.
      }
    }
    handled.computeIfAbsent(id, any -> new AtomicInteger()).incrementAndGet();
  }

  private static List<ReceivedMessage> deadLetters(TestQueueHandle queue) {
    List<ReceivedMessage> all = new ArrayList<>();
    try (MessageQueue dead = queue.deadLetters().connect()) {
      for (int expected = queue.deadLetters().counts().total(); all.size() < expected;) {
        all.addAll(dead.receive(new ReceiveRequest(10, Duration.ofSeconds(1), Duration.ofMinutes(5))));
      }
    }
    return all;
  }

  private static void report(
      Map<String, AtomicInteger> handled, List<ReceivedMessage> rejected, Trail trail, int left) {
    int handledOnce = (int) handled.values().stream().filter(times -> times.get() == 1).count();
    int receives = trail.count(WorkerEvent.Received.class);
    // One receive for each, two more for the poison order, one more for the order that waits.
    int additional = receives - (GOOD + 4) - 2 - 1;
    List<String> reasons = new ArrayList<>();
    int attempts = 0;
    for (ReceivedMessage message : rejected) {
      String reason = message.attributes().getOrDefault(RejectAttributes.REASON, "none");
      int count = Integer.parseInt(message.attributes().getOrDefault(RejectAttributes.RECEIVE_COUNT, "0"));
      attempts += count;
      System.out.println("rejected after " + count + (count == 1 ? " attempt: " : " attempts: ") + reason);
      reasons.add(reason);
    }
    ObjectNode json =
        new ObjectMapper()
            .createObjectNode()
            .put("example", "poison-message")
            .put("sent", GOOD + 4)
            .put("handledOnce", handledOnce)
            .put("rejected", rejected.size())
            .put("attemptsOfRejected", attempts)
            .put("additionalReceives", additional)
            .put("leftOnQueue", left);
    ArrayNode told = json.putArray("reasons");
    reasons.forEach(told::add);
    System.out.println(json);
    boolean clean =
        handledOnce == GOOD + 1 && handled.size() == GOOD + 1 && rejected.size() == 3 && attempts == 5
            && additional == 0 && left == 0 && reasons.stream().sorted().toList().equals(REASONS);
    System.exit(clean ? 0 : 1);
  }
}
