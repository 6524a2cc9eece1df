package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.queueworker.QueueWorker;
import io.queueworker.gate.JdbcGate;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.time.Duration;
import org.h2.jdbcx.JdbcDataSource;

/**
 * The README's first worker as a program: three orders on a queue become three rows, and the queue is empty.
 *
 * <p>The queue is an ElasticMQ server and the database an H2 one, both in this process. Run it with {@code mvn -q compile
 * exec:exec@first-worker}.
 */
public final class FirstWorkerMain {

  private FirstWorkerMain() {}

  /** Ends with one line of JSON on standard output. */
  public static void main(String[] args) throws Exception {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:first;DB_CLOSE_DELAY=-1");
    JdbcGate.on(dataSource).createTable(); // where the gate remembers which orders are done
    OrderTable orders = new OrderTable(dataSource);
    orders.create();

    try (ElasticMq server = ElasticMq.start()) {
      TestQueueHandle queue = server.createQueue("orders", Duration.ofSeconds(30), 5);
      queue.send(new Order("a", 1).toJson(), new Order("b", 2).toJson(), new Order("c", 3).toJson());

      QueueWorker worker =
          QueueWorker.of(queue.connect()) // for Amazon SQS: QueueWorker.of(SqsQueue.connect(queueUrl))
              .decode(Order::fromJson) // may throw
              .once(
                  JdbcGate.on(dataSource),
                  delivery -> delivery.body().id(), // the key: one effect for each order, however often it comes
                  (delivery, tx) -> orders.insert(tx.connection(), delivery.body()))
              .pollWait(Duration.ofSeconds(1)) // closing waits for the long poll under way
              .start();
      try (worker) {
        queue.awaitEmpty(Duration.ofSeconds(30));
      }

      System.out.println(
          new ObjectMapper()
              .createObjectNode()
              .put("example", "first-worker")
              .put("sent", 3)
              .put("effects", orders.rows())
              .put("leftOnQueue", queue.counts().total()));
    }
  }
}
