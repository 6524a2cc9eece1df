package io.queueworker.gate;

import io.queueworker.gate.Admission.Completion;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The records of a leased gate in a table. Each step is one statement in a transaction of its own.
 *
 * <p>Thread-safe.
 */
final class LeaseTable implements LeaseRecords {

  /** The name in the shipped DDL. */
  static final TableName DEFAULT_NAME = new TableName("queueworker_leased_gate");

  private static final Duration PURGE_LOCK_WAIT = Duration.ofSeconds(2);

  private final TransactionSource source;
  private final TableName name;
  private volatile @Nullable LeaseSql opened;

  LeaseTable(TransactionSource source, TableName name) {
    this.source = source;
    this.name = name;
  }

  /** The same under another name, yet to be opened. */
  LeaseTable named(TableName other) {
    return new LeaseTable(source, other);
  }

  /** A purge of this table's completed keys. */
  Purge purge(Retention retention) {
    return new Purge(source, name, PURGE_LOCK_WAIT, retention);
  }

  /** The statements that create the table, each but the last ended by a semicolon at the end of its line. */
  String ddl() {
    return LeaseDialect.of(dialect()).ddl(name);
  }

  /** The statements that bring the table of an earlier version up to date. */
  String upgradeDdl() {
    return LeaseDialect.of(dialect()).upgradeDdl(name);
  }

  /** Creates the table unless it is there. */
  void create() {
    Dialect dialect = dialect();
    try {
      source.<Integer>outside(
          connection -> {
            List<String> parts = List.of(LeaseDialect.of(dialect).ddl(name).split(";\n", -1));
            try (Statement statement = connection.createStatement()) {
              for (String part : parts) {
                statement.execute(part);
              }
            }
            return parts.size();
          });
    } catch (SQLException e) {
      // Two that create it at once: "if not exists" looks before it locks, so the second can fail on PostgreSQL.
      try {
        check(dialect);
      } catch (SQLException stillMissing) {
        e.addSuppressed(stillMissing);
        throw new IllegalStateException(
            "the leased gate's table " + name + " could not be created: " + DriverWords.messageOf(e)
                + "; let someone with the right to do so run the statement in " + LeaseDialect.of(dialect).resource(),
            e);
      }
    }
  }

  @Override
  public void open() {
    Dialect dialect = dialect();
    try {
      opened = check(dialect);
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the leased gate's table " + name + " cannot be used: " + DriverWords.messageOf(e)
              + ". Create it with the statement in " + LeaseDialect.of(dialect).resource()
              + " of worker-core, or with LeasedGate.createTable(), or bring one of an earlier version up to date with"
              + " LeasedGate.upgradeDdl(), and grant SELECT, INSERT, UPDATE and DELETE on it",
          e);
    }
  }

  private Dialect dialect() {
    try {
      return source.outside(Dialect::of);
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the leased gate's database cannot be reached: " + DriverWords.messageOf(e)
              + "; check the data source and that the database is up",
          e);
    }
  }

  private LeaseSql check(Dialect dialect) throws SQLException {
    return source.outside(connection -> LeaseSql.check(connection, dialect, name));
  }

  @Override
  public Optional<LeaseRecord> look(GateKey key) throws SQLException {
    return step((sql, connection) -> sql.look(connection, key));
  }

  @Override
  public OptionalLong begin(GateKey key, AttemptInfo info, String owner) throws SQLException {
    return claimed((sql, connection) -> sql.begin(connection, key, info, owner));
  }

  @Override
  public OptionalLong takeOver(GateKey key, AttemptInfo info, String owner, String from) throws SQLException {
    return claimed((sql, connection) -> sql.takeOver(connection, key, info, owner, from));
  }

  @Override
  public boolean renew(GateKey key, String owner, Duration length) throws SQLException {
    return step((sql, connection) -> sql.renew(connection, key, owner, length));
  }

  @Override
  public boolean restart(GateKey key, String owner) throws SQLException {
    return step((sql, connection) -> sql.restart(connection, key, owner));
  }

  @Override
  public boolean complete(GateKey key, String owner, LeaseStory lease) throws SQLException {
    return step((sql, connection) -> sql.complete(connection, key, owner, lease));
  }

  @Override
  public void letGo(GateKey key, String owner) throws SQLException {
    step((sql, connection) -> sql.letGo(connection, key, owner));
  }

  @Override
  public void remove(GateKey key, String owner) throws SQLException {
    step((sql, connection) -> sql.remove(connection, key, owner));
  }

  @Override
  public Completion suppressed(GateKey key, LeaseRecord done) {
    try {
      return step((sql, connection) -> sql.suppress(connection, key)).map(LeaseRecord::by).orElse(done.by());
    } catch (SQLException | RuntimeException e) {
      // The count is for people; the key is done without it.
      return done.by();
    }
  }

  /** A step that gives way to another transaction; the database is up. */
  private OptionalLong claimed(Step<OptionalLong> step) throws SQLException {
    return step(
        (sql, connection) -> {
          try {
            return step.on(sql, connection);
          } catch (SQLException e) {
            if (sql.isBusy(e)) {
              return OptionalLong.empty();
            }
            throw e;
          }
        });
  }

  private <A> A step(Step<A> step) throws SQLException {
    LeaseSql sql = opened;
    if (sql == null) {
      throw new IllegalStateException("the gate is not open; call open() first, as a worker does at its start");
    }
    return source.outside(connection -> step.on(sql, connection));
  }

  /** Statements on one connection. */
  @FunctionalInterface
  private interface Step<A> {
    A on(LeaseSql sql, Connection connection) throws SQLException;
  }
}
