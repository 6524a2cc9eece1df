package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.gate.Attempt.Outcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** What the gate's tests share: an effects table, attempts with a name, and counting. */
final class GateRig {
  static final Duration SHORT = Duration.ofMillis(200);
  private static final long BOUND_SECONDS = 60;
  final DataSource direct;
  final List<String> warnings = new CopyOnWriteArrayList<>();

  GateRig(DataSource direct) throws SQLException {
    this.direct = direct;
    sql("CREATE TABLE effects (id varchar(100))");
  }

  /** A gate on {@code dataSource} whose table exists. */
  JdbcGate gate(DataSource dataSource) {
    JdbcGate.on(direct).createTable();
    JdbcGate gate = JdbcGate.on(dataSource).lockWait(SHORT);
    gate.open();
    return gate;
  }

  AttemptInfo info(String messageId) {
    return new AttemptInfo("worker-1", messageId, 1, Duration.ofSeconds(30), warnings::add);
  }

  /** An attempt whose lease stands like that. */
  AttemptInfo info(String messageId, LeaseStory lease) {
    return new AttemptInfo("worker-1", messageId, 1, Duration.ofSeconds(30), warnings::add, () -> lease);
  }

  Attempt<GateTransaction> fresh(JdbcGate gate, GateKey key, String messageId) throws SQLException {
    return fresh(gate, key, info(messageId));
  }

  Attempt<GateTransaction> fresh(JdbcGate gate, GateKey key, AttemptInfo info) throws SQLException {
    Admission<GateTransaction> admission = gate.admit(key, info);
    assertThat(admission).isInstanceOf(Admission.Fresh.class);
    return ((Admission.Fresh<GateTransaction>) admission).attempt();
  }

  /** One whole attempt that writes one effect. */
  Outcome effect(JdbcGate gate, GateKey key, String messageId) throws SQLException {
    Attempt<GateTransaction> attempt = fresh(gate, key, messageId);
    write(attempt.effects().connection(), messageId);
    return attempt.commit();
  }

  static void write(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effects VALUES (?)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  void sql(String sql) throws SQLException {
    try (Connection connection = direct.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static String ask(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getString(1);
    }
  }

  String ask(String query) throws SQLException {
    try (Connection connection = direct.getConnection()) {
      return ask(connection, query);
    }
  }

  long effects() throws SQLException {
    return Long.parseLong(ask("SELECT count(*) FROM effects"));
  }

  long rows(String state) throws SQLException {
    return Long.parseLong(ask("SELECT count(*) FROM queueworker_gate WHERE state = '" + state + "'"));
  }

  /** Runs on a thread of its own, as a handler does. */
  static <A> FutureTask<A> start(Callable<A> body) {
    FutureTask<A> task = new FutureTask<>(body);
    Thread.ofVirtual().start(task);
    return task;
  }

  static <A> A get(FutureTask<A> task) throws Exception {
    return task.get(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  /** Asks again until the answer is yes. */
  static void await(Callable<Boolean> yes) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    while (!yes.call()) {
      assertThat(end - System.nanoTime()).as("time left to wait for it").isPositive();
      Thread.onSpinWait();
    }
  }
}
