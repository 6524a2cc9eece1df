package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.queueworker.examples.PaymentServer.Bill;
import io.queueworker.gate.LeasedGate;
import io.queueworker.testkit.QueueCounts;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * An effect that no transaction can hold: each order is charged through a payment provider's API, and only once, although
 *
 * <ul>
 *   <li>one worker is killed between the charge and the completion of its key (the next attempt calls again with the same
 *       idempotency key, which changes nothing),
 *   <li>some orders take longer than the visibility timeout (each beat renews the gate's record, then the lease),
 *   <li>and some are sent twice (the gate sees the same key).
 * </ul>
 *
 * <p>Run it with {@code mvn -q compile exec:exec@payment}, and {@code -Dorders=200} or {@code -Ddb=postgres} if you like. With
 * {@code -Dkeys=off} the provider ignores idempotency keys: then the order of the killed worker is charged twice, as no gate
 * can prevent. The exit code is 1 when an order was charged twice or not at all, or when anything is left.
 */
public final class PaymentMain {

  /** So short that this program does not take long. The workers warn that it is no setting to use. */
  private static final Duration VISIBILITY = Duration.ofSeconds(4);

  /** The order whose worker dies after the charge. */
  private static final String FATAL_ORDER = "order-3";

  private static final long LIMIT_NANOS = Duration.ofMinutes(2).toNanos();

  private PaymentMain() {}

  /** Ends with one line of JSON on standard output. */
  public static void main(String[] args) throws Exception {
    OrdersOptions options = OrdersOptions.read(40);
    boolean keys = !System.getProperty("keys", "").strip().equals("off");
    Result result;
    try (Database database = Database.start(options.db());
        ElasticMq server = ElasticMq.start();
        PaymentServer payments = PaymentServer.start(keys)) {
      LeasedGate.on(database.dataSource()).createTable();
      TestQueueHandle queue = server.createQueue("orders", VISIBILITY, 10);
      for (int i = 1; i <= options.orders(); i++) {
        Order order = new Order("order-" + i, i % 20 == 11 ? 60 : 3);
        queue.send(order.toJson());
        if (i % 10 == 7) {
          queue.send(order.toJson());
        }
      }
      try (Fleet fleet = new Fleet(PaymentWorkerMain.class, queue.url(), database.url(), payments.url())) {
        System.out.println(options.orders() + " orders are on the queue, some of them twice; worker-1 starts");
        Process doomed = fleet.start("worker-1", FATAL_ORDER);
        if (reaches(fleet, () -> payments.hasCharged(FATAL_ORDER))) {
          doomed.destroyForcibly().waitFor(); // SIGKILL: its key stays in progress until the lease ends
          System.out.println("worker-1 charged " + FATAL_ORDER + " and was killed with SIGKILL; two others start");
          fleet.start("worker-2");
          fleet.start("worker-3");
          reaches(fleet, () -> total(queue) == 0);
        }
        fleet.close();
        result = Result.of(options.orders(), fleet.kills(), payments.bill(), queue, database.dataSource());
      }
    }
    System.out.println(result.toJson());
    System.exit(result.isClean() ? 0 : 1);
  }

  /** Waits for a goal. False means that time is up or a worker has failed. */
  private static boolean reaches(Fleet fleet, BooleanSupplier goal) throws InterruptedException {
    long start = System.nanoTime();
    while (!goal.getAsBoolean()) {
      if (System.nanoTime() - start > LIMIT_NANOS || fleet.hasFailed()) {
        return false;
      }
      Thread.sleep(Duration.ofMillis(50));
    }
    return true;
  }

  private static int total(TestQueueHandle queue) {
    return queue.counts().total();
  }

  /**
   * What the payment server, the gate's table and the queue say at the end. Immutable.
   *
   * @param orders how many different orders were sent
   * @param completed keys that the gate's table shows as completed
   * @param kills workers that ended by SIGKILL
   * @param bill what the payment server counted
   * @param left messages on the queue and its dead-letter queue
   */
  private record Result(int orders, int completed, int kills, Bill bill, int left) {

    static Result of(int orders, int kills, Bill bill, TestQueueHandle queue, DataSource dataSource)
        throws SQLException {
      QueueCounts dead = queue.deadLetters().counts();
      try (Connection connection = dataSource.getConnection();
          Statement statement = connection.createStatement();
          ResultSet count =
              statement.executeQuery("SELECT count(*) FROM queueworker_leased_gate WHERE state = 'completed'")) {
        count.next();
        return new Result(orders, count.getInt(1), kills, bill, queue.counts().total() + dead.total());
      }
    }

    boolean isClean() {
      return bill.charges() == orders && bill.doubleCharges() == 0 && completed == orders && kills == 1 && left == 0;
    }

    String toJson() {
      return new ObjectMapper()
          .createObjectNode()
          .put("example", "payment")
          .put("orders", orders)
          .put("charges", bill.charges())
          .put("doubleCharges", bill.doubleCharges())
          .put("repeatedCalls", bill.repeatedCalls())
          .put("refusedCalls", bill.refusedCalls())
          .put("completed", completed)
          .put("kills", kills)
          .put("left", left)
          .toString();
    }
  }
}
