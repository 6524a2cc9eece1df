package io.queueworker.testkit.chaos;

import io.queueworker.LossReason;
import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerListener;
import io.queueworker.testkit.simulation.SimulatedMachine;
import java.util.ArrayList;
import java.util.List;

/**
 * Hears everything that happens in one worker: writes it down, counts which branches are taken, and lets the machine die or
 * stand still at the very event that the plan names. Not thread-safe: simulated threads run one at a time.
 */
final class Ear implements WorkerListener {

  private final World world;
  private final String worker;
  private final SimulatedMachine machine;
  private List<String> leftOver = new ArrayList<>();

  Ear(World world, String worker, SimulatedMachine machine) {
    this.world = world;
    this.worker = worker;
    this.machine = machine;
  }

  /** What the close named as left. */
  List<String> leftOver() {
    return leftOver;
  }

  @Override
  public void onEvent(EventContext context, WorkerEvent event) {
    if (world.timing().isOver()) {
      return;
    }
    String name = event.getClass().getSimpleName();
    world.journal().add(world.timing().elapsed(), worker, event);
    world.tally().took("event " + name + detail(event));
    if (event instanceof WorkerEvent.Closed closed) {
      leftOver = List.copyOf(closed.leftOver());
    }
    if (event instanceof WorkerEvent.Committed done) {
      world.handling().completed(machine.name(), done.messageId());
    }
    if (event instanceof WorkerEvent.Suppressed done) {
      world.handling().completed(machine.name(), done.messageId());
    }
    if (event instanceof WorkerEvent.InternalError error) {
      world.broken(Rule.TRAIL, worker + " reported an error of its own: " + error);
    }
    int nth = world.fleet().heard(name);
    for (ChaosStep step : world.plan().steps()) {
      if (step instanceof ChaosStep.OnEvent one && one.event().equals(name) && one.nth() == nth) {
        world.fired(one, worker);
        strike(one);
      }
    }
  }

  private void strike(ChaosStep.OnEvent step) {
    if (step.length().isZero()) {
      machine.kill();
    } else {
      machine.freeze(step.length());
    }
  }

  private static String detail(WorkerEvent event) {
    return switch (event) {
      case WorkerEvent.LeaseLost lost -> " " + reason(lost.reason());
      case WorkerEvent.NotStarted not -> " " + reason(not.reason());
      case WorkerEvent.Interrupted told -> " " + reason(told.reason());
      case WorkerEvent.HeldBack held -> " " + held.reason();
      case WorkerEvent.Failed failed -> " " + failed.stage();
      case WorkerEvent.DeleteFailed failed -> failed.retryIn().isEmpty() ? " for good" : "";
      case WorkerEvent.ExtendSent sent -> sent.urgent() ? " urgent" : "";
      case WorkerEvent.ReceiveFailed failed -> " " + failed.kind();
      case WorkerEvent.Paused paused -> " " + paused.reason();
      case WorkerEvent.ClockGap gap -> gap.why().contains("wall") ? " leap" : " standstill";
      default -> "";
    };
  }

  private static String reason(LossReason reason) {
    return reason.name();
  }
}
