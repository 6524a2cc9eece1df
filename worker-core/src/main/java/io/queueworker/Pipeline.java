package io.queueworker;

import io.queueworker.handle.Breaker;
import io.queueworker.handle.GateOutage;
import io.queueworker.handle.GroupPlaces;
import io.queueworker.handle.HandlerThreads;
import io.queueworker.handle.Pace;
import io.queueworker.handle.RunParts;
import io.queueworker.handle.Starts;
import io.queueworker.handle.Work;
import io.queueworker.lease.Extender;
import io.queueworker.lease.Heartbeat;
import io.queueworker.lease.LeaseClock;
import io.queueworker.lease.LeaseRegistry;
import io.queueworker.lease.Losses;
import io.queueworker.observe.DurationHistogram;
import io.queueworker.observe.Durations;
import io.queueworker.observe.Listeners;
import io.queueworker.observe.LogLines;
import io.queueworker.observe.LogListener;
import io.queueworker.observe.Permissions;
import io.queueworker.observe.RecentTrouble;
import io.queueworker.observe.Surroundings;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.observe.WorkerListener;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueTraits;
import io.queueworker.receive.Pacing;
import io.queueworker.receive.Pauses;
import io.queueworker.receive.PermissionPause;
import io.queueworker.receive.Permits;
import io.queueworker.receive.PollLoop;
import io.queueworker.settle.Completed;
import io.queueworker.settle.RejectCalls;
import io.queueworker.settle.Rejects;
import io.queueworker.settle.SettleCalls;
import io.queueworker.settle.Settler;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The parts of one worker, connected: receive, lease, gate, handle, commit, settle. Immutable; its parts are thread-safe.
 */
final class Pipeline {

  private static final int COMPLETED_REMEMBERED = 10_000;

  final Timing timing;
  final LeaseClock clock;
  final MessageQueue queue;
  final Listeners listeners;
  final DurationHistogram durations;
  final RecentTrouble trouble = new RecentTrouble();
  final Permissions permissions;
  final Permits permits;
  final Pauses pauses;
  final LeaseRegistry registry = new LeaseRegistry();
  final CurrentTerms terms;
  final QueueReading reading;
  final Heartbeat heartbeat;
  final Settler settler;
  final Rejects rejects;
  final HandlerThreads threads;
  final PollLoop pollLoop;
  final Work<?, ?> work;
  private final Optional<Breaker> breaker;
  final String threadPrefix;
  private final LogLines log;
  private final Pools pools;
  private final Meters meters;
  private volatile boolean begun;

