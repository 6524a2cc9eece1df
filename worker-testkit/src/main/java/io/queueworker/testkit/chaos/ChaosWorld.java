package io.queueworker.testkit.chaos;

import io.queueworker.Delivery;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.gate.Fenced;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.testkit.simulation.SimulatedMachine;
import io.queueworker.timing.Timing;

/**
 * What one worker of a run has around it: its machine, its queue, and the modelled services that all machines share.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time.
 */
public final class ChaosWorld {

  private final World world;
  private final Fleet.Member member;
  private final Line line;
  private final DatabaseClient database;
  private final OutsideClient outside;

  ChaosWorld(World world, Fleet.Member member) {
    this.world = world;
    this.member = member;
    this.line = new Line(world, member.machine());
    this.database = new DatabaseClient(line, world.database(), member.queue().name());
    this.outside = new OutsideClient(line, world.outside(), member.queue().name());
  }

  /** A worker on this machine, in virtual time, with the settings of the plan; it wants a handler. */
  public WorkerBuilder<String> worker() {
    ChaosSettings settings = world.plan().settings();
    WorkerBuilder<String> builder =
        QueueWorker.of(member.queue().connect(member.machine()))
            .workerId(member.name())
            .timing(member.machine())
            .inlineListener(world.trail())
            .inlineListener(member.ear())
            .maxConcurrency(settings.concurrency())
            .pollWait(settings.pollWait())
            .maxProcessingTime(settings.maxProcessing())
            .maxHold(settings.maxHold())
            .controlTimeout(settings.control())
            .deleteLinger(settings.deleteLinger())
            .drainTimeout(settings.drain())
            .failurePolicy(world.handling().policy());
    settings.stall().ifPresent(builder::stallTimeout);
    if (settings.receivesOwn()) {
      builder.visibility(settings.visibility());
    }
    return builder;
  }

  /** The modelled database. */
  public DatabaseClient database() {
    return database;
  }

  /** The modelled system outside. */
  public OutsideClient outside() {
    return outside;
  }

  /** A leased gate whose records all workers share. */
  public IdempotencyGate<Fenced> leasedGate() {
    return new TalliedGate<>(world.tally(), new LeasedClient(line, world.leases()));
  }

  /** This machine's clock, waiting and threads. */
  public Timing timing() {
    return member.machine();
  }

  /**
   * Works on a message as the plan says: takes virtual time, and now and then fails, hangs, ignores interrupts, stalls or asks
   * for more time. Call it where the handler works.
   *
   * @throws Exception when this run fails by plan, or is interrupted
   */
  public void work(Delivery<?> delivery) throws Exception {
    world.handling().work(this, delivery, () -> {});
  }

  World world() {
    return world;
  }

  SimulatedMachine machine() {
    return member.machine();
  }

  String workerName() {
    return member.name();
  }
}
