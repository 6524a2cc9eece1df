package io.queueworker.testkit.simulation;

import io.queueworker.timing.Timing.WorkerThread;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A simulated thread: a real virtual thread that runs only while it holds the baton.
 *
 * <pre>
 *  RUNNABLE ──baton──► RUNNING ──body ends──► ENDED
 *     ▲  ▲                │ waits
 *     │  └── woken ── WAITING
 *     └── thawed ── HELD ◄── would be runnable, but its machine is frozen
 * </pre>
 *
 * <p>Not thread-safe: every field but {@link #baton} belongs to the thread that holds the baton.
 */
final class SimThread implements WorkerThread {

  /** Where a thread stands. */
  enum State {
    /** May be chosen to run next. */
    RUNNABLE,
    /** Holds the baton. */
    RUNNING,
    /** Waits for a signal, a timer, a condition or an answer. */
    WAITING,
    /** Would be runnable if its machine were not frozen. */
    HELD,
    /** Has run to its end. */
    ENDED
  }

  /** Why a wait ended. */
  enum Wake {
    SIGNALLED,
    TIMED_OUT,
    INTERRUPTED
  }

  /** After this many refused waits a thread that swallows {@link Unwound} is left parked for good. */
  private static final int MOST_UNWINDS = 100;

  final SimulatedMachine machine;
  State state = State.RUNNABLE;
  Wake wake = Wake.SIGNALLED;
  boolean interruptPending;
  @Nullable Timer timer;
  @Nullable BooleanSupplier condition;
  @Nullable Throwable conditionFailure;

  private final Scheduler scheduler;
  private final String name;
  private final Thread thread;
  private boolean started;
  private int unwinds;
  private volatile boolean baton;

  SimThread(Scheduler scheduler, SimulatedMachine machine, String name, Runnable body) {
    this.scheduler = scheduler;
    this.machine = machine;
    this.name = name;
    this.thread = Thread.ofVirtual().name(name).unstarted(() -> run(body));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isAlive() {
    return state != State.ENDED && !machine.isKilled();
  }

  @Override
  public boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  @Override
  public void interrupt() {
    scheduler.interrupt(this);
  }

  /** Whether the real thread has been started. */
  boolean isStarted() {
    return started;
  }

  /** The real thread, for stack traces and a last-resort interrupt. */
  Thread carrier() {
    return thread;
  }

  /** Lets this thread run. The caller must stop running or park right after. */
  void giveBaton() {
    baton = true;
    if (started) {
      LockSupport.unpark(thread);
    } else {
      started = true;
      thread.start();
    }
  }

  /** Parks until this thread has the baton. */
  void takeBaton() {
    while (!baton) {
      LockSupport.park(this);
      // A real interrupt, by code outside the seam, would make every park return at once.
      if (Thread.interrupted()) {
        interruptPending = true;
      }
    }
    baton = false;
  }

  /** Ends this thread because the simulation is over. */
  void unwind() {
    if (++unwinds > MOST_UNWINDS) {
      abandon();
    }
    throw new Unwound();
  }

  /** Passes the baton on and never runs again. */
  void abandon() {
    scheduler.ended(this);
    while (true) {
      LockSupport.park(this);
    }
  }

  private void run(Runnable body) {
    takeBaton();
    try {
      scheduler.begins(this);
      body.run();
    } catch (Unwound over) {
      // The simulation ended while this thread was waiting.
    } catch (Throwable thrown) {
      scheduler.uncaught(this, thrown);
    }
    scheduler.ended(this);
  }

  @Override
  public String toString() {
    return name + " " + state;
  }
}
