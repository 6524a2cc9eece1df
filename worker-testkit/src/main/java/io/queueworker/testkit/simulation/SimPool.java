package io.queueworker.testkit.simulation;

import io.queueworker.testkit.simulation.SimThread.Wake;
import io.queueworker.timing.Timing.ThreadPool;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A pool of simulated threads that start on demand. Not thread-safe: used by the thread that holds the baton. */
final class SimPool implements ThreadPool {

  private final Scheduler scheduler;
  private final SimulatedMachine machine;
  private final String name;
  private final int most;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Deque<SimThread> idle = new ArrayDeque<>();
  private int threads;
  private boolean shutDown;

  SimPool(Scheduler scheduler, SimulatedMachine machine, String name, int most) {
    if (most < 1) {
      throw new IllegalArgumentException("pool '" + name + "' with " + most + " threads: give 1 or more");
    }
    this.scheduler = scheduler;
    this.machine = machine;
    this.name = name;
    this.most = most;
  }

  @Override
  public boolean execute(Runnable task) {
    if (shutDown) {
      return false;
    }
    tasks.add(task);
    SimThread waiting = idle.poll();
    if (waiting != null) {
      scheduler.wake(waiting, Wake.SIGNALLED);
    } else if (threads < most) {
      threads++;
      scheduler.start(machine, name + "-" + threads, this::work);
    }
    return true;
  }

  @Override
  public void shutdown() {
    shutDown = true;
    idle.forEach(thread -> scheduler.wake(thread, Wake.SIGNALLED));
    idle.clear();
  }

  private void work() {
    SimThread self = scheduler.self();
    while (true) {
      Runnable task = next(self);
      if (task == null) {
        return;
      }
      try {
        task.run();
      } catch (Unwound over) {
        throw over;
      } catch (Throwable thrown) {
        scheduler.uncaught(self, thrown);
      }
      // A flag that a task leaves set must not reach the next task.
      Thread.interrupted();
    }
  }

  private @Nullable Runnable next(SimThread self) {
    while (tasks.isEmpty()) {
      if (shutDown) {
        return null;
      }
      idle.add(self);
      scheduler.block(self, Timeline.FOREVER);
      idle.remove(self);
    }
    return tasks.poll();
  }
}
