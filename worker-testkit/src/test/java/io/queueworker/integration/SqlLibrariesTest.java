package io.queueworker.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.gate.Admission;
import io.queueworker.gate.Attempt;
import io.queueworker.gate.Attempt.Outcome;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.GateTransaction;
import io.queueworker.gate.JdbcGate;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What libraries write through the data source of the gate's transaction is part of it, on every database. */
@ParameterizedClass
@EnumSource(GateStore.class)
@Tag("postgres")
@Tag("mariadb")
class SqlLibrariesTest {
  private static final GateKey KEY = new GateKey("orders", "1");

  static {
    System.setProperty("org.jooq.no-logo", "true");
    System.setProperty("org.jooq.no-tips", "true");
  }

  @Parameter GateStore store;
  private DataSource direct;
  private JdbcGate gate;

  /** How an effect gets into the database. */
  enum Library {
    PLAIN_JDBC {
      @Override
      void write(DataSource dataSource, SQLDialect dialect, String id) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
          GateStore.effect(connection, id);
        }
      }
    },

    JDBI {
      @Override
      void write(DataSource dataSource, SQLDialect dialect, String id) {
        Jdbi.create(dataSource).useHandle(handle -> handle.execute("INSERT INTO effects VALUES (?)", id));
      }
    },

    JOOQ {
      @Override
      void write(DataSource dataSource, SQLDialect dialect, String id) {
        DSL.using(dataSource, dialect)
            .insertInto(DSL.table("effects"), DSL.field("id", String.class))
            .values(id)
            .execute();
      }
    };

    abstract void write(DataSource dataSource, SQLDialect dialect, String id) throws SQLException;
  }

  @BeforeEach
  void open() throws SQLException {
    direct = store.prepared();
    gate = JdbcGate.on(direct);
    gate.open();
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void what_a_library_writes_commits_and_rolls_back_with_the_key(Library library) throws SQLException {
    Attempt<GateTransaction> undone = fresh();
    write(library, undone, "undone");
    assertThat(undone.rollback()).as("connection lost").isFalse();
    assertThat(GateStore.ask(direct, "SELECT count(*) FROM effects")).isZero();
    assertThat(GateStore.ask(direct, "SELECT count(*) FROM queueworker_gate")).isZero();

    Attempt<GateTransaction> kept = fresh();
    write(library, kept, "kept");
    write(library, kept, "kept");
    assertThat(GateStore.ask(direct, "SELECT count(*) FROM effects")).as("seen before the commit").isZero();
    assertThat(kept.commit()).isEqualTo(new Outcome.Committed());
    assertThat(GateStore.effects(direct, "kept")).isEqualTo(2);
    assertThat(GateStore.ask(direct, "SELECT count(*) FROM queueworker_gate WHERE state = 'completed'")).isEqualTo(1);
  }

  private void write(Library library, Attempt<GateTransaction> attempt, String id) throws SQLException {
    library.write(attempt.effects().dataSource(), switch (store) {
      case H2 -> SQLDialect.H2;
      case POSTGRESQL -> SQLDialect.POSTGRES;
      case MARIADB -> SQLDialect.MARIADB;
    }, id);
  }

  private Attempt<GateTransaction> fresh() throws SQLException {
    AttemptInfo info = new AttemptInfo("worker-1", "m-1", 1, Duration.ofSeconds(30), warning -> {
      throw new AssertionError(warning);
    });
    Admission<GateTransaction> admission = gate.admit(KEY, info);
    assertThat(admission).isInstanceOf(Admission.Fresh.class);
    return ((Admission.Fresh<GateTransaction>) admission).attempt();
  }
}
