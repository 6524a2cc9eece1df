package io.queueworker.testkit.chaos;

import io.queueworker.gate.GateKey;
import io.queueworker.gate.LeasedGate;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that the machines of one run share, and what has come to light about it.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time.
 */
final class World {

  private final SimulatedTiming timing;
  private final ChaosPlan plan;
  private final Tally tally;
  private final Trail trail;
  private final Journal journal;
  private final List<SimulatedQueue> queues = new ArrayList<>();
  private final SimulatedDatabase database;
  private final OutsideSystem outside;
  private final StoreClock storeClock;
  private final LeasedGate leases;
  private final Troubles troubles;
  private final Handling handling;
  private final Fleet fleet;
  private final List<Breach> breaches;
  private final Map<GateKey, Long> fences = new HashMap<>();
  private Duration slowness = Duration.ZERO;

  /**
   * @param breaches takes what breaks a rule while it runs
   */
  World(SimulatedTiming timing, ChaosPlan plan, ChaosSetup setup, Tally tally, Journal journal, List<Breach> breaches) {
    ChaosSettings settings = plan.settings();
    this.timing = timing;
    this.plan = plan;
    this.tally = tally;
    this.trail = Trail.in(timing);
    this.journal = journal;
    this.breaches = breaches;
    this.database = new SimulatedDatabase(timing, settings.lockWait(), settings.idleLimit(), this::made);
    this.storeClock = new StoreClock(timing.home());
    this.outside =
        new OutsideSystem(
            settings.gate() == GateKind.LEASED_WITH_KEYS || settings.gate() == GateKind.OWN, this::made);
    LeasedGate memory = LeasedGate.inMemory(storeClock);
    this.leases = settings.gate() == GateKind.LEASED_ONCE ? memory.outsideRemembers(Duration.ZERO) : memory;
    this.troubles = new Troubles(this, plan.steps());
    this.handling = new Handling(this);
    for (int i = 0; i < settings.queues(); i++) {
      queues.add(queue(i));
    }
    this.fleet = new Fleet(this, setup);
  }

  private SimulatedQueue queue(int number) {
    ChaosSettings settings = plan.settings();
    String name = "queue-" + number;
    SimulatedQueue queue =
        switch (settings.queue()) {
          case STANDARD -> SimulatedQueue.standard(timing, name);
          case FIFO -> SimulatedQueue.fifo(timing, name + ".fifo");
          case SMQ_LIKE -> SimulatedQueue.smqLike(timing, name);
        };
    queue.visibility(settings.visibility());
    settings.maxReceiveCount().ifPresent(queue::maxReceiveCount);
    if (settings.anyOrder()) {
      queue.anyOrder();
    }
    for (CallKind kind : CallKind.values()) {
      queue.onCall(kind, troubles::of);
    }
    queue.deadLetterQueue().ifPresent(dead -> dead.onCall(CallKind.SEND, troubles::of));
    return queue;
  }

  SimulatedTiming timing() {
    return timing;
  }

  ChaosPlan plan() {
    return plan;
  }

  Tally tally() {
    return tally;
  }

  Trail trail() {
    return trail;
  }

  Journal journal() {
    return journal;
  }

  List<SimulatedQueue> queues() {
    return queues;
  }

  SimulatedDatabase database() {
    return database;
  }

  OutsideSystem outside() {
    return outside;
  }

  StoreClock storeClock() {
    return storeClock;
  }

  LeasedGate leases() {
    return leases;
  }

  Troubles troubles() {
    return troubles;
  }

  Handling handling() {
    return handling;
  }

  Fleet fleet() {
    return fleet;
  }

  /** An effect became durable. */
  private void made(Effect effect) {
    journal.add(
        timing.elapsed(),
        effect.machine(),
        "=== effect \"" + effect.name() + "\" of " + queues.stream()
            .filter(queue -> queue.name().equals(effect.queue()))
            .flatMap(queue -> fleet.ids(queue, effect.name()).stream())
            .toList());
  }

  /** A disturbance comes about. */
  void fired(ChaosStep step, String where) {
    if (!timing.isOver()) {
      tally.fired(step);
      journal.add(timing.elapsed(), where, "*** " + step);
    }
  }

  /** A rule is broken. */
  void broken(Rule rule, String how) {
    if (!timing.isOver()) {
      journal.add(timing.elapsed(), "rule", rule + " broken: " + how);
      breaches.add(new Breach(rule, how + " (at " + Text.of(timing.elapsed()) + ")"));
    }
  }

  /** An attempt at a key was admitted with this fence, which must be above all before. */
  void fence(GateKey key, long fence) {
    Long before = fences.put(key, fence);
    if (before != null && before >= fence) {
      broken(Rule.ONE_EFFECT, "the fence of " + key.text() + " went from " + before + " to " + fence);
    }
  }

  /** How long one way of a call takes. */
  Duration latency(ServiceCall call) {
    Duration usual = Duration.ofNanos(500_000 + (long) (timing.random() * 4_000_000));
    return call == ServiceCall.OUTSIDE ? usual.multipliedBy(10) : usual.plus(slowness);
  }

  /** Makes every call to a store take this much longer each way. */
  void slow(Duration by) {
    slowness = by;
  }
}
