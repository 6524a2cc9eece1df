package io.queueworker.testkit.chaos;

import io.queueworker.testkit.simulation.SimulatedMessage;
import io.queueworker.testkit.simulation.SimulatedQueue;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The order of effects in the message groups of FIFO queues, judged when a run is over: in each group the first effects of the
 * messages come in the order of their sending, whatever gate there is. Left out are dead letters, which the rest of their group
 * does not wait for, and bodies that were sent as several messages, which can be of several groups.
 *
 * @param world the run
 */
record OrderRules(World world) {

  /** What a worker keeps of a hold for the delete after a handler that waited. */
  private static final Duration MARGIN = Duration.ofSeconds(30);

  private static final Duration SLACK = Duration.ofSeconds(1);

  /** Judges. */
  void judge() {
    ChaosSettings settings = world.plan().settings();
    if (settings.queue() == QueueKind.FIFO && settings.gate() != GateKind.OWN) {
      world.queues().forEach(this::judge);
    }
  }

  /**
   * Whether a message can go back because those before it in its group took so long that another run did not fit into what was
   * left of its hold.
   */
  boolean goBackUnstarted() {
    ChaosSettings settings = world.plan().settings();
    Duration each = settings.longest().plus(settings.deleteLinger()).plus(SLACK);
    Duration needed = settings.maxProcessing().plus(MARGIN).plus(each.multipliedBy(settings.bodies()));
    return settings.queue() == QueueKind.FIFO && settings.maxHold().compareTo(needed) < 0;
  }

  private void judge(SimulatedQueue queue) {
    Map<String, Effect> first = firstEffects(queue);
    Set<String> dead = queue.deadLetters().stream().map(SimulatedMessage::body).collect(Collectors.toSet());
    Map<String, Effect> before = new HashMap<>();
    for (int number = 0; number < world.plan().settings().bodies(); number++) {
      String body = "message-" + number;
      Effect effect = first.get(body);
      if (effect == null || dead.contains(body) || world.fleet().ids(queue, body).size() != 1) {
        continue;
      }
      String group = world.fleet().group(number);
      Effect last = before.put(group, effect);
      if (last != null && effect.at().compareTo(last.at()) < 0) {
        world.broken(Rule.ORDER, effect + ", in " + group + ", came before " + last + ", which was sent before");
      }
    }
  }

  private Map<String, Effect> firstEffects(SimulatedQueue queue) {
    return Stream.concat(world.database().effects().stream(), world.outside().effects().stream())
        .filter(effect -> effect.queue().equals(queue.name()))
        .collect(Collectors.toMap(Effect::name, effect -> effect, OrderRules::earlier));
  }

  private static Effect earlier(Effect one, Effect other) {
    Duration at = other.at();
    return one.at().compareTo(at) <= 0 ? one : other;
  }
}
