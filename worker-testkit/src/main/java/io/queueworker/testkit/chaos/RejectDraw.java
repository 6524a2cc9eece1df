package io.queueworker.testkit.chaos;

import io.queueworker.testkit.simulation.CallKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws handlers that reject, and what goes wrong on the way to the dead-letter queue: one seed in five has some. By draws of
 * its own, so that what else a seed brings about does not depend on it. Not thread-safe.
 */
final class RejectDraw {

  /** The events at which a machine may die or stand still. */
  static final List<String> EVENTS = List.of("Rejected", "RejectFailed");

  private static final int ONE_IN = 5;

  private final SplittableRandom draws;
  private final ChaosSettings settings;
  private final boolean wanted;

  RejectDraw(long seed, ChaosSettings settings) {
    this.draws = new SplittableRandom(new SplittableRandom(seed + ONE_IN).nextLong());
    this.settings = settings;
    this.wanted = Math.floorMod(seed, ONE_IN) == 2 && settings.gate() != GateKind.OWN;
  }

  /** The steps of this seed. */
  List<ChaosStep> steps() {
    List<ChaosStep> all = new ArrayList<>();
    if (!wanted) {
      return all;
    }
    for (int i = draws.nextInt(1, 4); i > 0; i--) {
      all.add(
          new ChaosStep.OnHandler(
              draws.nextInt(settings.bodies()), draws.nextInt(4) == 0 ? 2 : 1, Act.REJECTS, length(3_000)));
    }
    List<Trouble> troubles = StepDraw.troubles(CallKind.SEND);
    for (int i = draws.nextInt(0, 3); i > 0; i--) {
      all.add(
          new ChaosStep.OnQueue(
              CallKind.SEND, draws.nextInt(1, 4), troubles.get(draws.nextInt(troubles.size())), length(60_000)));
    }
    if (draws.nextInt(3) == 0) {
      all.add(
          new ChaosStep.OnEvent(
              EVENTS.get(draws.nextInt(EVENTS.size())), draws.nextInt(1, 3),
              draws.nextBoolean() ? Duration.ZERO : length(60_000).plus(settings.visibility())));
    }
    if (draws.nextInt(3) == 0) {
      List<Trouble> deletes = StepDraw.troubles(CallKind.DELETE);
      all.add(
          new ChaosStep.OnQueue(
              CallKind.DELETE, draws.nextInt(1, 4), deletes.get(draws.nextInt(deletes.size())), length(60_000)));
    }
    return all;
  }

  private Duration length(int most) {
    return Duration.ofMillis(draws.nextInt(1, most));
  }
}
