package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a handler may and may not do with the connection of the gate's transaction. */
@ParameterizedClass
@MethodSource("io.queueworker.gate.GateDatabase#chosen")
@Tag("postgres")
@Tag("mariadb")
class BoundConnectionTest {
  @Parameter GateDatabase database;
  GateRig rig;
  KeptConnection pool;
  Attempt<GateTransaction> attempt;
  Connection view;

  @BeforeEach
  void open() throws SQLException {
    rig = new GateRig(database.empty());
    pool = new KeptConnection(rig.direct);
    attempt = rig.fresh(rig.gate(pool), new GateKey("orders", "1"), "m-1");
    view = attempt.effects().connection();
  }

  @AfterEach
  void close() throws SQLException {
    attempt.rollback();
    assertThat(pool.returned).as("returned").isEqualTo(pool.lent);
    pool.close();
  }

  @Test
  void commit_is_refused() throws Exception {
    GateRig.write(view, "m-1");
    assertThatThrownBy(view::commit).isInstanceOf(SQLException.class).hasMessageContaining("return from the handler");
    assertThat(rig.effects()).isZero();
  }

  @Test
  void autocommit_stays_off() throws Exception {
    assertThatThrownBy(() -> view.setAutoCommit(true)).isInstanceOf(SQLException.class)
        .hasMessageContaining("leave it");
    view.setAutoCommit(false);
    assertThat(view.getAutoCommit()).isFalse();
  }

