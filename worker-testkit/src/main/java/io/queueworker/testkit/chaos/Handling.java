package io.queueworker.testkit.chaos;

import io.queueworker.Delivery;
import io.queueworker.FailureAction;
import io.queueworker.FailurePolicy;
import io.queueworker.RejectException;
import io.queueworker.testkit.simulation.SimulatedMachine;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * How handlers behave in a run: what the plan says, or a moment's work that goes well.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time.
 */
final class Handling {

  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final World world;
  private final Map<String, Integer> runs = new HashMap<>();
  private final Map<String, Integer> decodes = new HashMap<>();
  private final Map<String, Integer> keys = new HashMap<>();
  private final Map<String, Integer> now = new HashMap<>();
  private final Map<String, Duration> begun = new HashMap<>();
  private final Map<String, Duration> active = new HashMap<>();
  private final Set<String> completed = new HashSet<>();
  private final Set<String> givenUp = new HashSet<>();
  private int policyFailures;

  Handling(World world) {
    this.world = world;
  }

  /** What a handler's effect may throw. */
  @FunctionalInterface
  interface EffectStep {
    void make() throws Exception;
  }

  /** Works on a message; makes the effect before or after as the settings say. */
  void work(ChaosWorld at, Delivery<?> delivery, EffectStep effect) throws Exception {
    String id = delivery.id();
    String place = at.machine().name() + " " + id;
    if (now.merge(place, 1, Integer::sum) > 1) {
      world.broken(Rule.ONE_HANDLER, "two handlers of " + id + " run at once in " + at.workerName());
    }
    if (completed.contains(place)) {
      world.broken(Rule.ONE_HANDLER, at.workerName() + " handles " + id + " again, which it told of as committed");
    }
    String hold = hold(at.machine(), delivery);
    begun.put(hold, world.timing().elapsed());
    active.put(hold, world.timing().elapsed());
    try {
      int run = runs.merge(id, 1, Integer::sum);
      ChaosStep.@Nullable OnHandler step = step(id, run, false);
      if (step != null) {
        world.fired(step, at.workerName());
      }
      if (world.plan().settings().effectFirst()) {
        make(step, effect);
        take(at.machine(), delivery, step, run);
      } else {
        take(at.machine(), delivery, step, run);
        make(step, effect);
      }
    } finally {
      now.merge(place, -1, Integer::sum);
      begun.remove(hold);
      active.remove(hold);
    }
  }

  private static String hold(SimulatedMachine machine, Delivery<?> delivery) {
    return machine.name() + " " + delivery.id() + "/" + delivery.receiveCount();
  }

  /** A worker told of a message as committed, or as recognised. */
  void completed(String machine, String messageId) {
    completed.add(machine + " " + messageId);
  }

  /**
   * Why this message must not be extended any more while its handler runs: it runs for too long, or tells of no progress. Only
   * asked where no machine stands still.
   */
  Optional<String> whyNotExtend(String machine, String messageId, int receive) {
    ChaosSettings settings = world.plan().settings();
    String place = machine + " " + messageId + "/" + receive;
    Duration time = world.timing().elapsed().minus(GRACE);
    Duration from = begun.get(place);
    if (from != null && time.minus(from).compareTo(settings.maxProcessing()) > 0) {
      return Optional.of("its handler runs for longer than " + Text.of(settings.maxProcessing()));
    }
    Duration last = active.get(place);
    return settings.stall().filter(stall -> last != null && time.minus(last).compareTo(stall) > 0)
        .map(stall -> "its handler has told of no progress for longer than " + Text.of(stall));
  }

  /** Whether a handler of this message runs in that machine's process now. */
  boolean isRunning(String machine, String messageId) {
    return now.getOrDefault(machine + " " + messageId, 0) > 0;
  }

  private static void make(ChaosStep.@Nullable OnHandler step, EffectStep effect) throws Exception {
    try {
      effect.make();
    } catch (RuntimeException e) {
      if (step == null || step.act() != Act.SWALLOWS) {
        throw e;
      }
    }
  }

