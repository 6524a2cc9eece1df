package io.queueworker.examples.chaos;

import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.Delivery;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.gate.JdbcGate;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.sqs.SqsQueue;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * One worker of {@link ChaosMain}, in a JVM of its own so that it can be killed and frozen. It reports its steps on standard
 * output ({@link Step}). SIGTERM closes it cleanly. When its parent dies, it does too.
 */
public final class ChaosWorkerMain {

  /** Long enough that kills land between a commit and its delete. */
  private static final Duration DELETE_LINGER = Duration.ofMillis(250);

  private static final int CONCURRENCY = 32;

  private ChaosWorkerMain() {}

  /** Takes the worker's name, the queue's URL, the database's, and what is wrong on purpose. */
  public static void main(String[] args) throws Exception {
    String name = args[0];
    HikariDataSource pool = Connections.pool(args[2], CONCURRENCY + 2);
    Control control = Control.of(args[3]);
    StepReports reports = new StepReports(new FileOutputStream(FileDescriptor.out));
    MessageQueue sqs = SqsQueue.connect(args[1]);
    MessageQueue queue = control == Control.DELETE_FIRST ? new DeleteFirstQueue(sqs) : sqs;
    WorkerBuilder<Task> builder = QueueWorker.of(queue).decode(Task::fromJson);
    if (control == Control.GATE_OFF) {
      builder.handler(delivery -> perform(delivery, pool, reports, name));
    } else {
      builder.once(
          JdbcGate.on(pool),
          delivery -> delivery.body().id(),
          (delivery, tx) -> perform(delivery, tx::connection, reports, name));
    }
    builder
        .workerId(name)
        .inlineListener(reports)
        .maxConcurrency(CONCURRENCY)
        .pollWait(Duration.ofSeconds(1))
        .deleteLinger(DELETE_LINGER)
        .start()
        .closeOnShutdown();
    dieWithParent();
  }

  /** In the gate's transaction: its connection stays open, and the gate commits. */
  private static void perform(
      Delivery<Task> delivery, Supplier<Connection> transaction, StepReports reports, String worker) throws Exception {
    Task task = delivery.body();
    task.perform(
        delivery.receiveCount(),
        part -> {
          EffectTable.insert(transaction.get(), task.id(), part, worker);
          reports.report(Step.WROTE, delivery.id(), part);
        });
  }

  /** Without a gate: each write commits by itself. */
  private static void perform(
      Delivery<Task> delivery, DataSource dataSource, StepReports reports, String worker) throws Exception {
    Task task = delivery.body();
    task.perform(
        delivery.receiveCount(),
        part -> {
          try (Connection connection = dataSource.getConnection()) {
            EffectTable.insert(connection, task.id(), part, worker);
          }
          reports.report(Step.WROTE, delivery.id(), part);
        });
  }

  /** Waits for the end of standard input, which the parent holds open: then queue and database are gone too. */
  private static void dieWithParent() throws IOException {
    while (System.in.read() >= 0) {
      // Nobody writes.
    }
    Runtime.getRuntime().halt(1);
  }
}
