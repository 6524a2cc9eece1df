package io.queueworker.gate;

import io.queueworker.timing.SystemTiming;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A gate for effects that cannot share a transaction with its record, such as a payment, an e-mail or a file: it lets one
 * attempt at a key run at a time, and remembers which keys are done.
 *
 * {@snippet :
 * LeasedGate gate = LeasedGate.on(dataSource).outsideRemembers(Duration.ofHours(23)).reconcile(
 *     (key, idempotencyKey) -> payments.exists(idempotencyKey) ? Finding.DONE : Finding.NOT_DONE);
 * worker.once(gate, delivery -> delivery.body().orderId(),
 *     (delivery, fenced) -> payments.charge(fenced.idempotencyKey(), delivery.body()));
 * }
 *
 * <pre>
 * absent ──begin──► in progress (owner, expires with the lease) ──returned──► completed
 *                      ▲      │ expired
 *                      └──────┘ taken over: new owner, higher fence
 * </pre>
 *
 * <p>What it cannot do: when a worker dies between the effect and the completion, the next attempt makes the effect again. With
 * an outside system that honours {@link Fenced#idempotencyKey()} the second call changes nothing; without such a system the
 * effect happens twice, and no gate can prevent that. Prefer {@link JdbcGate} where the effect is in a database.
 *
 * <p>A handler that throws may have had its effect too, so its record stays and the next attempt counts as a repetition.
 *
 * <p>The record is renewed before each beat of its message; while that fails no beat is sent. When it turns out to be another
 * attempt's, the lease is lost. All times are the store's own. Give the pool a connection timeout of a few seconds and the
 * driver a socket timeout, well below the visibility timeout.
 *
 * <p>Thread-safe. The settings return a new gate that has yet to be opened.
 */
public final class LeasedGate implements IdempotencyGate<Fenced> {
  private static final Duration DEFAULT_OUTSIDE_REMEMBERS = Duration.ofHours(24);
  private static final Duration LONGEST = Duration.ofDays(3_650);

  private final LeaseRecords records;
  private final Duration outsideRemembers;
  private final @Nullable Reconcile reconcile;
  private final Unanswered unanswered = new Unanswered();

  private LeasedGate(LeaseRecords records, Duration outsideRemembers, @Nullable Reconcile reconcile) {
    this.records = records;
    this.outsideRemembers = outsideRemembers;
    this.reconcile = reconcile;
  }

  /** A gate that keeps its records in a table of this database: PostgreSQL, MariaDB, MySQL or H2. Nothing is opened yet. */
  public static LeasedGate on(DataSource dataSource) {
    return new LeasedGate(
        new LeaseTable(new PooledTransactions(dataSource), LeaseTable.DEFAULT_NAME), DEFAULT_OUTSIDE_REMEMBERS, null);
  }

  /**
   * A gate that keeps its records in the memory of this process, for tests and for one worker whose duplicates after a restart do
   * no harm: another process knows nothing of them, they end with this one, and each key done takes memory until then.
   */
  public static LeasedGate inMemory() {
    return inMemory(SystemTiming.instance());
  }

  /** The same with another clock, for simulations. */
  public static LeasedGate inMemory(Timing timing) {
    return new LeasedGate(new LeaseMemory(timing), DEFAULT_OUTSIDE_REMEMBERS, null);
  }

  /**
   * Names the gate's table: {@code table} or {@code schema.table}, as {@link JdbcGate#table}. Default
   * {@code queueworker_leased_gate}. It cannot be a JdbcGate's table.
   *
   * @throws IllegalArgumentException for another name
   * @throws IllegalStateException when the gate is in memory
   */
  public LeasedGate table(String name) {
    return new LeasedGate(inTable().named(new TableName(name)), outsideRemembers, reconcile);
  }

  /**
   * How long the outside system answers a repeated idempotency key as a repetition, less the longest that a handler may run:
   * up to ten years, default 24 h. An attempt that comes later than this after the first unfinished one is uncertain: the
   * handler does not run unless {@link #reconcile} finds that the effect did not happen. For an outside system without
   * idempotency keys, zero makes every unfinished attempt uncertain.
   *
   * @throws IllegalArgumentException outside that range
   */
  public LeasedGate outsideRemembers(Duration duration) {
    if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "outsideRemembers is " + duration + "; allowed is from 0 s to 3,650 days");
    }
    return new LeasedGate(records, duration, reconcile);
  }

  /** Asks the outside system about effects that are uncertain. Default: none, so that their messages do not run. */
  public LeasedGate reconcile(Reconcile question) {
    return new LeasedGate(records, outsideRemembers, question);
  }

  /**
   * What creates the gate's table on this database, in one statement or two. Connects, to learn which database it is; changes nothing.
   *
   * @throws IllegalStateException when the database cannot be reached or is not known, or the gate is in memory
   */
  public String ddl() {
    return inTable().ddl();
  }

  /**
   * The statements that bring a table made for an earlier version of this library up to date, as {@link JdbcGate#upgradeDdl()}.
   *
   * @throws IllegalStateException when the database cannot be reached or is not known, or the gate is in memory
   */
  public String upgradeDdl() {
    return inTable().upgradeDdl();
  }

  /**
   * Creates the gate's table unless it is there. Several workers may do so at once.
   *
   * @throws IllegalStateException when that fails, or the gate is in memory
   */
  public void createTable() {
    inTable().create();
  }

  /**
   * A purge of completed keys that are older than any message, as {@link JdbcGate#purge(Duration)}. Keys in progress, and
   * uncertain ones, stay.
   *
   * @throws IllegalArgumentException when the retention is shorter than 45 days
   * @throws IllegalStateException when the gate is in memory
   */
  public Purge purge(Duration retention) {
    return purge(Retention.of(retention));
  }

  /** The same with a retention that follows from the queue's own. */
  public Purge purge(Retention retention) {
    return inTable().purge(retention);
  }

  private LeaseTable inTable() {
    if (records instanceof LeaseTable table) {
      return table;
    }
    throw new IllegalStateException(
        "this LeasedGate is in memory and has no table; make it with LeasedGate.on(dataSource)");
  }

  @Override
  public void open() {
    records.open();
  }

  /** Never: the effect happens outside. */
  @Override
  public boolean transactional() {
    return false;
  }

  /**
   * Begins an attempt, or takes over one that has expired, unless it is uncertain.
   *
   * @throws Exception when the store cannot answer
   */
  @Override
  public Admission<Fenced> admit(GateKey key, AttemptInfo attempt) throws Exception {
    Optional<String> unsettled = unanswered.ownerOf(key);
    if (unsettled.isPresent()) {
      records.complete(key, unsettled.get(), LeaseStory.UNKNOWN);
      unanswered.remove(key);
    }
    String owner = UUID.randomUUID().toString();
    Optional<LeaseRecord> found = records.look(key);
    if (found.isEmpty()) {
      return fresh(key, attempt, owner, records.begin(key, attempt, owner), true);
    }
    LeaseRecord record = found.get();
    if (record.completed()) {
      return new Admission.AlreadyDone<>(Optional.of(records.suppressed(key, record)));
    }
    if (!record.expired()) {
      return new Admission.InProgress<>();
    }
    boolean uncertain = record.sinceFirst().compareTo(outsideRemembers) >= 0;
    if (uncertain && reconcile == null) {
      return uncertain(record, "set LeasedGate.reconcile(…) to have it asked");
    }
    OptionalLong fence = records.takeOver(key, attempt, owner, record.owner());
    return uncertain && fence.isPresent()
        ? reconciled(key, attempt, owner, record, fence)
        : fresh(key, attempt, owner, fence, false);
  }

  private Admission<Fenced> fresh(
      GateKey key, AttemptInfo attempt, String owner, OptionalLong fence, boolean first) {
    // Without a fence another attempt was quicker.
    return LeasedAttempt.fenced(key, fence)
        .<Admission<Fenced>>map(
            fenced -> new Admission.Fresh<>(
                new LeasedAttempt(records, unanswered, key, attempt, owner, fenced, first)))
        .orElseGet(Admission.InProgress::new);
  }

  /** Asks as the record's owner, so that no other attempt acts on an older answer. */
  private Admission<Fenced> reconciled(
      GateKey key, AttemptInfo attempt, String owner, LeaseRecord record, OptionalLong fence) throws Exception {
    Reconcile.Finding finding;
    String why = "the reconcile hook does not know either";
    try {
      finding = reconcile == null ? Reconcile.Finding.UNKNOWN : reconcile.ask(key, IdempotencyKey.of(key));
    } catch (Exception e) {
      finding = Reconcile.Finding.UNKNOWN;
      why = "the reconcile hook failed: " + DriverWords.of(e);
    }
    return switch (finding) {
      case DONE ->
          records.complete(key, owner, LeaseStory.UNKNOWN)
              ? new Admission.AlreadyDone<>(Optional.of(record.by()))
              : new Admission.InProgress<>();
      case NOT_DONE ->
          records.restart(key, owner) ? fresh(key, attempt, owner, fence, false) : new Admission.InProgress<>();
      case UNKNOWN -> {
        records.letGo(key, owner);
        yield uncertain(record, why);
      }
    };
  }

  private Admission<Fenced> uncertain(LeaseRecord record, String why) {
    return new Admission.Uncertain<>(
        "An attempt of worker "
            + record.by().worker()
            + " for message "
            + record.by().messageId()
            + ", started at "
            + record.by().startedAt()
            + ", was left unfinished; the first was "
            + record.sinceFirst().toMinutes()
            + " min ago, which is longer than the outside system remembers ("
            + outsideRemembers
            + "), so a repetition could have the effect twice. Find out whether it happened; "
            + why
            + ".");
  }
}
