package io.queueworker.gate;

import io.queueworker.timing.SystemTiming;
import io.queueworker.timing.Timing;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Where a leased gate keeps its records, with time that can be moved. */
final class LeaseStore {

  /** The kinds there are. */
  enum Kind {
    H2, POSTGRESQL, MARIADB, MEMORY
  }

  /** Those to run on: memory, and the databases that are chosen. */
  static Stream<Kind> chosen() {
    return Stream.concat(GateDatabase.chosen().map(database -> Kind.valueOf(database.name())), Stream.of(Kind.MEMORY));
  }

  final Optional<DataSource> database;
  private final Ahead clock = new Ahead();
  private final String earlier;

  LeaseStore(Kind kind) throws SQLException {
    database =
        switch (kind) {
          case H2 -> Optional.of(GateDatabase.H2.empty());
          case POSTGRESQL -> Optional.of(GateDatabase.POSTGRESQL.empty());
          case MARIADB -> Optional.of(GateDatabase.MARIADB.empty());
          case MEMORY -> Optional.empty();
        };
    earlier =
        switch (kind) {
          case H2 -> "DATEADD(MILLISECOND, -%2$d, %1$s)";
          case POSTGRESQL -> "%1$s - INTERVAL '%2$d milliseconds'";
          case MARIADB -> "TIMESTAMPADD(MICROSECOND, -1000 * %2$d, %1$s)";
          case MEMORY -> "";
        };
  }

  /** An open gate on this store. */
  LeasedGate gate() {
    LeasedGate gate = database.map(LeasedGate::on).orElseGet(() -> LeasedGate.inMemory(clock));
    if (database.isPresent()) {
      gate.createTable();
    }
    gate.open();
    return gate;
  }

  /** Lets so much time pass for every record. */
  void pass(Duration time) throws SQLException {
    clock.nanos.addAndGet(time.toNanos());
    if (database.isPresent()) {
      StringBuilder sql = new StringBuilder("UPDATE queueworker_leased_gate SET state = state");
      for (String column : new String[]{"first_started_at", "started_at", "expires_at"}) {
        sql.append(", ").append(column).append(" = ").append(String.format(earlier, column, time.toMillis()));
      }
      try (Connection connection = database.get().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(sql.toString());
      }
    }
  }

  /** The real time, moved ahead. */
  private static final class Ahead implements Timing {
    private final Timing real = SystemTiming.instance();
    private final AtomicLong nanos = new AtomicLong();

    @Override
    public long nanoTime() {
      return real.nanoTime() + nanos.get();
    }

    @Override
    public Instant now() {
      return real.now().plusNanos(nanos.get());
    }

    @Override
    public double random() {
      return 0.5;
    }

    @Override
    public WaitPoint waitPoint(ReentrantLock lock) {
      return real.waitPoint(lock);
    }

    @Override
    public WorkerThread start(ThreadKind kind, String name, Runnable body) {
      return real.start(kind, name, body);
    }

    @Override
    public ThreadPool pool(String name, int threads) {
      return real.pool(name, threads);
    }
  }
}
