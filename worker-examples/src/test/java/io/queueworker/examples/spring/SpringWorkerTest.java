package io.queueworker.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.QueueWorker;
import io.queueworker.gate.JdbcGate;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.GateWarning;
import io.queueworker.observe.WorkerEvent.Suppressed;
import io.queueworker.testkit.elasticmq.ElasticMqTest;
import io.queueworker.testkit.elasticmq.TestQueue;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A whole worker whose handler calls a service with {@code @Transactional}. */
@ElasticMqTest
@Tag("elasticmq")
class SpringWorkerTest {

  @Test
  void each_order_is_stored_once_though_one_is_sent_twice_and_one_fails_first(
      @TestQueue(visibilitySeconds = 10) TestQueueHandle queue) {
    List<WorkerEvent> events = new CopyOnWriteArrayList<>();
    Set<String> failed = ConcurrentHashMap.newKeySet();
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(Shop.class, JdbcTransactions.class)) {
      Orders orders = context.getBean(Orders.class);
      JdbcGate gate = gate(context);
      gate.createTable();
      queue.send("a", "b", "b", "c");
      QueueWorker worker =
          QueueWorker.of(queue.connect())
              .decode(body -> body)
              .once(gate, delivery -> delivery.body(), (delivery, tx) -> {
                orders.store(delivery.body(), 1);
                if (delivery.body().equals("c") && failed.add("c")) {
                  throw new IllegalStateException("the first time");
                }
              })
              .pollWait(Duration.ofSeconds(1))
              .inlineListener((where, event) -> events.add(event))
              .start();
      try (worker) {
        queue.awaitEmpty(Duration.ofSeconds(60));
      }

      assertThat(context.getBean(JdbcTemplate.class).queryForList("SELECT id FROM orders", String.class))
          .containsExactlyInAnyOrder("a", "b", "c");
      assertThat(events).filteredOn(event -> event instanceof Suppressed).hasSize(1);
      assertThat(events).filteredOn(event -> event instanceof Failed).hasSize(1);
      assertThat(events).filteredOn(event -> event instanceof GateWarning).isEmpty();
    }
  }

  private static JdbcGate gate(AnnotationConfigApplicationContext context) {
    DataSource dataSource = context.getBean(DataSource.class);
    TransactionTemplate template = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    return JdbcGate.on(work -> template.executeWithoutResult(
        status -> work.run(DataSourceUtils.getConnection(dataSource))));
  }
}
