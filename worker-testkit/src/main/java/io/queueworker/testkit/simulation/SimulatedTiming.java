package io.queueworker.testkit.simulation;

import io.queueworker.testkit.simulation.SimThread.Wake;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A {@link Timing} in virtual time that runs one thread at a time, reproducibly from a seed.
 *
 * <p>Real code runs on real (virtual) threads, but only the one that holds the baton runs; it gives the baton up when it
 * waits through this seam, or ends. The seed chooses which of the threads that can run goes next. When none can,
 * virtual time jumps to the next timer. The same seed and the same code give the same run.
 *
 * <p>Simulated code must not wait in another way (latches, futures, {@code Thread.sleep}, blocking I/O on another
 * simulated thread) and must hold no lock while it waits, except the one of its wait point. A step that hangs for real is
 * reported with its stack.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time. Other threads may only read the clocks.
 */
public final class SimulatedTiming implements Timing {

  private final Scheduler scheduler;
  private final SimulatedMachine home;
  private int machines;

  private SimulatedTiming(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.home = new SimulatedMachine(scheduler, "home", Duration.ZERO);
  }

  /** {@link #run(long, SimulationLimits, ThrowingConsumer)} with the default limits. */
  public static void run(long seed, ThrowingConsumer<SimulatedTiming> body) {
    run(seed, SimulationLimits.defaults(), body);
  }

  /**
   * Runs {@code body} as the first simulated thread, and returns when it and all threads have ended. When the body returns
   * or throws, the threads that are left, also those of killed machines, are ended by an error thrown from their waits; what
   * they log and do then means nothing.
   *
   * <p>Blocks the caller in real time. An interrupt of the caller ends the simulation and leaves the caller's flag set.
   *
   * @throws SimulationFailure when the body throws, when a thread ended by a throwable, when nothing can ever run again,
   *     or when a limit is passed; the message names the seed
   */
  public static void run(long seed, SimulationLimits limits, ThrowingConsumer<SimulatedTiming> body) {
    Scheduler scheduler = new Scheduler(seed, limits);
    SimulatedTiming timing = new SimulatedTiming(scheduler);
    scheduler.begin(timing.home, () -> timing.runBody(body));
    SimulationFailure failure;
    try {
      failure = scheduler.await();
    } catch (InterruptedException interrupted) {
      scheduler.halt("the thread that ran the simulation was interrupted");
      Thread.currentThread().interrupt();
      throw new SimulationFailure(seed, "the thread that ran it was interrupted", interrupted);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void runBody(ThrowingConsumer<SimulatedTiming> body) {
    try {
      body.accept(this);
      scheduler.bodyEnded(null);
    } catch (Unwound over) {
      throw over;
    } catch (Throwable thrown) {
      scheduler.bodyEnded(thrown);
    }
  }

  /** The seed of this run. */
  public long seed() {
    return scheduler.seed;
  }

  /** Virtual time since the start. */
  public Duration elapsed() {
    return Duration.ofNanos(scheduler.time.elapsed());
  }

  /** Whether the body has ended, so that threads are only being ended and what they still do means nothing. */
  public boolean isOver() {
    return scheduler.isStopping();
  }

  /** A new machine; {@code wallOffset} is how far its wall clock is ahead of this one's, or behind when negative. */
  public SimulatedMachine machine(Duration wallOffset) {
    return machine("machine-" + (machines + 1), wallOffset);
  }

  /** A new machine with a name, for failures and for the log of calls. */
  public SimulatedMachine machine(String name, Duration wallOffset) {
    machines++;
    return new SimulatedMachine(scheduler, name, wallOffset);
  }

  /** The machine whose clocks and threads this object gives. */
  public SimulatedMachine home() {
    return home;
  }

  /** Keeps every change of the running thread from here on, in a list that grows. */
  public List<Step> recordSteps() {
    return scheduler.recordSteps();
  }

  /**
   * Makes the calling simulated thread, of whichever machine, wait for {@code length}. Zero lets any other thread that can
   * run go first.
   *
   * @throws InterruptedException when the thread is interrupted before or meanwhile
   */
  public void sleep(Duration length) throws InterruptedException {
    SimThread self = scheduler.self();
    if (Thread.interrupted() || scheduler.block(self, length.toNanos()) == Wake.INTERRUPTED) {
      throw new InterruptedException();
    }
  }

  /** {@link #sleep} for code that nobody interrupts, such as the body. */
  public void advance(Duration length) {
    try {
      sleep(length);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in advance(" + length + "): use sleep there", interrupted);
    }
  }

  /** {@link #await(String, BooleanSupplier, Duration)} without words for the condition. */
  public void await(BooleanSupplier condition, Duration atMost) {
    await("the condition", condition, atMost);
  }

  /**
   * Waits in virtual time until {@code condition} is true. It is looked at after every step of another thread, and the
   * caller goes on in the very moment it came true. It must not wait or change anything.
   *
   * @param what the condition in words, for the failure
   * @throws AssertionError when it is not true within {@code atMost}
   */
  public void await(String what, BooleanSupplier condition, Duration atMost) {
    SimThread self = scheduler.self();
    if (condition.getAsBoolean()) {
      return;
    }
    self.condition = condition;
    Wake wake;
    try {
      wake = scheduler.block(self, atMost.toNanos());
    } finally {
      self.condition = null;
    }
    Throwable thrown = self.conditionFailure;
    self.conditionFailure = null;
    if (thrown != null) {
      throw new AssertionError(what + " could not be looked at: " + thrown, thrown);
    }
    if (wake == Wake.TIMED_OUT && !condition.getAsBoolean()) {
      throw new AssertionError(what + " did not come true within " + atMost + " of virtual time");
    }
    if (wake == Wake.INTERRUPTED) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + what);
    }
  }

  /**
   * Makes {@code action} happen after {@code length} of virtual time, between two steps and whatever has become of any
   * machine: what a modelled service does with a request that is under way. It must not wait.
   */
  public void after(Duration length, Runnable action) {
    scheduler.time.after(length.toNanos(), action);
  }

  /** Stops every thread of every machine while virtual time moves by {@code length}; all timers fire late. */
  public void freeze(Duration length) {
    scheduler.self();
    scheduler.time.skip(length.toNanos());
  }

  /** Moves the wall clock of the home machine, also back, without the monotonic one. */
  public void leapWallClock(Duration by) {
    home.leapWallClock(by);
  }

  @Override
  public long nanoTime() {
    return home.nanoTime();
  }

  @Override
  public Instant now() {
    return home.now();
  }

  @Override
  public double random() {
    return home.random();
  }

  @Override
  public WaitPoint waitPoint(ReentrantLock lock) {
    return home.waitPoint(lock);
  }

  @Override
  public WorkerThread start(ThreadKind kind, String name, Runnable body) {
    return home.start(kind, name, body);
  }

  @Override
  public ThreadPool pool(String name, int threads) {
    return home.pool(name, threads);
  }

  Scheduler scheduler() {
    return scheduler;
  }
}