  Pipeline(WorkerBuilder<?> builder, WorkerSettings settings, Work<?, ?> work) {
    this.timing = builder.timing;
    this.queue = builder.queue;
    this.work = work;
    this.meters = new Meters(builder.meters);
    this.threadPrefix = "worker-" + queue.name() + "-";
    QueueTraits traits = queue.traits();

    durations = new DurationHistogram(timing.nanoTime());
    log = new LogLines(timing, queue.name(), settings.workerId(), timing.pool(threadPrefix + "log", 1));
    Completed completed = new Completed(COMPLETED_REMEMBERED);
    List<WorkerListener> inline = new ArrayList<>(List.of(durations, completed, trouble, new LogListener(log)));
    inline.addAll(builder.inlineListeners);
    listeners = new Listeners(timing, queue.name(), settings.workerId(), inline, builder.listeners, log);
    Consumer<WorkerEvent> events = listeners::emit;

    pools = new Pools(timing, threadPrefix, settings.maxConcurrency());
    clock = new LeaseClock(timing);
    permissions = new Permissions(events);
    terms = new CurrentTerms(queue, settings, events);
    reading = new QueueReading(queue, settings, timing, pools.control, permissions, terms);
    permits = new Permits(timing, settings.maxConcurrency());
    pauses = new Pauses(timing, events);
    Losses losses = new Losses(registry, events);
    Extender extender =
        new Extender(
            queue, clock, registry, pools.beats, pools.urgent, pools.renew, settings.controlTimeout(), permissions,
            losses, events);
    heartbeat = new Heartbeat(timing, clock, registry, extender, terms, losses, pools.questions, Pools.CALLBACK_THREADS,
        events);
    settler =
        new Settler(
            timing,
            clock,
            pools.control,
            Pools.SENDERS,
            new SettleCalls(
                queue, timing, clock, registry, losses, permissions, settings.controlTimeout(),
                settings.maxConcurrency(), events),
            traits.maxBatch(),
            traits.maxVisibilityBatch(),
            deleteLinger(settings, traits),
            permits::areShort);
    permits.onShort(settler::hurry);
    rejects =
        new Rejects(
            timing,
            clock,
            pools.rejecting,
            new RejectCalls(
                queue, timing, clock, settler, losses, permissions, settings.controlTimeout(), settings.workerId(),
                events),
            events);
    threads =
        new HandlerThreads(
            timing,
            clock,
            registry,
            losses,
            settler,
            rejects,
            traits.fifo(),
            threadPrefix + "handler-",
            settings.maxProcessingTime().toNanos(),
            new GateOutage(
                why -> pauses.add(PauseReason.GATE_UNAVAILABLE, why),
                () -> pauses.remove(PauseReason.GATE_UNAVAILABLE)),
            events);
    breaker =
        builder.circuit.map(
            circuit -> new Breaker(
                circuit,
                builder.releaseAfter,
                why -> pauses.add(PauseReason.BREAKER_OPEN, why),
                () -> pauses.remove(PauseReason.BREAKER_OPEN),
                this::allowProbes,
                pools.breaker,
                events));
    Optional<Pace> pace = builder.rate.map(limiter -> new Pace(limiter, events));
    Pacing pacing =
        pace.map(p -> new Pacing(pauses, p::room, p::pause, p.words())).orElseGet(() -> Pacing.none(pauses));
    RunParts parts =
        new RunParts(
            settings.workerId(),
            traits.fifo(),
            settings.maxProcessingTime().toNanos(),
            terms::inPlace,
            timing,
            clock,
            heartbeat,
            completed,
            threads,
            new Starts(breaker, pace),
            durations,
            new Surroundings(queue.name(), settings.workerId(), builder.observations, events),
            pools.lossActions,
            events);
    GroupPlaces places =
        new GroupPlaces(settings.maxConcurrencyPerGroup().orElse(Integer.MAX_VALUE), settings.maxConcurrency());
    pollLoop =
        new PollLoop(
            timing,
            clock,
            queue,
            permits,
            pauses,
            pacing,
            permissions,
            new Dispatch<>(clock, registry, terms, permits, places, threads, parts, work, settler, events),
            new PollLoop.Settings(
                threadPrefix + "poll-",
                settings.maxPollers(),
                Math.min(traits.maxBatch(), settings.maxConcurrency()),
                settings.pollWait(),
                settings.receiveLinger()),
            () -> terms.get().visibilityTimeout(),
            events);
    heartbeat.everyTick(pollLoop::replaceHung);
    heartbeat.everyTick(threads::tick);
    heartbeat.everyTick(rejects::tick);
    heartbeat.everyTick(new PermissionPause(permissions, pauses)::tick);
    heartbeat.everyTick(reading::tick);
    heartbeat.everyTick(pollLoop.watch()::tick);
    heartbeat.everyTick(pacing::tick);
    breaker.ifPresent(b -> heartbeat.everyTick(b::tick));
  }

  /**
   * How long a delete gathers. Receives that linger bring their messages that far apart: it waits for those of the next one, too,
   * except on a queue that keeps order, where the next of its group may wait for it.
   */
  private static Duration deleteLinger(WorkerSettings settings, QueueTraits traits) {
    return traits.fifo() ? settings.deleteLinger() : settings.deleteLinger().plus(settings.receiveLinger());
  }

  /** Lets one receive through a breaker that is half open, unless one is under way. */
  private void allowProbes(int messages) {
    pauses.allowProbes(pollLoop.asked() > 0 ? 0 : messages);
  }

  /** How long runs take, those that go on now included. */
  Durations durations() {
    // Ages first: a run that commits in between counts twice rather than not at all.
    long[] running = threads.ages();
    return durations.snapshot(timing.nanoTime(), running);
  }

  /** Starts all threads; the queue and the gate have been checked. */
  void start(Supplier<Health> health) {
    meters.bind(this, health);
    // Before the first receive, in case the breaker is open from the start.
    breaker.ifPresent(b -> b.look(timing.nanoTime()));
    heartbeat.start(threadPrefix + "heartbeat");
    settler.start();
    pollLoop.start();
    begun = true;
  }

  /** Whether its threads have been started. */
  boolean hasBegun() {
    return begun;
  }

  /** The circuit breaker and its state, if there is one. */
  Optional<String> breakerWords() {
    return breaker.map(Breaker::words);
  }

  /**
   * Ends all threads that have nothing left to do, closes the queue, and waits up to a second for the log to be written. Never
   * throws.
   */
  void stop() {
    pollLoop.stop();
    settler.stop();
    rejects.stop();
    heartbeat.stop();
    reading.stop();
    pools.shutdown();
    listeners.close();
    quietly("close of the meters", meters::close);
    quietly("close of the queue", queue::close);
    log.close();
  }

  private void quietly(String what, Runnable step) {
    try {
      step.run();
    } catch (Throwable t) {
      listeners.emit(new InternalError(what, t));
    }
  }
}
