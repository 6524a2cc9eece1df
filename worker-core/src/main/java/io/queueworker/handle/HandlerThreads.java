package io.queueworker.handle;

import io.queueworker.LossReason;
import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseClock;
import io.queueworker.lease.LeaseRegistry;
import io.queueworker.lease.Losses;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.LeftForRedrive;
import io.queueworker.settle.Rejects;
import io.queueworker.settle.Settler;
import io.queueworker.timing.KeeperLock;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadKind;
import io.queueworker.timing.Timing.WaitPoint;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The handler runs of a worker, each on a virtual thread: starts them, knows which are of the same message, and hands their
 * messages to settlement when they end. Thread-safe.
 */
public final class HandlerThreads {

  private final Timing timing;
  private final LeaseClock clock;
  private final LeaseRegistry registry;
  private final Losses losses;
  private final Settler settler;
  private final Rejects rejects;
  private final String threadPrefix;
  private final GateOutage gateOutage;
  private final StuckHandlers stuck;
  private final Consumer<WorkerEvent> events;

  private final ReentrantLock lock = new KeeperLock();
  private final WaitPoint ended;
  private final Map<String, Deque<HandlerRun<?, ?>>> byMessage = new HashMap<>();
  private int count;
  private boolean draining;
  private volatile boolean closing;

  /** Threads named {@code threadPrefix} and a message id. */
  public HandlerThreads(
      Timing timing,
      LeaseClock clock,
      LeaseRegistry registry,
      Losses losses,
      Settler settler,
      Rejects rejects,
      String threadPrefix,
      long maxProcessing,
      GateOutage gateOutage,
      Consumer<WorkerEvent> events) {
    this.timing = timing;
    this.clock = clock;
    this.registry = registry;
    this.losses = losses;
    this.settler = settler;
    this.rejects = rejects;
    this.threadPrefix = threadPrefix;
    this.gateOutage = gateOutage;
    this.stuck = new StuckHandlers(maxProcessing, events);
    this.events = events;
    this.ended = timing.waitPoint(lock);
  }

  /** Starts the run of one leased message; {@code permit} gives its permit back. */
  public <T, R> void start(RunParts parts, Work<T, R> work, Lease lease, Runnable permit) {
    String name = threadPrefix + lease.message().id();
    HandlerRun<T, R> run = new HandlerRun<>(parts, work, lease, name, permit);
    boolean late;
    lock.lock();
    try {
      byMessage.computeIfAbsent(run.messageId(), id -> new ArrayDeque<>()).addLast(run);
      count++;
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
      forget(run);
      throw t;
    }
  }

  /** Whether a run of the same message was here first and has not ended. */
  boolean earlierRuns(HandlerRun<?, ?> run) {
    lock.lock();
    try {
      Deque<HandlerRun<?, ?>> runs = byMessage.get(run.messageId());
      return runs != null && runs.peekFirst() != run;
    } finally {
      lock.unlock();
    }
  }

  /** Takes a run that ended, and settles its message. */
  void ended(HandlerRun<?, ?> run, Ending ending) {
    Lease lease = run.lease();
    gateAnswered(run);
    try {
      switch (ending) {
        case Ending.Delete delete -> settler.delete(lease, delete.committedAt(), run.permit());
        // One that waits behind has the message by a second receive and starts now: a release would act on what it holds.
        case Ending.Release release when runsOf(run.messageId()) == 1 ->
            settler.release(lease, release.delay(), run.permit());
        case Ending.Release beside -> leave(run);
        case Ending.Reject reject when runsOf(run.messageId()) == 1 ->
            rejects.reject(lease, reject.why(), run.permit(), () -> leave(run));
        // The run behind decides for both.
        case Ending.Reject beside -> leave(run);
        case Ending.Leave leave -> leave(run);
        case Ending.Lost lost -> {
          review(lease);
          run.permit().run();
        }
      }
    } finally {
      forget(run);
      stuck.ended(run);
    }
  }

  /**
   * Sends back a message that came too late to be worked on. One that an earlier run in this process still works on is left
   * instead: its next handler would start beside that one.
   */
  public void giveBack(Lease lease) {
    if (runsOf(lease.message().id()) > 0) {
      leave(lease);
    } else {
      settler.release(lease, Duration.ZERO, () -> {});
    }
  }

  private void leave(HandlerRun<?, ?> run) {
    leave(run.lease());
    run.permit().run();
  }

  private int runsOf(String messageId) {
    lock.lock();
    try {
      return byMessage.getOrDefault(messageId, new ArrayDeque<>(0)).size();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the lease without a call. What was lost meanwhile, as in a standstill of the process, is told of as lost instead. */
  private void leave(Lease lease) {
    if (lease.releasing(clock.now(), () -> {})) {
      lease.settled();
      registry.remove(lease);
      events.accept(new LeftForRedrive(lease.message().id(), lease.message().receiveCount()));
    } else {
      review(lease);
    }
  }

  private void forget(HandlerRun<?, ?> run) {
    HandlerRun<?, ?> next = null;
    lock.lock();
    try {
      Deque<HandlerRun<?, ?>> runs = byMessage.get(run.messageId());
      if (runs != null && runs.remove(run)) {
        count--;
        next = runs.peekFirst();
        if (next == null) {
          byMessage.remove(run.messageId());
        }
      }
      ended.signalAll();
    } finally {
      lock.unlock();
    }
    if (next != null) {
      next.thread().wake();
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
    losses.review(lease, clock.now());
  }

  /** Watches a run that should end, unless it has: a release that comes too late tells of its loss after the run. */
  void watch(HandlerRun<?, ?> run) {
    lock.lock();
    try {
      Deque<HandlerRun<?, ?>> runs = byMessage.get(run.messageId());
      if (runs != null && runs.contains(run)) {
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
      for (long left = nanos; count > 0 && left > 0; left = until - timing.nanoTime()) {
        ended.await(left);
      }
      return count == 0;
    } finally {
      lock.unlock();
    }
  }

  private List<HandlerRun<?, ?>> runs() {
    lock.lock();
    try {
      List<HandlerRun<?, ?>> all = new ArrayList<>(count);
      byMessage.values().forEach(all::addAll);
      return all;
    } finally {
      lock.unlock();
    }
  }
}
