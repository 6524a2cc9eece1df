package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.gate.Attempt.Outcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a COMMIT without a success means, by what the driver says and by what is in the row. */
@ParameterizedClass
@MethodSource("io.queueworker.gate.GateDatabase#chosen")
@Tag("postgres")
@Tag("mariadb")
class UnconfirmedCommitTest {
  private static final GateKey KEY = new GateKey("orders", "1");

  @Parameter GateDatabase database;
  GateRig rig;
  JdbcGate gate;

  private final List<Connection> lent = new ArrayList<>();

  /** So many more connections are refused. */
  private int refused;

  /** Connections that were asked for. */
  private int asked;

  /** How the next commit goes; as it should when there is none. */
  private @Nullable Commit next;

  @BeforeEach
  void open() throws SQLException {
    rig = new GateRig(database.empty());
    gate = rig.gate(bent(rig.direct));
  }

  /** A commit that a test bends. */
  @FunctionalInterface
  interface Commit {
    void of(Connection connection) throws Exception;
  }

  private DataSource bent(DataSource real) {
    return proxy(DataSource.class, real);
  }

  private <A> A proxy(Class<A> type, A target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[]{type},
            (proxy, method, arguments) -> {
              Commit bend = next;
              if (method.getName().equals("commit") && bend != null) {
                next = null;
                bend.of((Connection) target);
                return null;
              }
              if (method.getName().equals("getConnection")) {
                asked++;
                if (refused > 0) {
                  refused--;
                  throw new SQLException("refused", "08001");
                }
              }
              try {
                Object result = method.invoke(target, arguments);
                if (!method.getName().equals("getConnection")) {
                  return result;
                }
                lent.add((Connection) result);
                return proxy(Connection.class, (Connection) result);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private Outcome effect(Commit commit) throws SQLException {
    Attempt<GateTransaction> attempt = rig.fresh(gate, KEY, "m-1");
    GateRig.write(attempt.effects().connection(), "m-1");
    next = commit;
    return attempt.commit();
  }

  private static Commit failing(SQLException failure) {
    return connection -> {
      throw failure;
    };
  }

  private void nothingStays() throws SQLException {
    assertThat(rig.effects() + rig.rows("started") + rig.rows("completed")).isZero();
    assertThat(rig.effect(gate, KEY, "m-2")).isEqualTo(new Outcome.Committed());
  }

  @Test
  void what_the_server_refuses_is_a_failure_of_the_message() throws Exception {
    SQLException refused = new SQLException("deferred constraint", "23505");
    assertThat(effect(failing(refused))).isEqualTo(new Outcome.RolledBack(refused));
    nothingStays();
  }

  @Test
  void a_conflict_is_tried_again() throws Exception {
    assertThat(effect(failing(new SQLException("serialization", "40001")))).isInstanceOf(Outcome.InProgress.class);
    nothingStays();
  }

  @Test
  void a_commit_that_was_cancelled_on_a_connection_that_lives_made_nothing() throws Exception {
    SQLException cancelled = new SQLException("cancelled", "57014");
    assertThat(effect(failing(cancelled))).isEqualTo(new Outcome.RolledBack(cancelled));
    nothingStays();
  }

  @Test
  void a_commit_that_was_cancelled_on_a_connection_that_is_gone_is_unknown() throws Exception {
    SQLException cancelled = new SQLException("cancelled", "57014");
    assertThat(
        effect(
            connection -> {
              connection.close();
              throw cancelled;
            }))
        .isEqualTo(new Outcome.CommitUnknown(cancelled));
  }

  @Test
  void a_commit_whose_answer_was_lost_is_seen_in_the_row() throws Exception {
    assertThat(
        effect(
            connection -> {
              connection.commit();
              throw new SQLException("gone", "08006");
            }))
        .isEqualTo(new Outcome.Committed());
    assertThat(rig.effects()).isEqualTo(1);
    assertThat(lent).as("connections").allSatisfy(connection -> assertThat(connection.isClosed()).isTrue());
  }

  @Test
  void a_lost_connection_whose_row_is_absent_is_unknown() throws Exception {
    SQLException gone = new SQLException("gone", "08006");
    assertThat(
        effect(
            connection -> {
              connection.rollback();
              throw gone;
            }))
        .isEqualTo(new Outcome.CommitUnknown(gone));
  }

  @Test
  void a_key_that_another_attempt_completed_meanwhile_is_that_ones() throws Exception {
    JdbcGate other = rig.gate(rig.direct);
    assertThat(
        effect(
            connection -> {
              connection.rollback();
              assertThat(rig.effect(other, KEY, "m-2")).isEqualTo(new Outcome.Committed());
              throw new SQLException("gone", "08006");
            }))
        .isInstanceOfSatisfying(
            Outcome.AlreadyDone.class, done -> assertThat(done.by().orElseThrow().messageId()).isEqualTo("m-2"));
  }

  @Test
  void the_row_is_looked_for_on_three_connections_before_it_is_unknown() throws Exception {
    assertThat(
        effect(
            connection -> {
              connection.commit();
              refused = 2;
              asked = 0;
              throw new SQLException("gone", "08006");
            }))
        .isEqualTo(new Outcome.Committed());
    assertThat(asked).isEqualTo(3);
  }

  @Test
  void a_row_that_cannot_be_looked_for_is_unknown() throws Exception {
    SQLException gone = new SQLException("gone", "08006");
    assertThat(
        effect(
            connection -> {
              connection.commit();
              refused = 10;
              asked = 0;
              throw gone;
            }))
        .isEqualTo(new Outcome.CommitUnknown(gone));
    assertThat(asked).isEqualTo(3);
    assertThat(gone.getSuppressed()).hasSize(3);
  }
}
