package io.queueworker.examples.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Which harms a run does, in which order, at which moments. */
final class HarmPlan {

  /** Weights are repetitions: the moments around the commit count most. */
  private static final List<Step> KILL_AIMS =
      List.of(
          Step.COMMITTED, Step.COMMITTED, Step.COMMITTED, Step.RETURNED, Step.RETURNED, Step.WROTE, Step.STARTED,
          Step.RECEIVED, Step.EXTENDING, Step.SUPPRESSED);

  private static final List<Step> FREEZE_AIMS =
      List.of(Step.COMMITTED, Step.RETURNED, Step.WROTE, Step.RECEIVED, Step.EXTENDING, Step.EXTENDING);

  private HarmPlan() {}

  /** The harms for so many kills and freezes: one freeze in five is fatal and is one of the kills too. */
  static List<Harm> of(int kills, int freezes, long seed) {
    Random random = new Random(seed);
    List<Harm> plan = new ArrayList<>();
    int fatal = Math.min(kills, freezes / 5);
    for (int i = 0; i < freezes; i++) {
      plan.add(
          new Harm.Freezing(pause(random), aim(random, FREEZE_AIMS), lengthMillis(random), i < fatal));
    }
    for (int i = fatal; i < kills; i++) {
      plan.add(new Harm.Killing(pause(random), aim(random, KILL_AIMS)));
    }
    Collections.shuffle(plan, random);
    return plan;
  }

  private static long pause(Random random) {
    return random.nextLong(100, 1_500);
  }

  /** From a quarter beyond the visibility timeout to twice as long, so that each lease of the victim runs out. */
  private static long lengthMillis(Random random) {
    long visibility = ChaosOptions.VISIBILITY.toMillis();
    return random.nextLong(visibility * 5 / 4, visibility * 2);
  }

  private static Optional<Step> aim(Random random, List<Step> aims) {
    return random.nextInt(5) < 3 ? Optional.of(aims.get(random.nextInt(aims.size()))) : Optional.empty();
  }
}
