package io.queueworker.testkit.chaos;

import io.queueworker.observe.WorkerEvent;
import io.queueworker.queue.RejectAttributes;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedCall;
import io.queueworker.testkit.simulation.SimulatedMessage;
import io.queueworker.testkit.simulation.SimulatedQueue;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules that are judged when a run is over. Which promise holds in which world:
 *
 * <pre>
 *                    effects of a key        a message that is not a dead letter
 * DATABASE           1 at most               exactly 1
 * LEASED_WITH_KEYS   1 at most               exactly 1
 * LEASED_ONCE        1 at most               exactly 1 (what is uncertain becomes a dead letter)
 * LEASED_PLAIN       any number              1 or more
 * NONE               any number              1 or more
 * </pre>
 *
 * <p>All other rules hold in every world, on every kind of queue.
 *
 * @param world the run
 */
record EndRules(World world) {

  private static final Duration ROUNDING = Duration.ofSeconds(1);
  private static final Duration LARGEST_MARGIN = Duration.ofSeconds(2);

  /** Judges. */
  void judge() {
    standing();
    for (SimulatedQueue queue : world.queues()) {
      effects(queue);
      visibilities(queue);
    }
    new OrderRules(world).judge();
    if (world.plan().settings().gate() != GateKind.OWN) {
      new FailureRules(world).judge();
    }
    if (new Harmless(world.plan()).isHarmless()) {
      onceEach();
    }
    if (world.plan().isCalm()) {
      calm();
    }
  }

  private void standing() {
    List<String> broken =
        Invariants.broken(
            world.trail(),
            world.plan().settings().concurrency(),
            world.plan().settings().concurrency() * (world.plan().hasGroupPlaces() ? 2 : 1),
            world.queues().toArray(SimulatedQueue[]::new));
    for (String how : broken) {
      world.broken(ruleOf(how), how);
    }
  }

  private static Rule ruleOf(String how) {
    if (how.contains("not held")) {
      return Rule.NO_TRESPASS;
    }
    if (how.contains("permits")) {
      return Rule.NO_HOARDING;
    }
    return how.contains("never committed") || how.contains("before its commit") || how.contains("as rejected")
        ? Rule.NO_LOSS
        : Rule.TRAIL;
  }

  private void effects(SimulatedQueue queue) {
    List<Effect> all =
        Stream.concat(world.database().effects().stream(), world.outside().effects().stream())
            .filter(effect -> effect.queue().equals(queue.name()))
            .toList();
    Map<String, Long> counts = all.stream().collect(Collectors.groupingBy(Effect::name, Collectors.counting()));
    if (world.plan().settings().gate().oneEffect()) {
      counts.forEach(
          (name, count) -> {
            if (count > 1) {
              world.broken(
                  Rule.ONE_EFFECT,
                  name + " of " + queue.name() + ", " + world.fleet().ids(queue, name) + ", has " + count + " effects: "
                      + all.stream().filter(effect -> effect.name().equals(name)).toList());
            }
          });
    }
    Set<String> handled = handledBodies(queue);
    for (int i = 0; i < world.plan().settings().bodies(); i++) {
      String body = "message-" + i;
      if (handled.contains(body) && !counts.containsKey(body)) {
        world.broken(Rule.NO_LOSS, body + " of " + queue.name() + ", " + world.fleet().ids(queue, body)
            + ", is no dead letter and has no effect");
      }
    }
  }

  /** The bodies of which not every copy is a dead letter. */
  private Set<String> handledBodies(SimulatedQueue queue) {
    ChaosSettings settings = world.plan().settings();
    Map<String, Integer> left = new HashMap<>();
    for (int i = 0; i < settings.bodies(); i++) {
      String body = "message-" + i;
      left.put(body, world.fleet().ids(queue, body).size());
    }
    Set<String> dead = new HashSet<>();
    for (SimulatedMessage letter : queue.deadLetters()) {
      // One that was rejected has another id there, and may be there twice when an answer was lost.
      if (dead.add(letter.attributes().getOrDefault(RejectAttributes.ORIGINAL_MESSAGE_ID, letter.id()))) {
        left.merge(letter.body(), -1, Integer::sum);
      }
    }
    left.values().removeIf(copies -> copies <= 0);
    return left.keySet();
  }

  private void visibilities(SimulatedQueue queue) {
    Duration longest = new Recovery(world).longestVisibility();
    Duration hold = world.plan().settings().maxHold().plus(LARGEST_MARGIN).plus(ROUNDING);
    Map<String, SimulatedCall> receives = new HashMap<>();
    for (SimulatedCall call : queue.calls()) {
      for (SimulatedCall.Entry entry : call.entries()) {
        String receive = entry.messageId() + "/" + entry.receive();
        if (call.kind() == CallKind.RECEIVE) {
          receives.put(receive, call);
        }
        if (call.kind() != CallKind.EXTEND) {
          continue;
        }
        if (entry.visibility().compareTo(longest) > 0) {
          world.broken(Rule.FAST_RECOVERY, "asked for more than " + Text.of(longest) + ": " + call);
        }
        SimulatedCall from = receives.get(receive);
        if (from != null) {
          Duration begun = from.sentAt().plus(from.longPoll());
          if (call.decidedAt().plus(entry.visibility()).minus(begun).compareTo(hold) > 0) {
            world.broken(Rule.BOUNDED_HOLD, "held for more than " + Text.of(hold) + ": " + call + " after " + from);
          }
        }
      }
    }
  }

  private void onceEach() {
    if (new OrderRules(world).goBackUnstarted()) {
      return;
    }
    int sent = world.fleet().sent();
    int received = world.trail().count(WorkerEvent.Received.class);
    if (received != sent) {
      world.broken(Rule.CALM, sent + " messages were received " + received + " times");
    }
  }

  private void calm() {
    for (Class<?> bad : List.of(
        WorkerEvent.LeaseLost.class,
        WorkerEvent.NotStarted.class,
        WorkerEvent.ExtendFailed.class,
        WorkerEvent.DeleteFailed.class,
        WorkerEvent.ReleaseFailed.class,
        WorkerEvent.RejectFailed.class,
        WorkerEvent.Failed.class,
        WorkerEvent.CommitUnknown.class,
        WorkerEvent.ReceiveFailed.class,
        WorkerEvent.ClockGap.class)) {
      if (world.trail().count(bad) > 0) {
        world.broken(Rule.CALM, "in a calm world there was " + world.trail().of(bad).get(0));
      }
    }
    onceEach();
    ChaosSettings settings = world.plan().settings();
    Duration busy = settings.longest().plus(settings.deleteLinger()).plus(ROUNDING);
    // In a group messages wait for each other, for longer than any of them takes.
    boolean isShort =
        busy.multipliedBy(2).compareTo(settings.visibility()) < 0
            && settings.twins() == 0
            && settings.queue() != QueueKind.FIFO;
    if (isShort && world.trail().count(WorkerEvent.ExtendSent.class) > 0) {
      world.broken(Rule.CALM, "short handlers cost an extension");
    }
  }
}
