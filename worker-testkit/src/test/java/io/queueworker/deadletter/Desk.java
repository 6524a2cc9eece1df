package io.queueworker.deadletter;

import io.queueworker.queue.MessageAttribute;
import io.queueworker.queue.RejectAttributes;
import io.queueworker.testkit.engine.NewMessage;
import io.queueworker.testkit.simulation.SimulatedMessage;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A queue and its dead-letter queue in virtual time, with letters as a worker's reject leaves them. Not thread-safe, as simulations are. */
final class Desk {

  /** The kinds of queues that a redrive has to work on. */
  enum Kind {
    STANDARD, FIFO, SMQ
  }

  final SimulatedTiming timing;
  final SimulatedQueue source;
  final SimulatedQueue dead;

  Desk(SimulatedTiming timing, Kind kind) {
    this.timing = timing;
    SimulatedQueue made =
        switch (kind) {
          case STANDARD -> SimulatedQueue.standard(timing, "orders");
          case FIFO -> SimulatedQueue.fifo(timing, "orders.fifo");
          case SMQ -> SimulatedQueue.smqLike(timing, "orders");
        };
    this.source = made.maxReceiveCount(1_000);
    this.dead = source.deadLetterQueue().orElseThrow();
  }

  /** The dead letters of the queue, looked after from the home machine. */
  DeadLetters letters() {
    return DeadLetters.of(source.connect()).timing(timing);
  }

  /** Puts so many on the dead-letter queue, each in a group of its own, with the bodies "0" and on; their first ids are "first-0" and on. */
  void reject(int count) {
    for (int i = 0; i < count; i++) {
      reject(i, "group-" + i);
    }
  }

  /** Puts one there, in a group. */
  void reject(int number, String group) {
    dead.send(rejected(Integer.toString(number), number, Map.of(), group));
  }

  /** Puts one there, with attributes of its own. */
  void reject(String body, int number, Map<String, MessageAttribute> own) {
    dead.send(rejected(body, number, own, "group-" + number));
  }

  private NewMessage rejected(String body, int number, Map<String, MessageAttribute> own, String group) {
    Map<String, MessageAttribute> attributes = new HashMap<>(own);
    attributes.put(RejectAttributes.ORIGINAL_MESSAGE_ID, MessageAttribute.text("first-" + number));
    attributes.put(RejectAttributes.SOURCE_QUEUE, MessageAttribute.text(source.name()));
    attributes.put(RejectAttributes.REASON, MessageAttribute.text("the address is unknown"));
    attributes.put(RejectAttributes.RECEIVE_COUNT, new MessageAttribute("Number", "3"));
    NewMessage message = NewMessage.of(body).withAttributes(attributes);
    return source.name().endsWith(".fifo")
        ? message.withAttributes(with(attributes, number)).inGroup(group).deduplicatedBy("dead-" + number)
        : message;
  }

  private static Map<String, MessageAttribute> with(Map<String, MessageAttribute> attributes, int number) {
    attributes.put(RejectAttributes.DEDUPLICATION_ID, MessageAttribute.text("sent-" + number));
    return attributes;
  }

  /** What the source queue has, by the first ids. */
  List<String> backIds() {
    return firstIds(source.visible());
  }

  /** What the dead-letter queue has, visible or not, by the first ids. */
  Set<String> deadIds() {
    List<SimulatedMessage> all = new ArrayList<>(dead.visible());
    all.addAll(dead.inFlight());
    return firstIds(all).stream().collect(Collectors.toSet());
  }

  private static List<String> firstIds(List<SimulatedMessage> messages) {
    return messages.stream()
        .map(m -> Optional.ofNullable(m.attributes().get(RejectAttributes.ORIGINAL_MESSAGE_ID)).orElse(m.id()))
        .toList();
  }

  /** The first ids from 0 on. */
  static List<String> first(int count) {
    return numbered(count, i -> "first-" + i);
  }

  static List<String> numbered(int count, Function<Integer, String> name) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(name.apply(i));
    }
    return names;
  }
}
