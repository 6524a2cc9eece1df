package io.queueworker.integration;

import static io.queueworker.integration.Rig.LONG;
import static io.queueworker.integration.Rig.SHORT_POLL;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.GatedHandler;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.gate.GateTransaction;
import io.queueworker.gate.JdbcGate;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.Suppressed;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.elasticmq.ElasticMqTest;
import io.queueworker.testkit.elasticmq.TestQueue;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** Whole workers on ElasticMQ and a real database, to which the same order comes many times at once. */
@ElasticMqTest
@Tag("postgres")
@Tag("mariadb")
class RedeliveriesTest {
  private static final int MESSAGES = 64;
  private static final String ORDER = "order-1";

  private static WorkerBuilder<String> worker(
      TestQueueHandle queue, DataSource pool, Trail trail, GatedHandler<String, GateTransaction> handler) {
    return QueueWorker.of(queue.connect())
        .once(JdbcGate.on(pool), delivery -> delivery.body(), handler)
        .maxConcurrency(MESSAGES)
        .pollWait(SHORT_POLL)
        .inlineListener(trail);
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB"})
  void sixty_four_messages_with_one_key_at_once_make_one_effect_and_no_noise(
      GateStore store, @TestQueue(maxReceiveCount = 5) TestQueueHandle queue) throws Exception {
    DataSource direct = store.prepared();
    Trail trail = Trail.create();
    CountDownLatch all = new CountDownLatch(MESSAGES);
    Lines lines = new Lines(queue.name());
    try (lines; HikariDataSource pool = Rig.pool(direct, MESSAGES)) {
      pool.setConnectionTimeout(LONG.toMillis());
      try (QueueWorker worker =
          worker(queue, pool, trail, (delivery, transaction) -> {
            all.countDown();
            Rig.await("all handlers at once", all);
            GateStore.effect(transaction.connection(), delivery.body());
          }).start()) {
        queue.send(Collections.nCopies(MESSAGES, ORDER).toArray(String[]::new));
        queue.awaitEmpty(LONG);
      }
    }
    assertThat(GateStore.effects(direct, ORDER)).as("effects").isEqualTo(1);
    assertThat(GateStore.ask(direct, "SELECT count(*) FROM queueworker_gate")).as("keys").isEqualTo(1);
    assertThat(GateStore.ask(direct, "SELECT suppressed FROM queueworker_gate")).isEqualTo(MESSAGES - 1);
    assertThat(trail.of(HandlerStarted.class)).as("all had begun when the first committed").hasSize(MESSAGES);
    assertThat(trail.of(Committed.class)).hasSize(1);
    assertThat(trail.of(Suppressed.class)).hasSize(MESSAGES - 1);
    assertThat(trail.of(Deleted.class)).hasSize(MESSAGES);
    assertThat(lines.seen).as("what this rig sees of the log").isNotEmpty();
    assertThat(lines.seen)
        .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
        .extracting(ILoggingEvent::getFormattedMessage)
        .isEmpty();
    Invariants.check(trail, MESSAGES);
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB"})
  void the_same_key_on_two_queues_with_one_table_makes_two_effects(
      GateStore store, @TestQueue TestQueueHandle orders, @TestQueue TestQueueHandle invoices) throws Exception {
    DataSource direct = store.prepared();
    Trail trail = Trail.create();
    Trail other = Trail.create();
    GatedHandler<String, GateTransaction> handler =
        (delivery, transaction) -> GateStore.effect(transaction.connection(), delivery.body());
    try (HikariDataSource pool = Rig.pool(direct, 4);
        QueueWorker first = worker(orders, pool, trail, handler).start();
        QueueWorker second = worker(invoices, pool, other, handler).start()) {
      orders.send(ORDER, ORDER);
      invoices.send(ORDER, ORDER);
      orders.awaitEmpty(LONG);
      invoices.awaitEmpty(LONG);
    }
    assertThat(GateStore.effects(direct, ORDER)).as("effects").isEqualTo(2);
    assertThat(GateStore.ask(direct, "SELECT count(DISTINCT scope) FROM queueworker_gate")).isEqualTo(2);
    for (Trail each : List.of(trail, other)) {
      assertThat(each.of(Committed.class)).hasSize(1);
      assertThat(each.of(Suppressed.class)).hasSize(1);
      Invariants.check(each, MESSAGES);
    }
  }

  /** The workers' lines of the log about one queue, from INFO on. They are off otherwise, and go nowhere else meanwhile. */
  private static final class Lines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.queueworker");
    private final Level before = logger.getLevel();
    private final String queue;
    final List<ILoggingEvent> seen = new CopyOnWriteArrayList<>();

    Lines(String queue) {
      this.queue = queue;
      start();
      logger.addAppender(this);
      logger.setAdditive(false);
      logger.setLevel(Level.INFO);
    }

    @Override
    protected void append(ILoggingEvent event) {
      if (event.getFormattedMessage().contains(queue)) {
        seen.add(event);
      }
    }

    @Override
    public void close() {
      logger.setLevel(before);
      logger.setAdditive(true);
      logger.detachAppender(this);
    }
  }
}
