package io.queueworker.gate;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A gate that keeps its record in a table of the database in which handlers make their effects, and commits both in one
 * transaction. On PostgreSQL, MariaDB, MySQL and H2.
 *
 * {@snippet :
 * JdbcGate gate = JdbcGate.on(dataSource).table("billing.gate").lockWait(Duration.ofMillis(500));
 * }
 *
 * <p>The table's DDL is in the resources {@code io/queueworker/gate/postgresql.sql}, {@code mysql.sql} (for MariaDB
 * too) and {@code h2.sql}; {@link #ddl()}
 * gives it and {@link #createTable()} applies it. Nothing else ever changes the schema. The user needs SELECT, INSERT and
 * UPDATE on the table. The promise "one effect" holds as long as the database keeps what it committed, so commits must be
 * durable and acknowledged by the server that takes over.
 *
 * <p>On MariaDB and MySQL the tables must be InnoDB: {@link #open()} checks the gate's, the effects' are yours to check. A
 * statement that changes the schema commits there, and with it the effect so far; keep such statements out of handlers. At
 * REPEATABLE READ, their default, an attempt that waits for another one can make the insert of an unrelated key wait too;
 * at READ COMMITTED it does so less.
 *
 * <p>Give the pool a connection timeout of a few seconds and the driver a socket timeout: a handler waits for both. A
 * delivery uses at most one connection at a time.
 *
 * <p>Thread-safe. The settings return a new gate that has yet to be opened.
 */
public final class JdbcGate implements IdempotencyGate<GateTransaction> {
  private static final Duration DEFAULT_LOCK_WAIT = Duration.ofSeconds(2);
  private static final Duration MIN_LOCK_WAIT = Duration.ofMillis(10);
  private static final Duration MAX_LOCK_WAIT = Duration.ofSeconds(60);

  private final TransactionSource source;
  private final TableName table;
  private final Duration lockWait;
  private volatile @Nullable GateTable opened;

  private JdbcGate(TransactionSource source, TableName table, Duration lockWait) {
    this.source = source;
    this.table = table;
    this.lockWait = lockWait;
  }

  /**
   * A gate on connections of {@code dataSource}, which the effects' tables must be reachable through. Connections go back
   * with the autocommit mode, isolation and lock timeout that they came with. READ UNCOMMITTED is raised to READ COMMITTED
   * meanwhile: the gate must not take another attempt's uncommitted completion for done. Nothing is opened yet.
   */
  public static JdbcGate on(DataSource dataSource) {
    return new JdbcGate(new PooledTransactions(dataSource), TableName.DEFAULT, DEFAULT_LOCK_WAIT);
  }

  /**
   * A gate whose transaction is one of a framework: the handler runs inside the runner's callback, and what looks for the
   * framework's transaction there joins unchanged. {@link TransactionRunner} says what is in it and what it costs. Nothing
   * is opened yet.
   *
   * {@snippet :
   * JdbcGate gate = JdbcGate.on(
   *     work -> template.executeWithoutResult(status -> work.run(DataSourceUtils.getConnection(dataSource))));
   * }
   */
  public static JdbcGate on(TransactionRunner runner) {
    return new JdbcGate(new RunnerTransactions(runner), TableName.DEFAULT, DEFAULT_LOCK_WAIT);
  }

  /**
   * Names the gate's table: {@code table} or {@code schema.table}, each 1 to 63 ASCII letters, digits and underscores, not
   * starting with a digit. Default {@code queueworker_gate}.
   *
   * <p>A name without a schema is looked up once, when the gate opens, in the schema that the connection points to then.
   * The gate stays with the table that it found: one gate does not follow connections from tenant to tenant.
   *
   * @throws IllegalArgumentException for another name
   */
  public JdbcGate table(String name) {
    return new JdbcGate(source, new TableName(name), lockWait);
  }

  /**
   * How long an attempt waits for another one at the same key before it is held back as in progress: 10 ms to 60 s, whole
   * milliseconds, default 2 s. It concerns the key's row only; the handler's own statements wait as the session says.
   * MariaDB and MySQL wait in whole seconds: there it is rounded up.
   *
   * @throws IllegalArgumentException outside that range
   */
  public JdbcGate lockWait(Duration wait) {
    if (wait.compareTo(MIN_LOCK_WAIT) < 0 || wait.compareTo(MAX_LOCK_WAIT) > 0) {
      throw new IllegalArgumentException("lockWait is " + wait + "; allowed is from 10 ms to 60 s");
    }
    return new JdbcGate(source, table, wait);
  }

  /**
   * The statement that creates the gate's table on this database. Connects, to learn which database it is; changes
   * nothing.
   *
   * @throws IllegalStateException when the database cannot be reached or is not known
   */
  public String ddl() {
    return dialect().ddl(table);
  }

  /**
   * The statements that bring a table made for an earlier version of this library up to date, on this database. They change
   * nothing in one that is. Connects, to learn which database it is; applying them is up to you.
   *
   * @throws IllegalStateException when the database cannot be reached or is not known
   */
  public String upgradeDdl() {
    return dialect().upgradeDdl(table);
  }

  /**
   * Creates the gate's table unless it is there. Several workers may do so at once.
   *
   * @throws IllegalStateException when that fails
   */
  public void createTable() {
    Dialect dialect = dialect();
    try {
      source.<Boolean>outside(
          connection -> {
            try (Statement statement = connection.createStatement()) {
              return statement.execute(dialect.ddl(table));
            }
          });
    } catch (SQLException e) {
      // Two that create it at once: "if not exists" looks before it locks, so the second can fail on PostgreSQL.
      try {
        check(dialect);
      } catch (SQLException stillMissing) {
        e.addSuppressed(stillMissing);
        throw new IllegalStateException(
            "the gate's table " + table + " could not be created: " + DriverWords.messageOf(e)
                + "; let someone with the right to do"
                + " so run the statement in " + dialect.resource(),
            e);
      }
    }
  }

  /**
   * A purge of completed keys that are older than any message: {@code gate.purge(Duration.ofDays(60)).run()}. Nothing happens
   * until it is run, and nothing is ever purged unasked. The gate need not be open.
   *
   * @param retention at least 45 days; for less, name the queue's retentions with {@link #purge(Retention)}
   * @throws IllegalArgumentException when it is shorter
   */
  public Purge purge(Duration retention) {
    return purge(Retention.of(retention));
  }

  /** The same with a retention that follows from the queue's own. */
  public Purge purge(Retention retention) {
    return new Purge(source, table, lockWait, retention);
  }

  @Override
  public void open() {
    Dialect dialect = dialect();
    try {
      opened = check(dialect);
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the gate's table " + table + " cannot be used: " + DriverWords.messageOf(e)
              + ". "
              + TableCheck.remedy(dialect, e),
          e);
    }
  }

  private Dialect dialect() {
    try {
      return source.outside(Dialect::of);
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the gate's database cannot be reached: " + DriverWords.messageOf(e)
              + "; check the data source and that the database is"
              + " up",
          e);
    }
  }

  private GateTable check(Dialect dialect) throws SQLException {
    return source.outside(new TableCheck(dialect, table, lockWait)::open);
  }

  /** Always: a key and the effect in its {@link GateTransaction} commit together. */
  @Override
  public boolean transactional() {
    return true;
  }

  /**
   * Looks at the key's row without a transaction: completed means done, anything else is fresh, and the row decides again
   * when the transaction opens.
   *
   * @throws SQLException when the database cannot answer
   * @throws IllegalStateException before {@link #open()}
   */
  @Override
  public Admission<GateTransaction> admit(GateKey key, AttemptInfo attempt) throws SQLException {
    GateTable statements = opened;
    if (statements == null) {
      throw new IllegalStateException("the gate is not open; call open() first, as a worker does at its start");
    }
    GateTable.Look look;
    try {
      look = source.outside(connection -> statements.look(connection, key));
    } catch (SQLException e) {
      if (SqlFailure.conflict(e)) {
        // At SERIALIZABLE even a read can be the one that has to give way. The database is up.
        return new Admission.InProgress<>();
      }
      throw e;
    }
    return look.row()
        .filter(KeyRow::completed)
        .<Admission<GateTransaction>>map(
            done -> new Admission.AlreadyDone<>(Optional.of(counted(source, statements, key, done))))
        .orElseGet(
            () -> new Admission.Fresh<>(source.attempt(statements, key, attempt, look.now())));
  }

  /**
   * Counts one more redelivery of a completed key. Does not throw.
   *
   * @param done the key's row as it was read
   */
  static Admission.Completion counted(TransactionSource source, GateTable table, GateKey key, KeyRow done) {
    try {
      return source.outside(connection -> table.suppress(connection, key)).orElse(done).by();
    } catch (SQLException | RuntimeException e) {
      // The count is for people; the key is done without it.
      return done.by();
    }
  }
}
