package io.queueworker.testkit.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/** Draws the plan of a seed. Not thread-safe. */
final class PlanDraw {

  /** One plan in so many has no disturbances. */
  private static final int CALM = 12;

  /** One plan in so many has only what must cost no lease. */
  private static final int HARMLESS = 12;

  private final long seed;
  private final SplittableRandom draws;

  PlanDraw(long seed) {
    this.seed = seed;
    // Mixed, so that neighbours have nothing in common, nor plan and simulation.
    this.draws = new SplittableRandom(~new SplittableRandom(seed).nextLong());
  }

  /** The plan with everything drawn. */
  ChaosPlan plan() {
    boolean calm = draws.nextInt(CALM) == 0;
    QueueKind queue =
        pick(QueueKind.STANDARD, QueueKind.STANDARD, QueueKind.STANDARD, QueueKind.SMQ_LIKE, QueueKind.FIFO);
    GateKind gate =
        pick(
            GateKind.DATABASE, GateKind.DATABASE, GateKind.DATABASE, GateKind.LEASED_WITH_KEYS, GateKind.LEASED_ONCE,
            GateKind.LEASED_PLAIN, GateKind.NONE);
    int queues = draws.nextInt(4) == 0 ? 2 : 1;
    ChaosSettings settings = settings(queue, gate, queues, draws.nextInt(queues, 5), draws.nextInt(3, 11));
    return new ChaosPlan(seed, settings,
        calm ? List.of() : draws.nextInt(HARMLESS) == 0 ? new StepDraw(draws, settings).harmless() : steps(settings));
  }

  /** The plan for a user's own setup. */
  ChaosPlan plan(int workers, int messages) {
    boolean calm = draws.nextInt(CALM) == 0;
    ChaosSettings settings = settings(QueueKind.STANDARD, GateKind.OWN, 1, workers, messages);
    return new ChaosPlan(seed, settings, calm ? List.of() : steps(settings));
  }

  private List<ChaosStep> steps(ChaosSettings settings) {
    int most = pick(2, 4, 8, 16);
    List<ChaosStep> steps = new ArrayList<>();
    StepDraw step = new StepDraw(draws, settings);
    for (int i = draws.nextInt(1, most + 1); i > 0; i--) {
      steps.addAll(step.next());
    }
    steps.addAll(new RejectDraw(seed, settings).steps());
    return steps;
  }

  private ChaosSettings settings(QueueKind queue, GateKind gate, int queues, int workers, int bodies) {
    Duration visibility = seconds(pick(2, 3, 5, 10, 20, 30));
    Duration maxProcessing = seconds(pick(20, 60, 600));
    Duration hold =
        pick(maxProcessing.multipliedBy(6).dividedBy(5), maxProcessing.multipliedBy(3), Duration.ofHours(11));
    Duration maxHold = hold.compareTo(visibility.multipliedBy(2)) < 0 ? visibility.multipliedBy(2) : hold;
    Duration pollWait = seconds(pick(1, 1, 2, 5, 20));
    Duration longest =
        least(
            pick(Duration.ofMillis(200), seconds(2), visibility.multipliedBy(3).dividedBy(2),
                visibility.multipliedBy(4)),
            maxProcessing.dividedBy(3));
    Optional<Duration> stall =
        draws.nextInt(3) == 0 ? Optional.of(seconds(draws.nextInt(3, 15))) : Optional.empty();
    List<Duration> offsets = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      offsets.add(seconds(draws.nextInt(-600, 601)));
    }
    return new ChaosSettings(
        queue,
        queues,
        gate,
        workers,
        bodies,
        draws.nextInt(3) == 0 ? draws.nextInt(1, bodies + 1) : 0,
        draws.nextInt(1, 7),
        visibility,
        queue == QueueKind.STANDARD && draws.nextInt(3) == 0,
        pollWait,
        gate == GateKind.LEASED_ONCE || draws.nextBoolean()
            ? OptionalInt.of(draws.nextInt(3, 15))
            : OptionalInt.empty(),
        draws.nextBoolean(),
        maxProcessing,
        stall,
        maxHold,
        Duration.ofMillis(pick(500, 3_000, 3_000)),
        Duration.ofMillis(pick(0, 100, 1_000)),
        pollWait.plus(seconds(draws.nextInt(3, 30))),
        pick(seconds(-1), Duration.ZERO, Duration.ofMillis(500), seconds(2)),
        Duration.ofMillis(least(draws.nextInt(1, 200), (int) longest.toMillis())),
        longest,
        draws.nextBoolean(),
        Duration.ofMillis(draws.nextInt(300, 3_000)),
        longest.plus(seconds(draws.nextInt(5, 40))),
        seconds(draws.nextInt(0, 20)),
        offsets);
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }

  private static Duration least(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private static int least(int a, int b) {
    return Math.min(a, b);
  }

  @SafeVarargs
  private <V> V pick(V... values) {
    return values[draws.nextInt(values.length)];
  }
}