  private void take(SimulatedMachine machine, Delivery<?> delivery, ChaosStep.@Nullable OnHandler step, int run)
      throws Exception {
    Duration usual = usual(delivery.id(), run);
    if (step == null) {
      sleep(machine, delivery, usual, true);
      return;
    }
    switch (step.act()) {
      case TAKES -> sleep(machine, delivery, step.length(), true);
      case FAILS, POLICY_FAILS -> {
        sleep(machine, delivery, step.length(), true);
        policyFailures += step.act() == Act.POLICY_FAILS ? 1 : 0;
        throw new IllegalStateException("not today");
      }
      case REJECTS -> {
        sleep(machine, delivery, step.length(), true);
        throw new RejectException("never");
      }
      case FAILS_WITH_ERROR -> {
        sleep(machine, delivery, step.length(), true);
        throw new NoClassDefFoundError("com/example/Gone");
      }
      case HANGS -> sleep(machine, delivery, HOUR, true);
      case DEAF -> deaf(step.length());
      case STALLS -> sleep(machine, delivery, step.length(), false);
      case WISHES -> {
        delivery.extendTo(step.length());
        active.put(hold(machine, delivery), world.timing().elapsed());
        sleep(machine, delivery, usual, true);
      }
      case GIVEN_UP -> {
        givenUp.add(delivery.id());
        try {
          sleep(machine, delivery, step.length(), true);
        } finally {
          givenUp.remove(delivery.id());
        }
      }
      default -> sleep(machine, delivery, usual, true);
    }
  }

  /** Waits and tells of its progress, or not. */
  private void sleep(SimulatedMachine machine, Delivery<?> delivery, Duration length, boolean progress)
      throws InterruptedException {
    Duration pause =
        progress ? world.plan().settings().stall().map(stall -> stall.dividedBy(3)).orElse(HOUR) : HOUR;
    long end = machine.nanoTime() + length.toNanos();
    for (long left = length.toNanos(); left > 0; left = end - machine.nanoTime()) {
      world.timing().sleep(Duration.ofNanos(Math.min(left, pause.toNanos())));
      if (progress) {
        delivery.progress();
        active.put(hold(machine, delivery), world.timing().elapsed());
      }
    }
  }

  private void deaf(Duration length) {
    Duration end = world.timing().elapsed().plus(length);
    boolean interrupted = false;
    while (world.timing().elapsed().compareTo(end) < 0) {
      try {
        world.timing().sleep(end.minus(world.timing().elapsed()));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration usual(String id, int run) {
    ChaosSettings settings = world.plan().settings();
    long least = settings.shortest().toMillis();
    long most = settings.longest().toMillis();
    long seed = world.plan().seed() * 31 + id.hashCode() * 1_000_003L + run;
    return Duration.ofMillis(least + (long) (new SplittableRandom(seed).nextDouble() * (most - least)));
  }

  private ChaosStep.@Nullable OnHandler step(String id, int run, boolean before) {
    for (ChaosStep step : world.plan().steps()) {
      if (step instanceof ChaosStep.OnHandler one
          && one.run() == run
          && isBefore(one.act()) == before
          && id.equals(world.fleet().messageId(one.message()))) {
        return one;
      }
    }
    return null;
  }

  private static boolean isBefore(Act act) {
    return act == Act.DECODE_FAILS || act == Act.KEY_FAILS;
  }

  /** Decodes a body, or fails as planned. */
  String decode(ChaosWorld at, String body) {
    failBefore(at, body, decodes, Act.DECODE_FAILS);
    return body;
  }

  /** Names a message's effect, or fails as planned. */
  String key(ChaosWorld at, String body) {
    failBefore(at, body, keys, Act.KEY_FAILS);
    return body;
  }

  private void failBefore(ChaosWorld at, String body, Map<String, Integer> counts, Act act) {
    int nth = counts.merge(body, 1, Integer::sum);
    for (ChaosStep step : world.plan().steps()) {
      if (step instanceof ChaosStep.OnHandler one
          && one.act() == act
          && one.run() == nth
          && body.equals("message-" + one.message())) {
        world.fired(one, at.workerName());
        throw new IllegalArgumentException("not this time");
      }
    }
  }

  /** The user's condition for keeping a message. */
  boolean isWanted(Delivery<?> delivery) {
    return !givenUp.contains(delivery.id());
  }

  /** Decides about failures as the settings say; throws where a handler's run said so. */
  FailurePolicy policy() {
    Duration first = world.plan().settings().retryFirst();
    FailurePolicy usual =
        first.isNegative()
            ? failure -> FailureAction.leaveForRedrive()
            : first.isZero()
                ? failure -> FailureAction.retryAfter(Duration.ZERO)
                : FailurePolicy.exponential(first, first.multipliedBy(8));
    return failure -> {
      if (policyFailures > 0) {
        policyFailures--;
        throw new IllegalStateException("no policy today");
      }
      return usual.decide(failure);
    };
  }
}
