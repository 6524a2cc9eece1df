package io.queueworker.testkit.simulation;

import io.queueworker.testkit.simulation.SimThread.State;
import io.queueworker.testkit.simulation.SimThread.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides which simulated thread runs next, and moves virtual time when none can.
 *
 * <p>Not thread-safe: all state belongs to the thread that holds the baton; handing it over publishes the state. Only
 * {@link #await()}, {@link #halt} and reading the elapsed time are for other threads.
 */
final class Scheduler {

  final long seed;
  final Timeline time = new Timeline();
  final SplittableRandom draws;
  private final SimulationLimits limits;
  private final SplittableRandom order;
  private final List<SimThread> runnable = new ArrayList<>();
  private final Watch watch = new Watch();
  private final Set<SimThread> alive = new LinkedHashSet<>();
  private final Outcome outcome = new Outcome();
  private final AtomicLong steps = new AtomicLong();
  private volatile @Nullable SimThread current;
  private @Nullable List<Step> trail;

  Scheduler(long seed, SimulationLimits limits) {
    this.seed = seed;
    this.limits = limits;
    this.order = new SplittableRandom(seed);
    this.draws = order.split();
  }

  /** Whether the body has ended or failed, and threads are only being ended. */
  boolean isStopping() {
    return outcome.isStopping();
  }

  /** Keeps every step from here on. */
  List<Step> recordSteps() {
    List<Step> kept = new ArrayList<>();
    trail = kept;
    return kept;
  }

  /** The simulated thread that calls this. */
  SimThread self() {
    SimThread running = current;
    if (running == null || !running.isCurrent()) {
      throw new IllegalStateException(
          "thread '" + Thread.currentThread().getName() + "' is not simulated: wait and start threads only inside"
              + " SimulatedTiming.run, on threads that its Timing started");
    }
    return running;
  }

  /** Adds a thread that may run from now on. */
  SimThread start(SimulatedMachine machine, String name, Runnable body) {
    SimThread thread = new SimThread(this, machine, name, body);
    if (outcome.isStopping() || machine.isKilled()) {
      thread.state = State.ENDED;
      return thread;
    }
    alive.add(thread);
    ready(thread);
    return thread;
  }

  /** Starts the first thread; it has the baton at once. */
  void begin(SimulatedMachine machine, Runnable body) {
    SimThread first = new SimThread(this, machine, "body", body);
    alive.add(first);
    handOver(first);
  }

  /** Makes the calling thread wait until it is woken, at most {@code nanos}. */
  Wake block(SimThread self, long nanos) {
    if (outcome.isStopping()) {
      self.unwind();
    }
    self.state = State.WAITING;
    self.timer = nanos == Timeline.FOREVER ? null : time.after(nanos, () -> wake(self, Wake.TIMED_OUT));
    watch.add(self);
    pass(self);
    return self.wake;
  }

  /** Ends a thread's wait; nothing when it does not wait. */
  void wake(SimThread thread, Wake reason) {
    if (thread.state == State.WAITING) {
      stopWaiting(thread, reason);
      ready(thread);
    }
  }

  /** Interrupts: a waiting thread wakes, another one finds its flag set. */
  void interrupt(SimThread thread) {
    if (thread.isCurrent()) {
      Thread.currentThread().interrupt();
    } else if (thread.state == State.WAITING) {
      wake(thread, Wake.INTERRUPTED);
    } else {
      thread.interruptPending = true;
    }
  }

  /** Takes the threads of a machine out of those that may run; the caller too, when it is one of them. */
  void hold(SimulatedMachine machine) {
    runnable.removeIf(thread -> thread.machine == machine);
    for (SimThread thread : alive) {
      if (thread.machine == machine && thread.state == State.RUNNABLE) {
        thread.state = State.HELD;
      }
    }
    SimThread running = current;
    // A timer runs on whatever thread gave the baton up; that one waits already and is not stopped here.
    if (running != null && running.isCurrent() && running.machine == machine && running.state == State.RUNNING) {
      running.state = State.HELD;
      pass(running);
    }
  }

  /** Lets the threads of a machine that could have run meanwhile run. */
  void unhold(SimulatedMachine machine) {
    for (SimThread thread : alive) {
      if (thread.machine == machine && thread.state == State.HELD) {
        ready(thread);
      }
    }
  }

  /** Makes every running wait of a machine's threads longer, because its clock stood still. */
  void postponeWaits(SimulatedMachine machine, long nanos) {
    for (SimThread thread : alive) {
      if (thread.machine == machine) {
        thread.timer = time.postpone(thread.timer, nanos);
      }
    }
  }

  /** A thread ended by a throwable of its own. */
  void uncaught(SimThread thread, Throwable thrown) {
    outcome.uncaught(new SimulationFailure(seed, "thread '" + thread.name() + "' ended by " + thrown, thrown));
  }

  /** A thread will not run again: the next one does. */
  void ended(SimThread thread) {
    thread.state = State.ENDED;
    alive.remove(thread);
    SimThread next = next();
    if (next == null) {
      outcome.over();
    } else {
      handOver(next);
    }
  }

  /** The body ended; with a throwable when it failed. Everything else is ended from here on. */
  void bodyEnded(@Nullable Throwable thrown) {
    outcome.stop(thrown == null ? null : new SimulationFailure(seed, "at " + at() + ": " + thrown, thrown));
  }

  /** Ends the simulation from outside because its running thread does not move. */
  void halt(String why) {
    SimThread running = current;
    outcome.stop(new SimulationFailure(seed, why + Standstill.of(running), null));
    if (running != null) {
      running.carrier().interrupt();
    }
  }

  /** Waits, by the real clock, until every thread has ended, and gives back what failed. */
  @Nullable
  SimulationFailure await() throws InterruptedException {
    long seen = -1;
    long idleSeconds = 0;
    while (!outcome.awaitSecond()) {
      long now = steps.get();
      idleSeconds = now == seen ? idleSeconds + 1 : 0;
      seen = now;
      if (idleSeconds >= Math.max(1, limits.realTimePerStep().toSeconds())) {
        halt("one step took longer than " + limits.realTimePerStep() + " of real time; simulated code may wait only"
            + " through its Timing, and must hold no other lock while it does");
        break;
      }
    }
    return outcome.failure();
  }

  private void pass(SimThread self) {
    SimThread next = next();
    if (next != self) {
      if (next == null) {
        outcome.over();
      } else {
        handOver(next);
      }
      self.takeBaton();
    }
    begins(self);
  }

  /** A thread has the baton and goes on, unless the simulation is over. */
  void begins(SimThread self) {
    current = self;
    self.state = State.RUNNING;
    if (outcome.isStopping()) {
      self.unwind();
    }
    if (self.interruptPending) {
      self.interruptPending = false;
      Thread.currentThread().interrupt();
    }
  }

  private void handOver(SimThread next) {
    current = next;
    next.giveBaton();
  }

  private void ready(SimThread thread) {
    if (thread.machine.isHalted()) {
      thread.state = State.HELD;
    } else {
      thread.state = State.RUNNABLE;
      runnable.add(thread);
    }
  }

  private void stopWaiting(SimThread thread, Wake reason) {
    time.cancel(thread.timer);
    thread.timer = null;
    thread.wake = reason;
    watch.remove(thread);
  }

  private @Nullable SimThread next() {
    while (!outcome.isStopping()) {
      time.fireDue();
      // A thread whose condition came true goes first, so that it sees the moment it waited for.
      SimThread next = watch.reached();
      if (next != null) {
        stopWaiting(next, Wake.SIGNALLED);
      } else if (!runnable.isEmpty()) {
        next = drawn();
      }
      if (next != null) {
        return counted(next);
      }
      if (!time.jump()) {
        fail("nothing can ever run again at " + at());
      } else if (time.elapsed() > limits.virtualTime().toNanos()) {
        fail("virtual time passed " + limits.virtualTime());
      }
    }
    return nextToUnwind();
  }

  private SimThread drawn() {
    int at = order.nextInt(runnable.size());
    int last = runnable.size() - 1;
    SimThread drawn = runnable.get(at);
    runnable.set(at, runnable.get(last));
    runnable.remove(last);
    return drawn;
  }

  /** Ends the simulation as failed, with what every thread does. */
  void fail(String why) {
    outcome.stop(new SimulationFailure(seed, why + Standstill.of(alive), null));
  }

  private @Nullable SimThread counted(SimThread next) {
    if (steps.incrementAndGet() > limits.steps()) {
      fail("more than " + limits.steps() + " steps at " + at());
      return nextToUnwind();
    }
    if (trail != null) {
      trail.add(new Step(next.name(), at()));
    }
    return next;
  }

  private @Nullable SimThread nextToUnwind() {
    alive.removeIf(thread -> !thread.isStarted());
    return alive.isEmpty() ? null : alive.iterator().next();
  }

  private Duration at() {
    return Duration.ofNanos(time.elapsed());
  }
}
