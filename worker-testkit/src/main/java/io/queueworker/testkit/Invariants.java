package io.queueworker.testkit;

import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.MessageEvent;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules that hold in every run of every worker, whatever happens:
 *
 * <ul>
 *   <li>no extension and no release after a receive's lease was lost or its message settled
 *   <li>no delete before the commit, before a redelivery was recognised, or before the dead-letter queue had the message
 *   <li>every receive ends in exactly one settlement or one loss, at the latest when its worker has closed, unless the close
 *       names it as left; a delete of committed work may follow a loss
 *   <li>in flight is never above the permits, but for what a receive that hung and was replaced still brings; on a queue that
 *       keeps order handlers are not, and what waits in a group comes on top, a receive's worth for each
 *   <li>on a simulated queue: no call that the port forbids, no extension or release of what is not held, and nothing
 *       deleted that the trail does not show as done or rejected, and nothing rejected that the dead-letter queue was not sent
 * </ul>
 *
 * <p>Workers that were killed have not closed, so their receives may stay open. Stateless, so thread-safe.
 */
public final class Invariants {

  private static final int LARGEST_BATCH = 16;

  private Invariants() {}

  /**
   * Fails when a rule is broken; the message lists every breach.
   *
   * @param maxConcurrency the permits of each worker in the trail
   * @param queues the simulated queues that the workers used
   */
  public static void check(Trail trail, int maxConcurrency, SimulatedQueue... queues) {
    List<String> broken = broken(trail, maxConcurrency, queues);
    if (!broken.isEmpty()) {
      throw new AssertionError(
          "broken rules:\n  " + String.join("\n  ", broken) + "\ntrail:\n  " + String.join("\n  ", trail.texts()));
    }
  }

  /** Every breach as a sentence; empty when the rules hold. */
  public static List<String> broken(Trail trail, int maxConcurrency, SimulatedQueue... queues) {
    return broken(trail, maxConcurrency, maxConcurrency, queues);
  }

  /**
   * The same for workers in which messages wait without a permit, as for a place in their group.
   *
   * @param maxInFlight how many messages a worker may hold, those that wait included
   */
  public static List<String> broken(Trail trail, int maxConcurrency, int maxInFlight, SimulatedQueue... queues) {
    List<String> broken = new ArrayList<>();
    checkEvents(trail.entries(), maxConcurrency, maxInFlight, broken);
    for (SimulatedQueue queue : queues) {
      checkQueue(trail, queue, broken);
    }
    return broken;
  }

  private static void checkEvents(
      List<Trail.Entry> entries, int maxConcurrency, int maxInFlight, List<String> broken) {
    Map<String, Map<String, MessageTrack>> workers = new LinkedHashMap<>();
    Map<String, Integer> beyond = new HashMap<>();
    for (Trail.Entry entry : entries) {
      String worker = entry.context().queue() + "/" + entry.context().worker();
      Map<String, MessageTrack> messages = workers.computeIfAbsent(worker, any -> new LinkedHashMap<>());
      if (entry.event() instanceof MessageEvent event) {
        String name = worker + " message " + event.messageId();
        messages.computeIfAbsent(event.messageId(), any -> new MessageTrack(name, broken)).add(event);
      }
      boolean inGroups = entry.context().queue().endsWith(".fifo");
      if (entry.event() instanceof WorkerEvent.Received) {
        int inFlight = messages.values().stream().mapToInt(MessageTrack::inFlight).sum();
        int room = maxInFlight * (inGroups ? LARGEST_BATCH : 1);
        if (inFlight > room + beyond.getOrDefault(worker, 0)) {
          broken.add(worker + ": " + inFlight + " messages in flight with " + maxConcurrency + " permits");
        }
      }
      if (entry.event() instanceof WorkerEvent.HandlerStarted) {
        int running = messages.values().stream().mapToInt(track -> track.running(inGroups)).sum();
        if (running > maxConcurrency) {
          broken.add(worker + ": " + running + " handlers with " + maxConcurrency + " permits");
        }
      }
      if (entry.event() instanceof WorkerEvent.PollReplaced) {
        // The permits of a receive that hangs go to others. What it still brings is given back at once.
        beyond.merge(worker, LARGEST_BATCH, Integer::sum);
      }
      if (entry.event() instanceof WorkerEvent.Closed closed) {
        messages.forEach(
            (id, track) -> {
              // What the close names as left has not ended, and is no secret.
              if (closed.leftOver().stream().noneMatch(left -> left.contains(id))) {
                track.close();
              }
            });
      }
    }
  }

  private static void checkQueue(Trail trail, SimulatedQueue queue, List<String> broken) {
    broken.addAll(queue.violations());
    queue.trespasses().forEach(call -> broken.add("sent for a message that was not held: " + call));
    Set<String> rejected = new HashSet<>();
    for (String id : queue.deleted()) {
      boolean done =
          trail.of(id).stream()
              .anyMatch(event -> event instanceof WorkerEvent.Committed || event instanceof WorkerEvent.Suppressed);
      if (!done && trail.of(id).stream().anyMatch(WorkerEvent.Rejected.class::isInstance)) {
        rejected.add(id);
      } else if (!done) {
        broken.add("message " + id + " was deleted and never committed, suppressed or rejected");
      }
    }
    int taken = queue.deadLetterQueue().map(dead -> dead.entries(CallKind.SEND)).orElse(0);
    if (rejected.size() > taken) {
      broken.add(rejected + " were deleted as rejected, and the dead-letter queue took only " + taken + " messages");
    }
  }
}
