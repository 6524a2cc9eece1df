package io.queueworker.integration;

import static io.queueworker.integration.Rig.LONG;
import static io.queueworker.integration.Rig.SHORT_POLL;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.GatedHandler;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.gate.GateTransaction;
import io.queueworker.gate.JdbcGate;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.HandlerReturned;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.elasticmq.ElasticMqTest;
import io.queueworker.testkit.elasticmq.TestQueue;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Many long handlers on a pool of four connections. A handler holds one from its first use of the transaction to the commit,
 * so what it does before costs the pool nothing, whether it takes 45 s or, as here, as long as it takes to see each lease
 * extended three times.
 */
@ElasticMqTest
@Tag("postgres")
class SmallPoolTest {
  private static final int HANDLERS = 64;
  private static final int CONNECTIONS = 4;

  private static void send(TestQueueHandle queue, int messages) {
    queue.send(IntStream.range(0, messages).mapToObj(i -> "order-" + i).toArray(String[]::new));
  }

  private static WorkerBuilder<String> worker(
      TestQueueHandle queue, DataSource pool, Trail trail, GatedHandler<String, GateTransaction> handler) {
    return QueueWorker.of(queue.connect())
        .once(JdbcGate.on(pool), delivery -> delivery.body(), handler)
        .maxConcurrency(HANDLERS)
        .pollWait(SHORT_POLL)
        .inlineListener(trail);
  }

  private static boolean beatsForEach(Trail trail, int messages, int beats) {
    return trail.of(HandlerStarted.class).stream()
        .map(HandlerStarted::messageId)
        .distinct()
        .filter(id -> trail.of(Extended.class, id).size() >= beats)
        .count() == messages;
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void sixty_four_long_handlers_that_write_at_their_end_hold_no_connection_before_and_all_commit(
      @TestQueue(visibilitySeconds = 4, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    Postgres database = Postgres.schema();
    Trail trail = Trail.create();
    CountDownLatch working = new CountDownLatch(HANDLERS);
    CountDownLatch end = new CountDownLatch(1);
    try (HikariDataSource pool = Rig.pool(database.direct(), CONNECTIONS)) {
      pool.getHikariConfigMXBean().setConnectionTimeout(LONG.toMillis());
      Loans loans = new Loans(pool);
      try (QueueWorker worker =
          worker(
              queue,
              loans.dataSource(),
              trail,
              (delivery, transaction) -> {
                working.countDown();
                Rig.await("the end of the long work", end);
                Postgres.effect(transaction.connection(), delivery.body());
              })
              .start()) {
        send(queue, HANDLERS);
        Rig.await("all handlers at work", working);
        Rig.until("the last admission's connection to be back", () -> loans.open() == 0);
        int admissions = loans.begun();
        trail.await(
            "three beats for each, while no handler holds or waits for a connection",
            t -> {
              assertThat(loans.open()).as("connections in use").isZero();
              assertThat(loans.begun()).as("connections lent").isEqualTo(admissions);
              return beatsForEach(t, HANDLERS, 3);
            },
            LONG);

        end.countDown();

        queue.awaitEmpty(LONG);
      }
      Duration shortestRun =
          trail.of(HandlerReturned.class).stream().map(HandlerReturned::took).min(Duration::compareTo).orElseThrow();
      assertThat(loans.longest()).as("the longest loan, while no handler took less than " + shortestRun)
          .isPositive()
          .isLessThan(shortestRun);
    }
    assertThat(trail.of(Committed.class)).hasSize(HANDLERS);
    assertThat(trail.of(HandlerStarted.class)).as("each ran once").hasSize(HANDLERS);
    assertThat(trail.of(HeldBack.class)).isEmpty();
    assertThat(trail.of(LeaseLost.class)).isEmpty();
    assertThat(database.effects()).isEqualTo(HANDLERS);
    assertThat(database.messagesWithEffect()).isEqualTo(HANDLERS);
    assertThat(database.completed()).isEqualTo(HANDLERS);
    Invariants.check(trail, HANDLERS);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void control_handlers_that_write_first_hold_the_whole_pool_while_they_work(
      @TestQueue(visibilitySeconds = 4, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    Postgres database = Postgres.schema();
    Trail trail = Trail.create();
    CountDownLatch end = new CountDownLatch(1);
    int messages = 2 * CONNECTIONS;
    try (HikariDataSource pool = Rig.pool(database.direct(), CONNECTIONS);
        QueueWorker worker =
            worker(
                queue,
                pool,
                trail,
                (delivery, transaction) -> {
                  Postgres.effect(transaction.connection(), delivery.body());
                  Rig.await("the end of the long work", end);
                })
                .start()) {
      send(queue, messages);
      trail.await("one that finds the pool exhausted", t -> t.count(HeldBack.class) > 0, LONG);
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(CONNECTIONS);
      assertThat(trail.of(Committed.class)).isEmpty();
      end.countDown();
      queue.awaitEmpty(LONG);
    }
    assertThat(database.effects()).isEqualTo(messages);
    assertThat(database.messagesWithEffect()).isEqualTo(messages);
  }
}
