package io.queueworker.testkit.chaos;

import io.queueworker.Failure;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.MessageEvent;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.chaos.StoreException.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What may count as a failure of a message, and so bring it nearer to the dead letters: what a handler, a decoder or a key
 * function threw by plan, and what the effect's store refused. A busy key, a gate that cannot be reached and a commit without an
 * answer are none.
 *
 * @param world the run of one of the library's own worlds
 */
record FailureRules(World world) {

  /** How often a store that breaks is asked again before that counts as a failure. */
  private static final int BREAKS = 2;

  /** Judges. */
  void judge() {
    Map<String, Integer> breaks = new HashMap<>();
    Set<String> unknown = new HashSet<>();
    Set<String> started = new HashSet<>();
    for (Trail.Entry entry : world.trail().entries()) {
      if (!(entry.event() instanceof MessageEvent event)) {
        continue;
      }
      String place = entry.context().worker() + "/" + event.messageId();
      switch (event) {
        case WorkerEvent.HeldBack held when held.reason() == WorkerEvent.HoldReason.GATE_UNAVAILABLE ->
            breaks.merge(place, 1, Integer::sum);
        case WorkerEvent.CommitUnknown commit -> unknown.add(place);
        case WorkerEvent.HandlerStarted run -> {
          started.add(place);
          unknown.remove(place);
        }
        case WorkerEvent.Failed failed when !failed.decision().startsWith("nothing") ->
            judge(
                entry.context().worker(), failed, unknown.contains(place), started.contains(place),
                breaks.getOrDefault(place, 0));
        default -> {
          // Says nothing about failures.
        }
      }
    }
  }

  private void judge(String worker, WorkerEvent.Failed failed, boolean unknown, boolean started, int breaks) {
    boolean database = world.plan().settings().gate() == GateKind.DATABASE;
    boolean lost = failed.cause() instanceof StoreException store && store.kind() == Kind.LOST;
    if (unknown && failed.stage() == Failure.Stage.COMMIT) {
      broken(worker, failed, "its commit is unknown");
    } else if (!started && failed.stage() == Failure.Stage.HANDLE) {
      broken(worker, failed, "no handler ran");
    } else if (lost && database && breaks < BREAKS) {
      broken(worker, failed, "its gate broke for the first time");
    }
  }

  private void broken(String worker, WorkerEvent.Failed failed, String why) {
    world.broken(
        Rule.NO_LOSS,
        worker + " counts as a failure what is none, " + why + ": " + failed);
  }
}
