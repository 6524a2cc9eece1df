package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.gate.Admission;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.GateTransaction;
import io.queueworker.gate.JdbcGate;
import io.queueworker.gate.Purge;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * How much does the gate's table grow, and how fast is a purge?
 *
 * <p>It fills the table through the gate, one transaction for each key as workers do, asks the database for the size, lets a
 * purge look at all rows while none is old, moves them 46 days into the past and purges them. Run it with {@code mvn -q compile
 * exec:exec@gate-growth}, and {@code -Drows=100000} or {@code -Ddb=postgres} if you like. The exit code is 1 when a row is
 * left.
 */
public final class GateGrowthMain {
  private static final int THREADS = 4;
  private static final Duration KEPT = Duration.ofDays(45);

  private GateGrowthMain() {}

  /** Ends with one line of JSON on standard output. */
  public static void main(String[] args) throws Exception {
    GrowthOptions options = GrowthOptions.read();
    try (Database database = Database.start(options.db()); HikariDataSource pool = pool(database.dataSource())) {
      JdbcGate gate = JdbcGate.on(pool);
      gate.createTable();
      gate.open();
      System.out
          .println(options.rows() + " keys are committed on " + options.db() + ", each in a transaction of its own");
      long fillNanos = fill(gate, options.rows());
      Optional<TableSize> size = TableSize.of(options.db(), pool);

      System.out.println("a purge looks at all of them and finds none that is old");
      Purge.Result walk = gate.purge(KEPT).run();
      age(options.db(), pool);
      System.out.println("46 days later it deletes them");
      Purge.Result purge = gate.purge(KEPT).run();

      ObjectNode json = new ObjectMapper().createObjectNode().put("example", "gate-growth").put("db", options.db());
      json.put("rows", options.rows()).put("committedPerSecond", perSecond(options.rows(), fillNanos));
      size.ifPresent(known -> known.into(json, options.rows()));
      json.put("lookedAtPerSecond", perSecond(walk.lookedAt(), walk.took().toNanos()))
          .put("purgedPerSecond", perSecond(purge.deleted(), purge.took().toNanos()))
          .put("left", options.rows() - purge.deleted());
      System.out.println(json);
      System.exit(walk.deleted() == 0 && purge.deleted() == options.rows() ? 0 : 1);
    }
  }

  private static HikariDataSource pool(DataSource connections) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(connections);
    config.setMaximumPoolSize(THREADS);
    return new HikariDataSource(config);
  }

  private static long fill(JdbcGate gate, int rows) throws Exception {
    long start = System.nanoTime();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (Future<Void> done : threads.invokeAll(
          IntStream.range(0, THREADS).<Callable<Void>>mapToObj(thread -> () -> fill(gate, thread, rows)).toList())) {
        done.get();
      }
    }
    return System.nanoTime() - start;
  }

  private static Void fill(JdbcGate gate, int first, int rows) throws Exception {
    for (int i = first; i < rows; i += THREADS) {
      AttemptInfo info =
          new AttemptInfo("worker-1", UUID.randomUUID().toString(), 1, Duration.ofSeconds(30), System.out::println);
      if (!(gate.admit(new GateKey("orders", "order-" + (1_000_000_000 + i)),
          info) instanceof Admission.Fresh<GateTransaction> fresh)) {
        throw new IllegalStateException("key " + i + " is not fresh");
      }
      fresh.attempt().effects().connection();
      fresh.attempt().commit();
    }
    return null;
  }

  private static void age(String db, DataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
      statement.execute("UPDATE queueworker_gate SET completed_at = completed_at - INTERVAL '46' DAY");
      if (db.equals("postgres")) {
        // As autovacuum does in 46 days: the update has left an old version of each row.
        statement.execute("VACUUM ANALYZE queueworker_gate");
      }
    }
  }

  private static long perSecond(long count, long nanos) {
    return count * TimeUnit.SECONDS.toNanos(1) / Math.max(1, nanos);
  }
}
