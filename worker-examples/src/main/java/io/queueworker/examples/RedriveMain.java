package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.KeyFunction;
import io.queueworker.QueueWorker;
import io.queueworker.RejectException;
import io.queueworker.deadletter.DeadLetter;
import io.queueworker.deadletter.DeadLetters;
import io.queueworker.deadletter.ListRequest;
import io.queueworker.deadletter.RedriveReport;
import io.queueworker.deadletter.RedriveRequest;
import io.queueworker.gate.JdbcGate;
import io.queueworker.queue.MessageQueue;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * The way to the dead-letter queue and back: orders of a customer whom the handler does not know yet are rejected, listed with
 * their reasons, and sent back once the handler is "fixed". Each order has one effect, although
 *
 * <ul>
 *   <li>a reject and a redrive give a message new ids (its first id travels with it, and is the key),
 *   <li>and the redrive is killed between the send and the delete of a message (the next one sends it again, and the gate sees the
 *       same key).
 * </ul>
 *
 * <p>Run it with {@code mvn -q compile exec:exec@redrive}, and {@code -Dorders=100} or {@code -Ddb=postgres} if you like. With
 * {@code -Dkeys=off} the keys are the changing ids instead: then the order on which the redrive died has two effects. The exit
 * code is 1 when an order had no effect or two, or when anything is left.
 */
public final class RedriveMain {

  private static final Duration VISIBILITY = Duration.ofSeconds(30);

  private static final String REASON = "customer 7 is unknown";
  private static final long LIMIT_NANOS = Duration.ofMinutes(2).toNanos();

  private RedriveMain() {}

  /** Ends with one line of JSON on standard output. */
  public static void main(String[] args) throws Exception {
    OrdersOptions options = OrdersOptions.read(40);
    boolean firstIds = !System.getProperty("keys", "").strip().equals("off");
    Result result;
    try (Database database = Database.start(options.db());
        ElasticMq server = ElasticMq.start();
        HikariDataSource pool = OrdersWorkerMain.pool(database.url())) {
      JdbcGate.on(pool).createTable();
      OrderTable orders = new OrderTable(pool);
      orders.create();
      TestQueueHandle queue = server.createQueue("orders", VISIBILITY, 10);
      for (int i = 1; i <= options.orders(); i++) {
        queue.send(new Order("order-" + i, i % 4).toJson());
      }
      AtomicBoolean fixed = new AtomicBoolean();
      try (QueueWorker worker = worker(queue, pool, orders, firstIds, fixed);
          Fleet tools = new Fleet(RedriveToolMain.class, queue.url())) {
        result = story(options.orders(), queue, orders, tools, fixed);
        worker.close();
      }
      result = result.counted(pool);
    }
    System.out.println(result.toJson());
    System.exit(result.isClean() ? 0 : 1);
  }

  private static QueueWorker worker(
      TestQueueHandle queue, DataSource pool, OrderTable orders, boolean firstIds, AtomicBoolean fixed) {
    KeyFunction<Order> key = firstIds ? KeyFunction.messageId() : delivery -> delivery.id();
    return QueueWorker.of(queue.connect())
        .decode(Order::fromJson)
        .once(
            JdbcGate.on(pool),
            key,
            (delivery, tx) -> {
              if (delivery.body().items() == 0 && !fixed.get()) {
                throw new RejectException(REASON);
              }
              orders.insert(tx.connection(), delivery.body());
            })
        .workerId("worker-1")
        .pollWait(Duration.ofSeconds(1))
        .start();
  }

  private static Result story(
      int sent, TestQueueHandle queue, OrderTable orders, Fleet tools, AtomicBoolean fixed) throws Exception {
    int rejects = sent / 4;
    reaches(() -> queue.counts().total() == 0 && queue.deadLetters().counts().visible() == rejects);
    try (MessageQueue connection = queue.connect()) {
      DeadLetters deadLetters = DeadLetters.of(connection);
      List<DeadLetter> listed = deadLetters.list(ListRequest.defaults().upTo(sent)).letters();
      listed.stream().limit(3).forEach(letter -> System.out.println("dead letter: " + letter));
      int withReason =
          (int) listed.stream().filter(letter -> letter.reason().filter(REASON::equals).isPresent()).count();

      fixed.set(true);
      System.out.println("the handler knows customer 7 now; a redrive starts, in a process of its own");
      Process doomed = tools.start("redrive");
      // The worker has done what the second send brought, and its delete hangs.
      if (reaches(() -> tools.hasFailed() || orders.rows() >= sent - rejects + 2)) {
        doomed.destroyForcibly().waitFor(); // SIGKILL
        System.out.println("the redrive was killed with SIGKILL between a send and its delete; another one starts");
      }
      reaches(() -> queue.deadLetters().counts().inFlight() == 0);
      RedriveReport report = deadLetters.redrive(RedriveRequest.all().perSecond(50));
      System.out.println(report);
      reaches(() -> queue.counts().total() == 0);
      int left = queue.counts().total() + queue.deadLetters().counts().total();
      return new Result(sent, rejects, withReason, report.redriven(), tools.kills(), left, 0, 0, 0);
    }
  }

  /** Waits for a goal. False means that time is up. */
  private static boolean reaches(Callable<Boolean> goal) throws Exception {
    long start = System.nanoTime();
    while (!goal.call()) {
      if (System.nanoTime() - start > LIMIT_NANOS) {
        return false;
      }
      Thread.sleep(Duration.ofMillis(50));
    }
    return true;
  }

  /**
   * What the queues and the database say at the end. Immutable.
   *
   * @param sent how many orders were sent
   * @param rejects how many the handler did not take at first
   * @param withReason how many of them a listing shows with the reason
   * @param redriven how many the second redrive sent back
   * @param kills redrives that ended by SIGKILL
   * @param left messages on the queue and its dead-letter queue
   * @param effects rows of the orders table
   * @param orders different orders among these rows
   * @param suppressed copies that the gate let do nothing, by its own table
   */
  private record Result(
      int sent,
      int rejects,
      int withReason,
      int redriven,
      int kills,
      int left,
      int effects,
      int orders,
      int suppressed) {

    Result counted(DataSource dataSource) throws SQLException {
      try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
        return new Result(
            sent, rejects, withReason, redriven, kills, left,
            number(statement, "SELECT count(*) FROM orders"),
            number(statement, "SELECT count(DISTINCT id) FROM orders"),
            number(statement, "SELECT coalesce(sum(suppressed), 0) FROM queueworker_gate"));
      }
    }

    private static int number(Statement statement, String query) throws SQLException {
      try (ResultSet result = statement.executeQuery(query)) {
        result.next();
        return result.getInt(1);
      }
    }

    boolean isClean() {
      return effects == sent && orders == sent && withReason == rejects && redriven == rejects - 1 && suppressed > 0
          && kills == 1 && left == 0;
    }

    String toJson() throws IOException {
      return new ObjectMapper().writeValueAsString(
          new ObjectMapper().createObjectNode()
              .put("example", "redrive")
              .put("sent", sent)
              .put("rejected", rejects)
              .put("listedWithReason", withReason)
              .put("redrivenAfterTheKill", redriven)
              .put("effects", effects)
              .put("orders", orders)
              .put("suppressed", suppressed)
              .put("kills", kills)
              .put("left", left));
    }
  }
}
