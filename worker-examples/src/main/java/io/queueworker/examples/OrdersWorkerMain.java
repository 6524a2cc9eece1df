package io.queueworker.examples;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.QueueWorker;
import io.queueworker.gate.JdbcGate;
import io.queueworker.queue.sqs.SqsQueue;
import java.io.IOException;
import java.time.Duration;

/**
 * One worker of {@link OrdersMain}, in a JVM of its own so that it can be killed. SIGTERM closes it cleanly. When its
 * parent dies, it does too.
 */
public final class OrdersWorkerMain {

  private static final Duration TIME_PER_ITEM = Duration.ofMillis(100);

  private OrdersWorkerMain() {}

  /** Takes the worker's name, the queue's URL and the database's. */
  public static void main(String[] args) throws Exception {
    String name = args[0];
    HikariDataSource pool = pool(args[2]);
    OrderTable orders = new OrderTable(pool);
    QueueWorker.of(new FaultyQueue(SqsQueue.connect(args[1]), new ReceiveTable(pool), name))
        .decode(Order::fromJson)
        .once(
            JdbcGate.on(pool),
            delivery -> delivery.body().id(),
            (delivery, tx) -> {
              Order order = delivery.body();
              // The slow part, perhaps longer than the visibility timeout. No connection is in use yet.
              Thread.sleep(TIME_PER_ITEM.multipliedBy(order.items()));
              orders.insert(tx.connection(), order); // opens the transaction; the gate commits it
            })
        .workerId(name)
        .maxConcurrency(8)
        .pollWait(Duration.ofSeconds(1))
        .start()
        .closeOnShutdown();
    dieWithParent();
  }

  /** A small pool of connections. */
  static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(4);
    config.setConnectionTimeout(5_000);
    return new HikariDataSource(config);
  }

  /** Waits for the end of standard input, which the parent holds open: then queue and database are gone too. */
  static void dieWithParent() throws IOException {
    while (System.in.read() >= 0) {
      // Nobody writes.
    }
    Runtime.getRuntime().halt(1);
  }
}
