package io.queueworker.testkit.chaos;

import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import io.queueworker.testkit.simulation.SimulationFailure;
import io.queueworker.testkit.simulation.SimulationLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of one plan: workers start, messages come, things go wrong, everything gets handled, the workers close, and the rules
 * are judged. Single-threaded in effect; the same plan gives the same run.
 */
final class ChaosRun {

  private static final Duration LOOK = Duration.ofMillis(500);

  /** By when, after the last disturbance that has a time, everything must be handled. */
  private static final Duration PROGRESS = Duration.ofHours(2);

  private static final SimulationLimits LIMITS =
      SimulationLimits.defaults().withSteps(3_000_000).withVirtualTime(Duration.ofDays(1));

  private final ChaosPlan plan;
  private final ChaosSetup setup;
  private final Tally tally = new Tally();
  private final Journal journal = new Journal();
  private final List<Breach> breaches = new ArrayList<>();

  private ChaosRun(ChaosPlan plan, ChaosSetup setup) {
    this.plan = plan;
    this.setup = setup;
  }

  /** Runs a plan. Blocks in real time. */
  static Verdict of(ChaosPlan plan, ChaosSetup setup) {
    return new ChaosRun(plan, setup).run();
  }

  private Verdict run() {
    try {
      SimulatedTiming.run(plan.seed(), LIMITS, this::body);
    } catch (SimulationFailure failure) {
      breaches.add(new Breach(Rule.PROGRESS, "the run did not end well: " + failure.getMessage() + cause(failure)));
    }
    return new Verdict(plan, List.copyOf(breaches), tally, journal);
  }

  private static String cause(SimulationFailure failure) {
    @Nullable Throwable cause = failure.getCause();
    return cause == null || cause.getStackTrace().length == 0 ? "" : " at " + cause.getStackTrace()[0];
  }

  private void body(SimulatedTiming timing) {
    World world = new World(timing, plan, setup, tally, journal, breaches);
    world.fleet().start();
    world.fleet().send();
    Duration calmFrom = new Disturber(world).arm();
    Duration last = calmFrom.plus(PROGRESS);
    while (timing.elapsed().compareTo(calmFrom) < 0 || !world.queues().stream().allMatch(SimulatedQueue::isEmpty)) {
      if (timing.elapsed().compareTo(last) > 0) {
        world.broken(
            Rule.PROGRESS,
            "not handled " + Text.of(PROGRESS) + " after the last disturbance: "
                + world.queues().stream().flatMap(q -> q.visible().stream()).map(m -> m.id()).toList() + " visible, "
                + world.queues().stream().flatMap(q -> q.inFlight().stream()).map(m -> m.id()).toList()
                + " in flight");
        return;
      }
      timing.advance(LOOK);
    }
    world.fleet().end();
    new EndRules(world).judge();
  }
}
