package io.queueworker.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.observe.Permissions;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.queue.QueueTraits;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.ScriptedQueue;
import io.queueworker.timing.SetClock;
import io.queueworker.timing.Timing.ThreadPool;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/** A heartbeat with all that belongs to it, on a scripted queue, whose ticks and pool threads a test sets off. For one thread. */
final class BeatsRig {

  static final Duration VISIBILITY = Duration.ofSeconds(30);
  static final Duration TIMEOUT = Duration.ofSeconds(3);

  final SetClock clock = new SetClock();
  final List<WorkerEvent> events = new ArrayList<>();
  final Permissions permissions = new Permissions(events::add);
  final LeaseRegistry registry = new LeaseRegistry();
  final ScriptedQueue queue;
  final SteppedPool pool = new SteppedPool();
  final SteppedPool urgentPool = new SteppedPool();
  final SteppedPool renewPool = new SteppedPool();
  final SteppedPool questions = new SteppedPool();
  final Extender extender;
  final Heartbeat heartbeat;
  private final long begun = clock.now;
  private final LeaseTerms terms;

  BeatsRig() {
    this(ScriptedQueue.SQS);
  }

  BeatsRig(QueueTraits traits) {
    queue = new ScriptedQueue(traits);
    terms =
        LeaseTerms.of(
            VISIBILITY, traits.totalCap(), Duration.ofHours(11), Duration.ofHours(1), Optional.empty(), true);
    LeaseClock leaseClock = new LeaseClock(clock);
    Losses losses = new Losses(registry, events::add);
    extender =
        new Extender(
            queue, leaseClock, registry, pool, urgentPool, renewPool, TIMEOUT, permissions, losses, events::add);
    heartbeat =
        new Heartbeat(clock, leaseClock, registry, extender, () -> terms, losses, questions, 1, events::add);
  }

  /** A lease that begins now. */
  Lease lease(String id) {
    return leaseRequestedAt(id, clock.now);
  }

  /** A lease that begins now, of a receive that was sent at this time. */
  Lease leaseRequestedAt(String id, long requestedAt) {
    ReceivedMessage message =
        new ReceivedMessage(id, new Receipt(id), "", Map.of(), 1, Optional.empty(), Optional.empty(), Map.of());
    Lease lease = new Lease(message, () -> terms, terms.visibility(), requestedAt, clock.now);
    registry.schedule(lease);
    return lease;
  }

  /** So many leases that begin now. */
  List<Lease> leases(int count) {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      leases.add(lease("m" + i));
    }
    return leases;
  }

  /** Moves the clock to this time after the beginning. */
  void at(Duration sinceBegun) {
    clock.now = begun + sinceBegun.toNanos();
  }

  /** Ticks at this time after the beginning; nothing that it hands over runs yet. */
  void tick(Duration sinceBegun) {
    at(sinceBegun);
    heartbeat.tick(clock.now);
  }

  /** Runs what was handed over: first the renewals, then the calls. */
  void run() {
    renewPool.run();
    urgentPool.run();
    pool.run();
  }

  /** Ticks at this time after the beginning, and runs what that hands over. */
  void beat(Duration sinceBegun) {
    tick(sinceBegun);
    run();
  }

  Duration left(Lease lease) {
    return Duration.ofNanos(lease.remaining(clock.now));
  }

  /** The receipts of each extension call so far. */
  List<List<String>> extended() {
    assertThat(queue.calls).allSatisfy(call -> assertThat(call.kind()).isEqualTo("extend"));
    return queue.calls.stream().map(ScriptedQueue.Call::receipts).toList();
  }

  /** A pool whose tasks run when a test says so. */
  static final class SteppedPool implements ThreadPool {
    final Queue<Runnable> tasks = new ArrayDeque<>();
    boolean refuses;
    boolean breaks;

    @Override
    public boolean execute(Runnable task) {
      if (breaks) {
        throw new IllegalStateException("no thread");
      }
      return !refuses && tasks.add(task);
    }

    void run() {
      while (!tasks.isEmpty()) {
        tasks.remove().run();
      }
    }

    @Override
    public void shutdown() {
      refuses = true;
    }
  }
}
