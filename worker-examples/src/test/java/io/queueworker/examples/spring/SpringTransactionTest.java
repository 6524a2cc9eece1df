package io.queueworker.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.gate.Admission;
import io.queueworker.gate.Attempt.Outcome;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.GateTransaction;
import io.queueworker.gate.JdbcGate;
import io.queueworker.gate.TransactionRunner;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Handlers inside a transaction of Spring's: what is in the gate's transaction, and what is not. */
@ParameterizedClass
@ValueSource(classes = {JdbcTransactions.class, JpaTransactions.class})
class SpringTransactionTest {
  private static final GateKey KEY = new GateKey("orders", "42");
  private final List<String> warnings = new ArrayList<>();
  @Parameter Class<?> transactions;
  private AnnotationConfigApplicationContext context;
  private HikariDataSource dataSource;
  private TransactionTemplate template;
  private JdbcTemplate jdbc;
  private Orders orders;
  private JdbcGate gate;

  @BeforeEach
  void start() {
    context = new AnnotationConfigApplicationContext(Shop.class, transactions);
    dataSource = context.getBean(HikariDataSource.class);
    template = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    jdbc = context.getBean(JdbcTemplate.class);
    orders = context.getBean(Orders.class);
    gate = JdbcGate.on(work -> template.executeWithoutResult(
        status -> work.run(DataSourceUtils.getConnection(dataSource))));
    gate.createTable();
    gate.open();
  }

  @AfterEach
  void stop() {
    assertThat(dataSource.getHikariPoolMXBean().getActiveConnections()).as("connections not given back").isZero();
    context.close();
  }

  /** What a test does as a handler. */
  @FunctionalInterface
  private interface Handler {
    void handle(GateTransaction tx) throws Exception;
  }

  /** One attempt as a worker makes it: a handler that throws is rolled back. */
  private Outcome attempt(Handler handler) throws Exception {
    return attempt(gate, handler);
  }

  private Outcome attempt(JdbcGate with, Handler handler) throws Exception {
    Admission<GateTransaction> admission =
        with.admit(KEY, new AttemptInfo("worker-1", "m-1", 1, Duration.ofSeconds(30), warnings::add));
    if (!(admission instanceof Admission.Fresh<GateTransaction> fresh)) {
      return new Outcome.AlreadyDone(((Admission.AlreadyDone<GateTransaction>) admission).by());
    }
    return fresh.attempt().run(tx -> {
      try {
        handler.handle(tx);
        return true;
      } catch (Exception e) {
        return false;
      }
    });
  }

  private int count(String table) {
    return jdbc.queryForObject("SELECT count(*) FROM " + table, Integer.class);
  }

  private void assertDoneOnce(Handler handler) throws Exception {
    assertThat(attempt(handler)).isInstanceOf(Outcome.AlreadyDone.class);
    assertThat(count("queueworker_gate WHERE state = 'completed'")).isEqualTo(1);
  }

  private void assertFresh() {
    assertThat(count("queueworker_gate")).as("rows of the gate").isZero();
    assertThat(count("orders")).as("orders").isZero();
    assertThat(count("parcels")).as("parcels").isZero();
  }

  @Test
  void a_template_and_a_transactional_service_join() throws Exception {
    Handler handler = tx -> {
      jdbc.update("INSERT INTO orders (id, items) VALUES ('a', 1)");
      orders.store("b", 2);
      new JdbcTemplate(tx.dataSource()).update("INSERT INTO orders (id, items) VALUES ('c', 3)");
      assertThat(count("orders")).isEqualTo(3);
      assertThat(new JdbcTemplate(other()).queryForObject("SELECT count(*) FROM orders", Integer.class))
          .as("seen from outside before the commit").isZero();
    };
    assertThat(attempt(handler)).isEqualTo(new Outcome.Committed());
    assertThat(count("orders")).isEqualTo(3);
    assertDoneOnce(handler);
    assertThat(count("orders")).isEqualTo(3);
    assertThat(warnings).isEmpty();
  }

  @Test
  void a_handler_that_throws_leaves_neither_effect_nor_key() throws Exception {
    assertThat(attempt(tx -> {
      orders.store("a", 1);
      orders.refuse("b");
    })).isEqualTo(new Outcome.Undone(false));
    assertFresh();
    assertThat(attempt(tx -> orders.store("a", 1))).isEqualTo(new Outcome.Committed());
  }

  /** Spring marks the shared transaction; a handler that goes on cannot turn that into a deleted message. */
  @Test
  void a_service_that_threw_and_was_caught_has_marked_the_transaction_rollback_only() throws Exception {
    assertThat(attempt(tx -> {
      orders.store("a", 1);
      assertThatThrownBy(() -> orders.refuse("b")).isInstanceOf(IllegalArgumentException.class);
    })).isInstanceOfSatisfying(Outcome.RolledBack.class,
        back -> assertThat(back.cause()).isInstanceOf(UnexpectedRollbackException.class));
    assertFresh();
  }

