package io.queueworker.examples.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.gate.JdbcGate;
import io.queueworker.testkit.QueueCounts;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One run on one queue, from the start of its processes to their end. For one thread. */
final class ChaosRun {

  /** Few enough that a worker always has room for what comes back. */
  private static final int MESSAGES_PER_WORKER = 6;

  private static final long BETWEEN_LOOKS_MILLIS = 50;
  private static final long BETWEEN_LINES_SECONDS = 3;

  private final ChaosOptions options;
  private final ChildJvm jvm;
  private final Journal journal = new Journal();
  private final long start = System.nanoTime();

  ChaosRun(ChaosOptions options, ChildJvm jvm) {
    this.options = options;
    this.jvm = jvm;
  }

  /** Runs it. */
  ChaosResult run() throws SQLException, IOException, InterruptedException {
    try (ServerProcess database = ServerProcess.start(jvm, "postgres");
        ServerProcess server = ServerProcess.start(jvm, options.queue());
        RemoteQueue queue = new RemoteQueue(server.where())) {
      String databaseUrl = database.where().get("url").asText();
      try (HikariDataSource pool = Connections.pool(databaseUrl, 2)) {
        JdbcGate.on(pool).createTable();
        new EffectTable(pool).create();
        boolean fair = options.control() == Control.NONE;
        Load load =
            new Load(
                queue,
                new TaskMix(options.seed(), fair),
                options.messages(),
                options.workers() * MESSAGES_PER_WORKER);
        try (Crew crew = new Crew(jvm, journal, queue.url(), databaseUrl, options.control().word())) {
          work(crew, load, queue);
          crew.close();
          JsonNode log = server.log();
          List<Trespass> trespasses = Trespass.read(log, System.nanoTime());
          return new ChaosResult(
              options,
              ChaosAudit.of(load.tasks(), queue, pool),
              load.messages(),
              crew.kills(),
              journal.kills(),
              journal.freezes(),
              journal.reports(),
              trespasses,
              crew.hasFailed(),
              Duration.ofNanos(elapsed()));
        }
      }
    }
  }

  private void work(Crew crew, Load load, RemoteQueue queue) throws IOException, InterruptedException {
    ScheduledExecutorService clock = new ScheduledThreadPoolExecutor(3, Thread.ofPlatform().daemon().factory());
    try {
      for (int i = 0; i < options.workers(); i++) {
        crew.start();
      }
      KillsAndFreezes harms = new KillsAndFreezes(options, crew, journal, clock);
      var unusedLoad =
          clock.scheduleWithFixedDelay(loudly(clock, load::topUp), 0, BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS);
      var unusedLines =
          clock.scheduleWithFixedDelay(
              loudly(clock, () -> say(load, queue.counts())), 0, BETWEEN_LINES_SECONDS, TimeUnit.SECONDS);
      harms.run();
      load.end();
      drain(crew, load, queue);
      say(load, queue.counts());
    } finally {
      clock.shutdownNow();
    }
  }

  /** Waits until the queue is empty, time is up, or a worker has failed. */
  private void drain(Crew crew, Load load, RemoteQueue queue) throws InterruptedException {
    while (!load.isOver() || queue.counts().total() > 0) {
      if (elapsed() > options.timeLimit().toNanos() || crew.hasFailed()) {
        System.out.println(crew.hasFailed() ? "a worker has ended by itself" : "time is up");
        return;
      }
      Thread.sleep(BETWEEN_LOOKS_MILLIS);
    }
  }

  /** The same, but that a failure, after which it is not run again, shows. */
  private static Runnable loudly(ScheduledExecutorService clock, Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException failed) {
        if (!clock.isShutdown()) {
          System.err.println("the run cannot go on: " + failed);
        }
        throw failed;
      }
    };
  }

  private void say(Load load, QueueCounts counts) {
    System.out.printf(
        "%4d s  %s: %d messages sent, %d visible, %d in flight; %d of %d kills, %d of %d freezes%n",
        elapsed() / 1_000_000_000,
        options.queue(),
        load.messages(),
        counts.visible(),
        counts.inFlight(),
        journal.kills().size(),
        options.kills(),
        journal.freezes().size(),
        options.freezes());
  }

  private long elapsed() {
    return System.nanoTime() - start;
  }
}
