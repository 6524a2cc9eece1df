package io.queueworker.examples;

import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.FailurePolicy;
import io.queueworker.QueueWorker;
import io.queueworker.gate.JdbcGate;
import io.queueworker.queue.sqs.SqsQueue;
import java.time.Duration;

/**
 * One worker of {@link FifoGroupMain}, in a JVM of its own so that it can be killed. SIGTERM closes it cleanly. When its
 * parent dies, it does too.
 */
public final class FifoWorkerMain {

  private static final Duration STEP = Duration.ofMillis(150);

  private FifoWorkerMain() {}

  /** Takes the worker's name, the queue's URL and the database's. */
  public static void main(String[] args) throws Exception {
    HikariDataSource pool = OrdersWorkerMain.pool(args[2]);
    GroupTable steps = new GroupTable(pool);
    QueueWorker.of(SqsQueue.connect(args[1]))
        .decode(GroupStep::of)
        .once(
            JdbcGate.on(pool),
            delivery -> delivery.body().toBody(),
            (delivery, tx) -> {
              Thread.sleep(STEP);
              if (delivery.body().equals(FifoGroupMain.POISON)) {
                throw new IllegalStateException("this one never works");
              }
              steps.insert(tx.connection(), FifoGroupMain.QUEUE, delivery.body(), delivery.receiveCount());
            })
        .failurePolicy(FailurePolicy.exponential(Duration.ofMillis(100), Duration.ofSeconds(1)).rejectingAfter(3))
        .workerId(args[0])
        .maxConcurrency(16)
        .pollWait(Duration.ofSeconds(1))
        .start()
        .closeOnShutdown();
    OrdersWorkerMain.dieWithParent();
  }
}
