package io.queueworker.examples;

import io.queueworker.gate.JdbcGate;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.io.IOException;
import java.time.Duration;

/**
 * The main job on a bad day: each order gets its row exactly once, although
 *
 * <ul>
 *   <li>some take longer to pack than the visibility timeout (the heartbeat keeps them),
 *   <li>some are sent twice (the gate sees the same key),
 *   <li>some come again after their delete ({@link FaultyQueue}),
 *   <li>and one of two workers is killed half-way (its orders come back within one visibility timeout).
 * </ul>
 *
 * <p>Run it with {@code mvn -q compile exec:exec@orders}, and {@code -Dorders=1000} or {@code -Ddb=postgres} if you like.
 * The handler is in {@link OrdersWorkerMain}, the counting in {@link Audit}. The exit code is 1 when an order had no effect
 * or two, or when anything is left.
 */
public final class OrdersMain {

  /** So short that this program does not take long. The workers warn that it is no setting to use. */
  private static final Duration VISIBILITY = Duration.ofSeconds(4);

  private OrdersMain() {}

  /** Ends with one line of JSON on standard output. */
  public static void main(String[] args) throws Exception {
    OrdersOptions options = OrdersOptions.read();
    Audit audit;
    try (Database database = Database.start(options.db()); ElasticMq server = ElasticMq.start()) {
      JdbcGate.on(database.dataSource()).createTable();
      OrderTable orders = new OrderTable(database.dataSource());
      orders.create();
      new ReceiveTable(database.dataSource()).create();
      TestQueueHandle queue = server.createQueue("orders", VISIBILITY, 10);
      int sent = send(queue, options.orders());
      try (Fleet fleet = new Fleet(OrdersWorkerMain.class, queue.url(), database.url())) {
        Progress progress = new Progress(queue, orders::rows, fleet, options.timeLimit());
        progress.say(sent + " orders are on the queue, some of them twice; two workers start");
        Process doomed = fleet.start("worker-1");
        fleet.start("worker-2");
        if (progress.reaches(() -> orders.rows() >= sent / 2)) {
          doomed.destroyForcibly().waitFor(); // SIGKILL: nothing in it gets to say good-bye
          fleet.start("worker-3");
          progress.say("worker-1 was killed with SIGKILL; worker-3 takes its place");
          progress.reaches(() -> queue.counts().total() == 0);
        }
        fleet.close();
        audit = Audit.of(sent, fleet.kills(), queue, database.dataSource());
      }
    }
    System.out.println(audit.toJson());
    System.exit(audit.isClean() ? 0 : 1);
  }

  /** Sends the orders, and some of them once more. Says how many orders the queue has. */
  private static int send(TestQueueHandle queue, int count) throws IOException {
    for (int i = 1; i <= count; i++) {
      queue.send(order(i).toJson());
    }
    int sent = queue.counts().visible();
    for (int i = 7; i <= count; i += 20) {
      queue.send(order(i).toJson());
    }
    return sent;
  }

  /** Packing takes 100 ms for each item: 0.3 s, and for one order in 33 ten seconds. */
  private static Order order(int i) {
    return new Order("order-" + i, i % 33 == 11 ? 100 : 3);
  }
}
