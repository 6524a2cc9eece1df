package io.queueworker.testkit.chaos;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * Runs whole workers in virtual time while queue, database, machines and handlers misbehave as seeds say, and checks that
 * nothing is lost or done twice.
 *
 * {@snippet :
 * Chaos.of(world -> world.worker()
 *         .once(world.database().gate(), delivery -> delivery.body(), (delivery, tx) -> {
 *           world.work(delivery);                   // takes time, and fails, hangs or stalls as the seed says
 *           tx.insert(delivery.body());             // the effect: must happen once for each body
 *         }))
 *     .messages(12)
 *     .workers(3)
 *     .seeds(300)
 *     .run();
 * }
 *
 * <p>Each seed sends messages with the bodies {@code message-0}, {@code message-1} and on to a standard queue. For each, an
 * effect of that name must have been made exactly once in the end, by {@link SimulatedTransaction#insert}, {@link
 * DatabaseClient#insert} or {@link OutsideClient#call}, unless the message is a dead letter; no effect of any name may have been
 * made twice. The standing rules ({@link Rule}) hold for the worker itself.
 *
 * <p>The system properties {@code chaos.seeds} and {@code chaos.from} replace the number of seeds and the first one. Immutable:
 * the settings return a new object.
 */
public final class Chaos {

  private static final int MOST_MESSAGES = 1_000;
  private static final int MOST_WORKERS = 50;

  private final Optional<ChaosSetup> setup;
  private final int messages;
  private final int workers;
  private final long from;
  private final int seeds;
  private final Optional<SeedFile> seedFile;
  private final Consumer<String> progress;
  private final boolean properties;

  private Chaos(
      Optional<ChaosSetup> setup, int messages, int workers, long from, int seeds, Optional<SeedFile> seedFile,
      Consumer<String> progress,
      boolean properties) {
    this.setup = setup;
    this.messages = messages;
    this.workers = workers;
    this.from = from;
    this.seeds = seeds;
    this.seedFile = seedFile;
    this.progress = progress;
    this.properties = properties;
  }

  /** Runs of a worker of yours; unless set, 12 messages, 3 workers and 300 seeds from 1 on. */
  public static Chaos of(ChaosSetup setup) {
    Objects.requireNonNull(setup, "Chaos.of(setup): the setup is null");
    return new Chaos(Optional.of(setup), 12, 3, 1, 300, Optional.empty(), line -> {}, true);
  }

  /** Runs of the library's own worker, in which the seed draws queue, gate, numbers and settings too. */
  public static Chaos ofEverything() {
    return new Chaos(Optional.empty(), 12, 3, 1, 300, Optional.empty(), line -> {}, true);
  }

  /** How many messages each run sends, 1 to 1,000; drawn by the seed for {@link #ofEverything()}. */
  public Chaos messages(int count) {
    requireRange("messages", count, MOST_MESSAGES);
    return new Chaos(setup, count, workers, from, seeds, seedFile, progress, properties);
  }

  /** How many workers run at once, 1 to 50; drawn by the seed for {@link #ofEverything()}. */
  public Chaos workers(int count) {
    requireRange("workers", count, MOST_WORKERS);
    return new Chaos(setup, messages, count, from, seeds, seedFile, progress, properties);
  }

  /** How many seeds to run, 1 or more. */
  public Chaos seeds(int count) {
    requireRange("seeds", count, Integer.MAX_VALUE);
    return new Chaos(setup, messages, workers, from, count, seedFile, progress, properties);
  }

  /** The first seed. */
  public Chaos from(long seed) {
    return new Chaos(setup, messages, workers, seed, seeds, seedFile, progress, properties);
  }

  /**
   * Runs the seeds in this file first, one per line, what follows a {@code #} is a remark; a seed that fails joins it. Keep it
   * under version control.
   *
   * @param file such as {@code src/test/resources/chaos-seeds.txt}; made when a seed fails and it is not there
   */
  public Chaos seedFile(Path file) {
    return new Chaos(setup, messages, workers, from, seeds, Optional.of(new SeedFile(file)), progress, properties);
  }

  /** Tells every 20 seconds how far it is. */
  public Chaos progress(Consumer<String> listener) {
    return new Chaos(setup, messages, workers, from, seeds, seedFile, listener, properties);
  }

  /** Runs the seeds that are given here whatever the system properties say. */
  public Chaos ignoringProperties() {
    return new Chaos(setup, messages, workers, from, seeds, seedFile, progress, false);
  }

  /**
   * Runs all seeds, as many at once as there are processors. Blocks.
   *
   * @throws ChaosFailure when one broke a rule; with a short trail
   */
  public ChaosSummary run() {
    long first = properties ? Long.getLong("chaos.from", from) : from;
    int count = properties ? Integer.getInteger("chaos.seeds", seeds) : seeds;
    List<Long> all = new ArrayList<>(seedFile.map(SeedFile::seeds).orElse(List.of()));
    LongStream.range(first, first + count).forEach(all::add);
    try {
      return new SeedRuns(plans(), setup.orElseGet(DrawnSetup::new), progress).run(all);
    } catch (ChaosFailure failure) {
      seedFile.ifPresent(file -> file.add(failure));
      throw failure;
    }
  }

  /** Everything that happens in the run of one seed, line by line: the same each time. Blocks. */
  public String trail(long seed) {
    Verdict verdict = ChaosRun.of(plans().apply(seed), setup.orElseGet(DrawnSetup::new));
    return verdict.plan() + "\n" + verdict.journal().all();
  }

  private LongFunction<ChaosPlan> plans() {
    return setup.isPresent() ? seed -> new PlanDraw(seed).plan(workers, messages) : ChaosPlan::draw;
  }

  private static void requireRange(String what, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(what + " = " + value + ": give 1 to " + most);
    }
  }
}
