package io.queueworker.testkit.chaos;

import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.queue.QueueException;
import io.queueworker.testkit.engine.NewMessage;
import io.queueworker.testkit.simulation.SimulatedMachine;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.timing.Timing.ThreadKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a run, each on a machine of its own. One that died or was closed has a successor on a new machine.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time.
 */
final class Fleet {

  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Pattern BODY = Pattern.compile("message-\\d+");
  private static final int MOST_GROUPS = 4;
  private static final Duration START_AGAIN = Duration.ofSeconds(2);

  private final World world;
  private final ChaosSetup setup;
  private final List<Member> members = new ArrayList<>();
  private final Map<String, Integer> heard = new HashMap<>();
  private final List<String> messages = new ArrayList<>();
  private final Map<String, List<String>> ids = new HashMap<>();
  private final Map<String, String> bodies = new HashMap<>();
  private final Member[] slots;
  private boolean ending;

  Fleet(World world, ChaosSetup setup) {
    this.world = world;
    this.setup = setup;
    this.slots = new Member[world.plan().settings().workers()];
  }

  /** One worker and its machine. */
  static final class Member {
    private final String name;
    private final SimulatedMachine machine;
    private final SimulatedQueue queue;
    private final Ear ear;
    private @Nullable QueueWorker worker;
    private boolean closing;
    private boolean closed;
    private @Nullable Duration goneAt;

    Member(World world, String name, SimulatedMachine machine, SimulatedQueue queue) {
      this.name = name;
      this.machine = machine;
      this.queue = queue;
      this.ear = new Ear(world, name, machine);
    }

    String name() {
      return name;
    }

    SimulatedMachine machine() {
      return machine;
    }

    SimulatedQueue queue() {
      return queue;
    }

    Ear ear() {
      return ear;
    }

    @Nullable
    QueueWorker worker() {
      return worker;
    }

    /** Whether nothing of it runs any more. */
    boolean isGone() {
      return closed || machine.isKilled();
    }
  }

  /** Starts a worker in each slot, and keeps the slots filled from then on. */
  void start() {
    for (int slot = 0; slot < slots.length; slot++) {
      fill(slot);
    }
    world.timing().home().start(ThreadKind.PLATFORM, "fleet", this::keep);
  }

  private void keep() {
    while (!ending) {
      world.timing().advance(LOOK);
      for (int slot = 0; slot < slots.length && !ending; slot++) {
        Member member = slots[slot];
        if (!member.isGone()) {
          continue;
        }
        Duration now = world.timing().elapsed();
        Duration since = member.goneAt == null ? now : member.goneAt;
        if (member.goneAt == null && member.machine.isKilled()) {
          new Recovery(world).afterDeath(member);
        }
        member.goneAt = since;
        if (now.minus(since).compareTo(world.plan().settings().restart()) >= 0) {
          fill(slot);
        }
      }
    }
  }

  private void fill(int slot) {
    List<Duration> offsets = world.plan().settings().wallOffsets();
    String name = "w" + slot + "." + members.stream().filter(one -> one.name.startsWith("w" + slot + ".")).count();
    SimulatedMachine machine = world.timing().machine(name, offsets.get(members.size() % offsets.size()));
    Member member = new Member(world, name, machine, world.queues().get(slot % world.queues().size()));
    members.add(member);
    slots[slot] = member;
    machine.start(ThreadKind.PLATFORM, name + "-main", () -> startUp(member));
  }

  private void startUp(Member member) {
    while (!member.closing) {
      WorkerBuilder<?> builder = setup.describe(new ChaosWorld(world, member));
      QueueWorker worker = builder.build();
      member.worker = worker;
      try {
        worker.start();
        return;
      } catch (QueueException | IllegalStateException e) {
        world.journal().add(world.timing().elapsed(), member.name, "did not start: " + e.getMessage());
        world.tally().took("start failed");
        member.worker = null;
      }
      world.timing().advance(START_AGAIN);
    }
    member.closed = true;
  }

