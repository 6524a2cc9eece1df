package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.gate.Attempt.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the gate makes of answers that PostgreSQL alone gives. */
@Tag("postgres")
class PostgresGateTest {
  private static final GateKey KEY = new GateKey("orders", "1");

  @Test
  void a_conflict_with_an_unrelated_key_is_tried_again_and_no_failure() throws Exception {
    GateRig rig = new GateRig(GateDatabase.serializablePostgres());
    JdbcGate gate = rig.gate(rig.direct);
    Attempt<GateTransaction> first = rig.fresh(gate, KEY, "m-1");
    readThenWrite(first, "m-1");
    FutureTask<Outcome> second =
        GateRig.start(
            () -> {
              Attempt<GateTransaction> attempt = rig.fresh(gate, new GateKey("orders", "2"), "m-2");
              readThenWrite(attempt, "m-2");
              assertThat(first.verdict()).isEmpty();
              GateRig.await(() -> rig.effects() == 1);
              Outcome outcome = attempt.commit();
              assertThat(attempt.rollback()).as("connection lost").isFalse();
              return outcome;
            });
    GateRig.await(() -> !rig.ask(WRITTEN).equals("0"));

    assertThat(first.commit()).isEqualTo(new Outcome.Committed());

    assertThat(GateRig.get(second))
        .isInstanceOfSatisfying(
            Outcome.InProgress.class, held -> assertThat(held.toString()).contains("conflict"));
    assertThat(rig.effects()).isEqualTo(1);
    assertThat(rig.effect(gate, new GateKey("orders", "2"), "m-2")).isEqualTo(new Outcome.Committed());
  }

  /** Counts the sessions that wait in a transaction after the statement that writes the second effect. */
  private static final String WRITTEN =
      "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction' AND query LIKE '%second%'";

  private static void readThenWrite(Attempt<GateTransaction> attempt, String id) throws SQLException {
    Connection connection = attempt.effects().connection();
    GateRig.ask(connection, "SELECT count(*) FROM effects");
    GateRig.write(connection, id);
    if (id.equals("m-2")) {
      GateRig.ask(connection, "SELECT 'second'");
    }
  }

  @Test
  void a_key_that_the_encoding_of_the_database_cannot_hold_is_shown_in_escapes() throws Exception {
    GateRig rig = new GateRig(GateDatabase.latinPostgres());
    JdbcGate gate = rig.gate(rig.direct);

    for (String text : new String[]{"Za\u017c\u00f3\u0142\u0107", "\ud83d\ude00".repeat(300), "plain"}) {
      GateKey key = new GateKey("orders", text);
      Attempt<GateTransaction> attempt = rig.fresh(gate, key, "m-\u0142");
      GateRig.write(attempt.effects().connection(), "m-1");
      assertThat(attempt.commit()).isEqualTo(new Outcome.Committed());
      assertThat(gate.admit(key, rig.info("m-2"))).isInstanceOf(Admission.AlreadyDone.class);
    }
    assertThat(rig.effects()).isEqualTo(3);
    assertThat(rig.ask("SELECT key_text FROM queueworker_gate WHERE key_text LIKE 'Za%'"))
        .isEqualTo("Za\\u017c\\u00f3\\u0142\\u0107");
    assertThat(rig.ask("SELECT key_text FROM queueworker_gate WHERE key_text LIKE 'plain'")).isEqualTo("plain");
  }

  @Test
  void a_role_that_may_not_complete_the_row_is_told_as_what_the_handler_changed() throws Exception {
    GateRig rig = new GateRig(GateDatabase.POSTGRESQL.empty());
    Attempt<GateTransaction> attempt = rig.fresh(rig.gate(rig.direct), KEY, "m-1");
    GateRig.write(attempt.effects().connection(), "m-1");
    try (Statement statement = attempt.effects().connection().createStatement()) {
      statement.execute("SET ROLE pg_read_all_data");
    }

    assertThat(attempt.commit())
        .isInstanceOfSatisfying(
            Outcome.RolledBack.class,
            back -> assertThat(back.cause())
                .hasMessageContaining("the gate's row of this key could not be completed")
                .hasMessageContaining("role")
                .hasCauseInstanceOf(SQLException.class));
    assertThat(rig.effects()).isZero();
  }
}
