package io.queueworker.testkit.chaos;

import io.queueworker.QueueWorker;
import io.queueworker.gate.GateKey;
import io.queueworker.testkit.chaos.ChaosStep.Jolt;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.timing.Timing.ThreadKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings the disturbances about that have a time. Not thread-safe: simulated threads run one at a time.
 *
 * <p>A wall clock that is set back while its machine sleeps hides that it slept, from every program. No library can notice,
 * so these two are kept a second apart.
 */
final class Disturber {

  private static final Duration APART = Duration.ofSeconds(1);
  private static final double OFTEN = 0.25;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final World world;
  private final Map<Fleet.Member, Duration> leapt = new HashMap<>();
  private final Map<Fleet.Member, Duration> slept = new HashMap<>();

  Disturber(World world) {
    this.world = world;
  }

  /** Sets every timed disturbance up; tells when the last one is over. */
  Duration arm() {
    Duration last = Duration.ZERO;
    for (ChaosStep step : world.plan().steps()) {
      if (step instanceof ChaosStep.OnWorker one) {
        world.timing().after(one.at(), () -> strike(one));
        last = later(last, one.at().plus(one.length().abs()));
      } else if (step instanceof ChaosStep.OnWorld one) {
        world.timing().after(one.at(), () -> strike(one));
        last = later(last, one.at().plus(one.length()).plus(MINUTE));
      }
    }
    return last;
  }

  private static Duration later(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  private void strike(ChaosStep.OnWorker step) {
    Fleet.Member member = world.fleet().at(step.worker());
    if (member.isGone() || world.timing().isOver()) {
      return;
    }
    Duration now = world.timing().elapsed();
    if (wouldHide(step.jolt(), member, now)) {
      world.timing().after(APART, () -> strike(step));
      return;
    }
    world.fired(step, member.name());
    switch (step.jolt()) {
      case FREEZE -> member.machine().freeze(step.length());
      case SUSPEND -> {
        slept.merge(member, now.plus(step.length()), Disturber::later);
        member.machine().suspend(step.length());
      }
      case LEAP -> {
        leapt.put(member, now);
        member.machine().leapWallClock(step.length());
      }
      case KILL -> member.machine().kill();
      case CLOSE -> world.fleet().close(member, step.length());
      case PAUSE -> pause(member, step.length());
    }
  }

  /** Whether the machine has not had the time to notice what this jolt would hide. */
  private boolean wouldHide(Jolt jolt, Fleet.Member member, Duration now) {
    return switch (jolt) {
      case LEAP -> isRecent(slept.get(member), member, now);
      case SUSPEND -> isRecent(leapt.get(member), member, now);
      case FREEZE, KILL, CLOSE, PAUSE -> false;
    };
  }

  private static boolean isRecent(@Nullable Duration end, Fleet.Member member, Duration now) {
    return end != null && (member.machine().isHalted() || end.plus(APART).compareTo(now) > 0);
  }

  /** On one thread of its machine, so that a standstill does not turn both round. */
  private void pause(Fleet.Member member, Duration length) {
    member.machine().start(
        ThreadKind.PLATFORM,
        member.name() + "-pauser",
        () -> {
          QueueWorker worker = member.worker();
          if (worker != null) {
            worker.pause();
            world.timing().advance(length);
            worker.resume();
          }
        });
  }

  private void sloppy(double share) {
    for (SimulatedQueue queue : world.queues()) {
      queue.settings().duplicates(share).partialReceives(share).redeliveriesAfterDelete(share);
    }
  }

  private void strike(ChaosStep.OnWorld step) {
    if (world.timing().isOver()) {
      return;
    }
    world.fired(step, "world");
    Duration length = step.length();
    switch (step.upset()) {
      case DATABASE_DOWN -> world.database().down(length);
      case DATABASE_SLOW -> {
        world.slow(length);
        world.timing().after(MINUTE, () -> world.slow(Duration.ZERO));
      }
      case CONNECTIONS_CUT -> world.database().cut();
      case ROW_LOCKED -> world.database().lock(
          new GateKey(
              world.queues().get(0).name(), "message-" + step.message() % world.plan().settings().bodies()),
          length);
      case RECEIVE_DENIED -> world.troubles().deny(CallKind.RECEIVE, length);
      case EXTEND_DENIED -> world.troubles().deny(CallKind.EXTEND, length);
      case DELETE_DENIED -> world.troubles().deny(CallKind.DELETE, length);
      case QUEUE_SLOPPY -> {
        sloppy(OFTEN);
        world.timing().after(length, () -> sloppy(0));
      }
      case STORE_LEAP -> world.storeClock().leap(length);
      case VISIBILITY_SET -> world.queues().forEach(queue -> queue.visibility(length));
    }
  }
}