  @Test
  void the_isolation_is_not_the_handlers() throws Exception {
    int before = view.getTransactionIsolation();
    refused(() -> view.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED), "data source");
    assertThat(view.getTransactionIsolation()).isEqualTo(before);
  }

  @Test
  void an_array_leads_to_no_other_connection_and_can_be_used_as_a_parameter() throws Exception {
    if (database == GateDatabase.MARIADB) {
      assertThatThrownBy(() -> view.createArrayOf("varchar", new Object[]{"a", "b"}))
          .as("it knows no arrays").isInstanceOf(SQLFeatureNotSupportedException.class);
      return;
    }
    Array sent = view.createArrayOf("varchar", new Object[]{"a", "b"});
    try (PreparedStatement query = view.prepareStatement("SELECT CAST(? AS varchar ARRAY)")) {
      query.setArray(1, sent);
      try (ResultSet rows = query.executeQuery()) {
        rows.next();
        Array received = rows.getArray(1);
        assertThat((Object[]) received.getArray()).containsExactly("a", "b");
        assertThat(received.toString()).contains("a").doesNotContain("view of");
        try (ResultSet elements = received.getResultSet()) {
          Statement behind = elements.getStatement();
          assertThat(behind == null || view.equals(behind.getConnection())).as("the array's statement").isTrue();
          assertThat(elements.next()).isTrue();
        }
        attempt.rollback();
        refused(received::getArray, "after the handler ended");
        received.free();
      }
    }
  }

  @Test
  void a_driver_gets_its_own_array_back_and_any_other_as_it_is() throws Exception {
    List<Object> given = new ArrayList<>();
    Array own = answering(Array.class, arguments -> null);
    Array another = answering(Array.class, arguments -> null);
    PreparedStatement statement = answering(PreparedStatement.class, arguments -> given.add(arguments[1]) ? null : "");
    Connection bound =
        new BoundConnection(answering(Connection.class, arguments -> arguments.length == 2 ? own : statement)).view();
    Array seen = bound.createArrayOf("varchar", new Object[0]);

    try (PreparedStatement prepared = bound.prepareStatement("SELECT ?")) {
      prepared.setArray(1, seen);
      prepared.setArray(1, another);
    }

    assertThat(seen).isNotSameAs(own);
    assertThat(given.get(0)).isSameAs(own);
    assertThat(given.get(1)).isSameAs(another);
  }

  /** Something of a driver that answers each call so. */
  private static <A> A answering(Class<A> type, Function<Object[], @Nullable Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[]{type},
            (proxy, method, arguments) -> arguments == null ? null : answer.apply(arguments)));
  }

  @Test
  void abort_is_refused() {
    assertThatThrownBy(() -> view.abort(Runnable::run)).isInstanceOf(SQLException.class).hasMessageContaining("throw");
  }

  @Test
  void close_does_nothing() throws Exception {
    try (Connection closed = attempt.effects().dataSource().getConnection()) {
      GateRig.write(closed, "m-1");
    }
    assertThat(view.isClosed()).isFalse();
    assertThat(view.isValid(1)).isTrue();
    GateRig.write(view, "m-2");
    assertThat(attempt.commit()).isEqualTo(new Attempt.Outcome.Committed());
    assertThat(rig.effects()).isEqualTo(2);
  }

  @Test
  void every_connection_is_the_same_one() throws Exception {
    assertThat(attempt.effects().connection()).isSameAs(view).isEqualTo(view).hasSameHashCodeAs(view);
    assertThat(attempt.effects().dataSource().getConnection()).isSameAs(view);
    assertThat(view.unwrap(Connection.class)).isSameAs(view);
    assertThat(view.isWrapperFor(Connection.class)).isTrue();
    assertThat(view.toString()).startsWith("view of ").endsWith(" in the gate's transaction");
  }

  @Test
  void it_wraps_what_the_connection_behind_it_wraps_and_nothing_else() throws Exception {
    Class<?> drivers = pool.physical.getClass();
    assertThat(view.isWrapperFor(drivers)).isTrue();
    assertThat(view.isWrapperFor(String.class)).isFalse();
    assertThat(view.unwrap(drivers)).isInstanceOf(drivers);
    refused(() -> view.isWrapperFor(null), "the argument is null");
    refused(() -> view.unwrap(null), "the argument is null");
    try (Statement statement = view.createStatement()) {
      assertThat(statement.isWrapperFor(Statement.class)).isTrue();
      assertThat(statement.isWrapperFor(String.class)).isFalse();
      assertThat(statement.unwrap(Statement.class)).isSameAs(statement);
    }
  }

  @Test
  void nothing_that_it_hands_out_leads_to_the_connection_behind_it() throws Exception {
    String query = "SELECT id FROM effects";
    try (Statement statement = view.createStatement();
        PreparedStatement prepared = view.prepareStatement(query);
        CallableStatement call = view.prepareCall(database == GateDatabase.MARIADB ? "{call anything()}" : query);
        ResultSet rows = prepared.executeQuery()) {
      DatabaseMetaData metaData = view.getMetaData();
      assertThat(statement.getConnection()).isSameAs(view);
      assertThat(prepared.getConnection()).isSameAs(view);
      assertThat(call.getConnection()).isSameAs(view);
      assertThat(metaData.getConnection()).isSameAs(view);
      assertThat(rows.getStatement()).isSameAs(prepared);
      try (ResultSet tables = metaData.getTables(null, null, "%", null)) {
        Statement behind = tables.getStatement();
        assertThat(behind == null || view.equals(behind.getConnection())).as("metadata's statement").isTrue();
      }
    }
  }

  @Test
  void exceptions_of_the_driver_come_through_as_they_are() {
    assertThatThrownBy(() -> view.prepareStatement("SELECT nothing FROM nowhere").executeQuery())
        .isInstanceOf(SQLException.class)
        .extracting(e -> ((SQLException) e).getSQLState())
        .asString()
        .startsWith("42");
  }

  @Test
  void another_thread_is_refused() throws Exception {
    Statement statement = view.createStatement();
    FutureTask<Void> other =
        GateRig.start(
            () -> {
              refused(() -> view.createStatement(), "belongs to");
              refused(() -> view.commit(), "belongs to");
              refused(() -> view.unwrap(Connection.class), "belongs to");
              refused(() -> statement.unwrap(Statement.class), "belongs to");
              refused(() -> view.rollback(), "belongs to");
              refused(() -> statement.execute("DELETE FROM effects"), "belongs to");
              assertThatThrownBy(() -> attempt.effects().connection())
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("for the thread of its handler");
              return null;
            });
    GateRig.get(other);
    assertThat(attempt.commit()).as("the refused rollback left no mark").isEqualTo(new Attempt.Outcome.Committed());
  }

  @Test
  void after_the_handler_everything_is_refused() throws Exception {
    PreparedStatement statement = view.prepareStatement("INSERT INTO effects VALUES ('late')");
    ResultSet rows = view.createStatement().executeQuery("SELECT 1");
    DatabaseMetaData metaData = view.getMetaData();
    attempt.commit();

    refused(() -> view.createStatement(), "after the handler ended");
    refused(() -> view.setAutoCommit(false), "after the handler ended");
    refused(statement::executeUpdate, "after the handler ended");
    refused(rows::next, "after the handler ended");
    refused(rows::getStatement, "after the handler ended");
    refused(() -> view.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE), "after the handler ended");
    refused(metaData::getURL, "after the handler ended");
    refused(() -> view.unwrap(Connection.class), "after the handler ended");
    refused(() -> statement.unwrap(PreparedStatement.class), "after the handler ended");
    assertThatThrownBy(() -> attempt.effects().connection()).isInstanceOf(IllegalStateException.class);
    assertThat(view.isClosed()).isTrue();
    assertThat(view.isValid(1)).isFalse();
    rows.close();
    statement.close();
    view.close();
    assertThat(rig.effects()).isZero();
  }

  private static void refused(ThrowingCallable call, String why) {
    assertThatThrownBy(call).isInstanceOf(SQLException.class).hasMessageContaining(why);
  }
}