  /** Lets a machine stand still, if it is there. */
  void freeze(String machine, Duration length) {
    members.stream()
        .filter(member -> member.name.equals(machine) && !member.machine.isKilled())
        .forEach(member -> member.machine.freeze(length));
  }

  /** The worker in a slot now. */
  Member at(int slot) {
    return slots[slot % slots.length];
  }

  /** All workers that there ever were. */
  List<Member> members() {
    return members;
  }

  /** Counts an event of any worker; tells how many of its kind there were. */
  int heard(String event) {
    return heard.merge(event, 1, Integer::sum);
  }

  /** Puts the messages on the queues. */
  void send() {
    ChaosSettings settings = world.plan().settings();
    for (SimulatedQueue queue : world.queues()) {
      for (int i = 0; i < settings.bodies() + settings.twins(); i++) {
        String body = "message-" + i % settings.bodies();
        String id = send(queue, body, i);
        if (!bodies.containsKey(id)) {
          messages.add(id);
          bodies.put(id, body);
          ids.computeIfAbsent(queue.name() + "/" + body, any -> new ArrayList<>()).add(id);
        }
      }
    }
  }

  /** On a FIFO queue every second twin is taken for a repetition, and the others are messages of their own. */
  private String send(SimulatedQueue queue, String body, int number) {
    if (world.plan().hasGroupPlaces()) {
      return queue.send(NewMessage.of(body).inGroup(group(number))).id();
    }
    if (world.plan().settings().queue() != QueueKind.FIFO) {
      return queue.send(body);
    }
    boolean repeats = number % 2 == 0;
    return queue.send(body, group(number), repeats ? body : body + " number " + number);
  }

  /** The group of the message that was sent as this number: one to four of them, as the seed says. */
  String group(int number) {
    return "group-" + number % (1 + (int) Math.floorMod(world.plan().seed(), (long) MOST_GROUPS));
  }

  /** How many different messages were sent. */
  int sent() {
    return bodies.size();
  }

  /** The body of a message. */
  String body(String id) {
    return bodies.getOrDefault(id, "");
  }

  /** The ids of the messages that an effect was made for: those whose body it names, such as {@code mail for message-7}. */
  List<String> ids(SimulatedQueue queue, String effect) {
    Matcher body = BODY.matcher(effect);
    return body.find() ? ids.getOrDefault(queue.name() + "/" + body.group(), List.of()) : List.of();
  }

  /** The id of the n-th message that was sent. */
  String messageId(int number) {
    return messages.isEmpty() ? "" : messages.get(number % messages.size());
  }

  /** Closes a worker within a budget, on a thread of its machine; what it leaves is judged. Does not wait. */
  void close(Member member, Duration budget) {
    if (member.closing || member.machine.isKilled()) {
      return;
    }
    member.closing = true;
    member.machine.start(
        ThreadKind.PLATFORM,
        member.name + "-closer",
        () -> {
          QueueWorker worker = member.worker;
          if (worker != null) {
            worker.close(budget);
            new StopRules(world).afterClose(member, worker);
          }
          member.closed = true;
        });
  }

  /** Closes all workers side by side and waits for that. */
  void end() {
    ending = true;
    for (Member member : members) {
      close(member, world.plan().settings().drain());
    }
    Duration longest = world.plan().settings().drain().multipliedBy(4).plusMinutes(3);
    Duration from = world.timing().elapsed();
    while (!members.stream().allMatch(Member::isGone)) {
      if (world.timing().elapsed().minus(from).compareTo(longest) > 0) {
        world.broken(
            Rule.CLEAN_STOP,
            "not closed within " + longest + ": "
                + members.stream().filter(member -> !member.isGone()).map(Member::name).toList());
        return;
      }
      world.timing().advance(LOOK);
    }
  }
}