  /** Spring rolls back without a word when the transaction's own status was marked. */
  @Test
  void a_rollback_without_a_word_is_seen() throws Exception {
    JdbcGate own = JdbcGate.on(context.getBean(TransactionRunner.class));
    own.open();
    assertThat(attempt(own, tx -> {
      orders.store("a", 1);
      TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
    })).isInstanceOfSatisfying(Outcome.RolledBack.class,
        back -> assertThat(back.cause()).hasMessageContaining("rollback-only"));
    assertFresh();
    assertThat(attempt(own, tx -> orders.store("a", 1))).isEqualTo(new Outcome.Committed());
  }

  @Test
  void what_fails_before_the_commit_rolls_back_and_what_fails_after_it_is_told() throws Exception {
    assertThat(attempt(tx -> {
      orders.store("a", 1);
      synchronize(new TransactionSynchronization() {
        @Override
        public void beforeCommit(boolean readOnly) {
          throw new IllegalStateException("not ready");
        }
      });
    })).isInstanceOfSatisfying(Outcome.RolledBack.class,
        back -> assertThat(back.cause()).hasMessage("not ready"));
    assertFresh();
    assertThat(attempt(tx -> {
      orders.store("a", 1);
      synchronize(new TransactionSynchronization() {
        @Override
        public void afterCommit() {
          throw new IllegalStateException("no listener");
        }
      });
    })).isEqualTo(new Outcome.Committed());
    assertThat(warnings).singleElement().asString().contains("no listener");
    assertThat(count("orders")).isEqualTo(1);
  }

  private static void synchronize(TransactionSynchronization synchronization) {
    TransactionSynchronizationManager.registerSynchronization(synchronization);
  }

  /** The limit that the Javadoc of TransactionRunner warns of. */
  @Test
  void what_commits_on_a_connection_of_its_own_survives_the_rollback() throws Exception {
    Audits audits = context.getBean(Audits.class);
    JdbcTemplate second = new JdbcTemplate(other());
    assertThat(attempt(tx -> {
      orders.store("a", 1);
      audits.note("a");
      second.update("INSERT INTO audits (id) VALUES ('second data source')");
      throw new IllegalStateException("after the audits");
    })).isEqualTo(new Outcome.Undone(false));
    assertFresh();
    assertThat(count("audits")).isEqualTo(2);
  }

  @Test
  void a_runner_with_another_data_source_is_refused_at_the_start() {
    DataSource other = other();
    JdbcGate wrong = JdbcGate.on(work -> template.executeWithoutResult(
        status -> work.run(DataSourceUtils.getConnection(other))));
    assertThatThrownBy(wrong::open).isInstanceOf(IllegalStateException.class).hasMessageContaining("autocommit");
  }

  /** Connections of no pool and no transaction manager. */
  private DataSource other() {
    JdbcDataSource other = new JdbcDataSource();
    other.setURL(((JdbcDataSource) dataSource.getDataSource()).getURL());
    return other;
  }

  @Test
  void entities_join_where_jpa_is_the_transaction() throws Exception {
    if (transactions != JpaTransactions.class) {
      assertThat(context.getBeansOfType(EntityManagerFactory.class)).isEmpty();
      return;
    }
    EntityManager entities =
        SharedEntityManagerCreator.createSharedEntityManager(context.getBean(EntityManagerFactory.class));
    assertThat(attempt(tx -> {
      entities.persist(new Parcel("a", 1));
      entities.flush();
      throw new IllegalStateException("after the flush");
    })).isEqualTo(new Outcome.Undone(false));
    assertFresh();

    Handler handler = tx -> {
      entities.persist(new Parcel("a", 1));
      orders.store("a", 1);
    };
    assertThat(attempt(handler)).isEqualTo(new Outcome.Committed());
    assertDoneOnce(handler);
    assertThat(entities.find(Parcel.class, "a").weight()).isEqualTo(1);

    jdbc.update("DELETE FROM queueworker_gate");
    jdbc.update("DELETE FROM orders");
    // The statement is sent when Spring commits, after the gate's last one: the database refuses it then.
    assertThat(attempt(handler)).isInstanceOfSatisfying(Outcome.RolledBack.class,
        back -> assertThat(back.cause()).rootCause().isInstanceOfSatisfying(SQLException.class,
            refused -> assertThat(refused.getSQLState()).isEqualTo("23505")));
    assertThat(count("queueworker_gate")).isZero();
    assertThat(count("orders")).isZero();
    assertThat(count("parcels")).isEqualTo(1);
  }
}
