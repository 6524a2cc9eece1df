package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a connection that was borrowed, when its calls fail and when it is gone. */
class PooledTransactionsTest {
  private final PooledTransactions transactions = new PooledTransactions(pool());

  /** What pool and driver were asked to do with the connection, in order: abort, close, and close of the one behind it. */
  private final List<String> ends = new ArrayList<>();

  private Set<String> failing = Set.of();
  private Connection physical;

  @BeforeEach
  void open() throws SQLException {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:");
    physical = database.getConnection();
  }

  @AfterEach
  void close() throws SQLException {
    physical.close();
  }

  private DataSource pool() {
    return (DataSource) Proxy.newProxyInstance(
        DataSource.class.getClassLoader(),
        new Class<?>[]{DataSource.class},
        (proxy, method, arguments) -> lent(false));
  }

  private Connection lent(boolean behind) {
    return (Connection) Proxy.newProxyInstance(
        Connection.class.getClassLoader(),
        new Class<?>[]{Connection.class},
        (proxy, method, arguments) -> {
          String name = method.getName();
          if (failing.contains(name)) {
            throw new SQLException(name + " failed");
          }
          switch (name) {
            case "abort" -> ends.add("abort");
            case "close" -> ends.add(behind ? "close behind" : "close");
            case "unwrap" -> {
              return lent(true);
            }
            default -> {
              try {
                return method.invoke(physical, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }
          }
          return null;
        });
  }

  private void failingStatement() {
    assertThatThrownBy(
        () -> transactions.outside(
            connection -> {
              throw new SQLException("of the statement");
            }))
        .hasMessage("of the statement");
  }

  @Test
  void a_statement_that_fails_costs_no_connection_that_lives() throws Exception {
    physical.setAutoCommit(false);
    failingStatement();
    assertThat(ends).containsExactly("close");
    assertThat(physical.getAutoCommit()).isFalse();
  }

  @Test
  void a_connection_that_is_gone_after_a_statement_is_thrown_away() {
    failing = Set.of("isValid");
    failingStatement();
    assertThat(ends).containsExactly("abort", "abort", "close behind", "close");
  }

  @Test
  void a_connection_that_cannot_be_made_ready_is_not_used_and_goes_back_when_it_lives() {
    failing = Set.of("setAutoCommit");
    assertThatThrownBy(transactions::begin).hasMessage("setAutoCommit failed");
    assertThat(ends).containsExactly("abort", "close");
  }

  @Test
  void one_that_cannot_be_put_back_as_it_was_is_thrown_away() throws Exception {
    OpenTransaction transaction = transactions.begin();
    failing = Set.of("setAutoCommit");
    transaction.giveBack();
    assertThat(ends).containsExactly("abort", "close behind", "close");
  }

  @Test
  void a_rollback_gives_it_back_and_says_that_it_was_not_lost() throws Exception {
    OpenTransaction transaction = transactions.begin();
    assertThat(transaction.isAlive()).isTrue();
    assertThat(transaction.rollback()).isFalse();
    assertThat(ends).containsExactly("close");
    assertThat(physical.getAutoCommit()).isTrue();
  }

  @Test
  void a_rollback_that_fails_throws_it_away_and_says_whether_it_was_lost() throws Exception {
    OpenTransaction alive = transactions.begin();
    failing = Set.of("rollback");
    assertThat(alive.rollback()).isFalse();
    assertThat(ends).containsExactly("abort", "abort", "close behind", "close");

    ends.clear();
    failing = Set.of();
    OpenTransaction gone = transactions.begin();
    failing = Set.of("rollback", "isValid");
    assertThat(gone.isAlive()).isFalse();
    assertThat(gone.rollback()).isTrue();
    assertThat(ends).containsExactly("abort", "abort", "close behind", "close");
  }

  @Test
  void one_that_is_discarded_is_aborted_and_goes_back_only_when_it_lives_and_rolls_back() throws Exception {
    for (String broken : List.of("nothing", "isValid", "isClosed", "rollback", "setAutoCommit")) {
      ends.clear();
      failing = Set.of();
      OpenTransaction transaction = transactions.begin();
      failing = Set.of(broken);
      transaction.discard();
      assertThat(ends).as(broken).startsWith("abort").endsWith("close");
      assertThat(ends.size() > 2).as(broken + ": thrown away").isEqualTo(!broken.equals("nothing"));
      failing = Set.of();
      physical.rollback();
      physical.setAutoCommit(true);
    }
  }

  @Test
  void what_throwing_away_runs_into_ends_nothing() throws Exception {
    OpenTransaction transaction = transactions.begin();
    failing = Set.of("abort", "rollback", "isClosed", "close");
    transaction.discard();
    assertThat(ends).isEmpty();
  }
}
