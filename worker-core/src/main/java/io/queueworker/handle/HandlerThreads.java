package io.queueworker.handle;

import io.queueworker.Health;
import io.queueworker.LossReason;
import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseClock;
import io.queueworker.lease.LeaseRegistry;
import io.queueworker.lease.Losses;
import io.queueworker.lease.Receive;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.settle.Rejects;
import io.queueworker.settle.Settler;
import io.queueworker.timing.KeeperLock;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadKind;
import io.queueworker.timing.Timing.WaitPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The handler runs of a worker, each on a virtual thread: starts them, and hands their messages to settlement when they end. Thread-safe.
 */
public final class HandlerThreads {

  private final Timing timing;
  private final LeaseClock clock;
  private final Losses losses;
  private final Rejects rejects;
  private final Lines lines;
  private final RunSettlement settlement;
  private final String threadPrefix;
  private final GateOutage gateOutage;
  private final StuckHandlers stuck;

  private final ReentrantLock lock = new KeeperLock();
  private final WaitPoint ended;
  private final Set<HandlerRun<?, ?>> running = new LinkedHashSet<>();
  private boolean draining;
  private volatile boolean closing;

  /** Threads named {@code threadPrefix} and a message id, which wait for those of their group when the queue is {@code fifo}. */
  public HandlerThreads(
      Timing timing,
      LeaseClock clock,
      LeaseRegistry registry,
      Losses losses,
      Settler settler,
      Rejects rejects,
      boolean fifo,
      String threadPrefix,
      long maxProcessing,
      GateOutage gateOutage,
      Consumer<WorkerEvent> events) {
    this.timing = timing;
    this.clock = clock;
    this.losses = losses;
    this.rejects = rejects;
    this.lines = new Lines(fifo);
    this.settlement = new RunSettlement(clock, registry, losses, settler, rejects, lines, events);
    this.threadPrefix = threadPrefix;
    this.gateOutage = gateOutage;
    this.stuck = new StuckHandlers(maxProcessing, events);
    this.ended = timing.waitPoint(lock);
  }

  /** Starts the run of one leased message, which {@code from} brought, at its place and with its permit. */
  public <T, R> void start(RunParts parts, Work<T, R> work, Lease lease, Receive from, Place place) {
    String name = threadPrefix + lease.message().id();
    HandlerRun<T, R> run = new HandlerRun<>(parts, work, lease, from, name, place);
    lines.join(run);
    boolean late;
    lock.lock();
    try {
      running.add(run);
      late = draining;
    } finally {
      lock.unlock();
    }
    if (late) {
      run.drain();
    }
    try {
      run.thread().attach(timing.start(ThreadKind.VIRTUAL, name, run));
    } catch (Throwable t) {
      lines.leave(run);
      forget(run);
      throw t;
    }
  }

  /** Notes that a message could not be started: on a queue that keeps order nothing behind it may. */
  public void breakOff(Receive from, ReceivedMessage message) {
    lines.breakOff(from, message);
  }

  /** Whether nothing is known that would keep a message from being rejected. */
  boolean canReject() {
    return rejects.isPossible();
  }

  /** The lines in which runs wait for each other. */
  Lines lines() {
    return lines;
  }

  /** Takes a run that ended, and settles its message. */
  void ended(HandlerRun<?, ?> run, Ending ending) {
    gateAnswered(run);
    try {
      settlement.settle(run, ending);
    } finally {
      forget(run);
      stuck.ended(run);
    }
  }

  /** Sends back a message that came too late to be worked on, unless an earlier run in this process still works on it. */
  public void giveBack(Lease lease) {
    settlement.giveBack(lease);
  }

  private void forget(HandlerRun<?, ?> run) {
    lock.lock();
    try {
      running.remove(run);
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void gateUnavailable(HandlerRun<?, ?> run, String why) {
    gateOutage.waits(run, why);
  }

  void gateAnswered(HandlerRun<?, ?> run) {
    gateOutage.answered(run);
  }

  /** Ends the lease if it must end now, before the heartbeat's next look at it. */
  void review(Lease lease) {
    settlement.review(lease);
  }

  /** Watches a run that should end, unless it has: a release that comes too late tells of its loss after the run. */
  void watch(HandlerRun<?, ?> run) {
    lock.lock();
    try {
      if (running.contains(run)) {
        stuck.watch(run);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Looks after handlers that run on without their lease. Part of every heartbeat tick. */
  public void tick(long now) {
    stuck.tick(now);
  }

  /** The threads of handlers that were told to end and have not. */
  public List<String> stuck() {
    return stuck.threads();
  }

  /** How long each message whose handler runs now has been under lease, in nanoseconds. */
  public long[] ages() {
    long now = clock.now();
    return runs().stream()
        .filter(run -> run.thread().runningFor(now) > 0)
        .mapToLong(run -> run.lease().age(now))
        .toArray();
  }

  /** The handler that has run for longest. */
  public Optional<Health.Oldest> oldest() {
    long now = clock.now();
    HandlerRun<?, ?> oldest = null;
    long longest = 0;
    for (HandlerRun<?, ?> run : runs()) {
      long running = run.thread().runningFor(now);
      if (running > longest) {
        oldest = run;
        longest = running;
      }
    }
    return oldest == null
        ? Optional.empty()
        : Optional.of(new Health.Oldest(oldest.messageId(), oldest.receiveCount(), Duration.ofNanos(longest)));
  }

  /** Lets messages that only wait here go back; handlers that run go on. */
  public void drain() {
    lock.lock();
    try {
      draining = true;
    } finally {
      lock.unlock();
    }
    runs().forEach(HandlerRun::drain);
  }

  /** Tells all handlers that run to end. Their messages go back when they do. */
  public void interruptAll() {
    closing = true;
    runs().forEach(run -> run.interrupt(LossReason.CLOSED));
  }

  /** Whether no handler is to start any more. */
  boolean isClosing() {
    return closing;
  }

  /** Ends the leases of all runs there are, and names their threads: nothing is sent for them any more. */
  public List<String> abandonAll() {
    List<String> names = new ArrayList<>();
    for (HandlerRun<?, ?> run : runs()) {
      if (!run.hasEnded()) {
        losses.lose(run.lease(), LossReason.CLOSED);
      }
      names.add("thread " + run.threadName() + " still runs");
    }
    return names;
  }

  /** Waits up to {@code nanos} for all runs to end; true when they have. */
  public boolean awaitEnded(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long until = timing.nanoTime() + nanos;
      for (long left = nanos; !running.isEmpty() && left > 0; left = until - timing.nanoTime()) {
        ended.await(left);
      }
      return running.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private List<HandlerRun<?, ?>> runs() {
    lock.lock();
    try {
      return List.copyOf(running);
    } finally {
      lock.unlock();
    }
  }
}
