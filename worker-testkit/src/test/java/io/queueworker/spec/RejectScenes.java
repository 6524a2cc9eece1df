package io.queueworker.spec;

import io.queueworker.FailurePolicy;
import io.queueworker.QueueWorker;
import io.queueworker.RejectException;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.DeleteFailed;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.LeftForRedrive;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.observe.WorkerEvent.RejectFailed;
import io.queueworker.observe.WorkerEvent.Rejected;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedMachine;
import io.queueworker.testkit.simulation.SimulatedQueue;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;

/**
 * Scenes around a reject, each with what came of it in words, so that they can be played with a worker that misses a guard too.
 * Not thread-safe.
 */
final class RejectScenes implements BiFunction<String, Long, String> {

  private static final Duration LONG = Duration.ofHours(1);

  /** Plays the scene of this name with a seed. */
  @Override
  public String apply(String scene, Long seed) {
    AtomicReference<String> came = new AtomicReference<>("");
    Rig.run(seed, rig -> {
      SimulatedQueue dead = rig.queue.deadLetterQueue().orElseThrow();
      came.set(switch (scene) {
        case "the dead-letter queue is away" -> away(rig, dead);
        case "lost before the send" -> lostBeforeTheSend(rig, dead);
        case "lost during the send" -> lostDuringTheSend(rig, dead);
        case "lost before the delete" -> lostBeforeTheDelete(rig, dead);
        case "nine attributes" -> nineAttributes(rig);
        case "denied" -> denied(rig, dead);
        case "a duplicate waits" -> duplicate(rig);
        default -> throw new IllegalArgumentException(scene);
      });
    });
    return came.get();
  }

  private static WorkerBuilder<String> worker(Rig rig) {
    return rig.worker().handler(
        delivery -> {
          throw new RejectException("poison");
        });
  }

  /** A worker on a machine that can be frozen while the simulation goes on. */
  private static QueueWorker start(Rig rig, SimulatedMachine machine) {
    return QueueWorker.of(rig.queue.connect(machine)).workerId("worker-1").inlineListener(rig.trail).timing(machine)
        .handler(
            delivery -> {
              throw new RejectException("poison");
            })
        .start();
  }

  private static String came(Rig rig) {
    rig.checkRules();
    return "dead letters " + rig.queue.deadLetters().size() + ", deleted " + rig.queue.deleted().size();
  }

  private static String away(Rig rig, SimulatedQueue dead) {
    dead.onCall(CallKind.SEND, call -> Fault.loseRequest());
    rig.queue.send("poison");
    QueueWorker worker = worker(rig).start();
    rig.timing.await("a send failed", () -> dead.calls(CallKind.SEND).size() >= 1, LONG);
    rig.timing.advance(Duration.ofSeconds(5));
    worker.close();
    return "dead letters " + rig.queue.deadLetters().size() + ", deleted " + rig.queue.deleted().size();
  }

  private static String lostBeforeTheSend(Rig rig, SimulatedQueue dead) {
    SimulatedMachine machine = rig.timing.machine("worker", Duration.ZERO);
    QueueWorker worker = start(rig, machine);
    // The first reject looks for the dead-letter queue.
    rig.queue.nextCall(CallKind.ATTRIBUTES, Fault.freezeBeforeSend(Duration.ofMinutes(1)));
    dead.onCall(CallKind.SEND, call -> Fault.none());
    rig.queue.send("poison");
    rig.awaitCount(Received.class, 1);
    worker.pause();
    rig.awaitCount(LeaseLost.class, 1);
    rig.timing.advance(Duration.ofSeconds(1));
    int sent = dead.calls(CallKind.SEND).size();
    worker.close();
    return "sent " + sent;
  }

  private static String lostDuringTheSend(Rig rig, SimulatedQueue dead) {
    SimulatedMachine machine = rig.timing.machine("worker", Duration.ZERO);
    QueueWorker worker = start(rig, machine);
    dead.nextCall(CallKind.SEND, Fault.freezeBeforeSend(Duration.ofMinutes(1)));
    rig.queue.send("poison");
    rig.awaitCount(Received.class, 1);
    worker.pause();
    rig.timing.await("the late send came", () -> rig.queue.deadLetters().size() == 1, LONG);
    rig.awaitCount(LeaseLost.class, 1);
    rig.timing.advance(Duration.ofSeconds(1));
    int deletes = rig.queue.calls(CallKind.DELETE).size();
    worker.close();
    return "deletes " + deletes;
  }

  private static String lostBeforeTheDelete(Rig rig, SimulatedQueue dead) {
    SimulatedMachine machine = rig.timing.machine("worker", Duration.ZERO);
    QueueWorker worker = start(rig, machine);
    rig.queue.nextCall(CallKind.DELETE, Fault.unavailable());
    rig.queue.send("poison");
    rig.awaitCount(DeleteFailed.class, 1);
    worker.pause();
    machine.freeze(Duration.ofMinutes(1));
    rig.timing.await("the machine is back", () -> rig.trail.count(LeaseLost.class) == 1, LONG);
    rig.timing.advance(Duration.ofSeconds(1));
    int deletes = rig.queue.calls(CallKind.DELETE).size();
    worker.close();
    return "deletes " + deletes + ", dead letters " + dead.entries(CallKind.SEND);
  }

  private static String nineAttributes(Rig rig) {
    Map<String, String> nine = new HashMap<>();
    for (int i = 0; i < 9; i++) {
      nine.put("a" + i, "v" + i);
    }
    rig.queue.send("poison", nine);
    QueueWorker worker = worker(rig).start();
    rig.timing.await(
        "rejected or not", () -> rig.trail.count(Rejected.class) + rig.trail.count(RejectFailed.class) > 0, LONG);
    rig.timing.advance(Duration.ofSeconds(1));
    worker.close();
    return came(rig);
  }

  private static String denied(Rig rig, SimulatedQueue dead) {
    dead.onCall(CallKind.SEND, call -> Fault.accessDenied(CallKind.SEND));
    rig.queue.send("poison");
    QueueWorker worker = worker(rig).start();
    rig.awaitCount(RejectFailed.class, 1);
    rig.timing.advance(Duration.ofMinutes(5));
    int inFlight = worker.health().inFlight();
    worker.close();
    return "left " + (rig.trail.count(LeftForRedrive.class) > 3) + ", in flight " + inFlight;
  }

  private static String duplicate(Rig rig) {
    rig.queue.settings().duplicates(1);
    rig.queue.send("poison");
    QueueWorker worker =
        rig.worker().failurePolicy(FailurePolicy.alwaysReject()).handler(
            delivery -> {
              while (rig.trail.count(Received.class) < 2) {
                rig.timing.sleep(Duration.ofMillis(100));
              }
              rig.timing.sleep(Duration.ofSeconds(1));
              throw new IllegalStateException("poison");
            }).start();
    rig.awaitCount(Received.class, 2);
    rig.queue.settings().duplicates(0);
    rig.awaitCount(HandlerStarted.class, 2);
    rig.awaitEmpty();
    rig.timing.advance(Duration.ofMinutes(2));
    worker.close();
    return "dead letters " + rig.queue.deadLetters().size();
  }
}
