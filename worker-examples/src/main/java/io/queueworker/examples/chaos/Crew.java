package io.queueworker.examples.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a run: a fixed number at a time, each replaced as soon as it is killed. Closing it closes them cleanly.
 * Thread-safe.
 */
final class Crew implements AutoCloseable, WorkerProcess.Ear {

  private static final long LONGEST_CLOSE_SECONDS = 40; // a worker's drain budget is 25 s
  private static final int HEAP_MEGABYTES = 96;

  private final ChildJvm jvm;
  private final Journal journal;
  private final List<String> arguments;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile @Nullable Trap trap;

  // All guarded by lock.
  private final List<WorkerProcess> everyone = new ArrayList<>();
  private final List<WorkerProcess> current = new ArrayList<>();
  private boolean closing;
  private boolean closedBadly;

  /** Workers that take their name and then these arguments. */
  Crew(ChildJvm jvm, Journal journal, String... arguments) {
    this.jvm = jvm;
    this.journal = journal;
    this.arguments = List.of(arguments);
  }

  /** Starts one more worker. */
  void start() throws IOException {
    lock.lock();
    try {
      String name = "worker-" + (everyone.size() + 1);
      List<String> all = new ArrayList<>(List.of(name));
      all.addAll(arguments);
      WorkerProcess worker =
          WorkerProcess.of(name, jvm.start(ChaosWorkerMain.class, HEAP_MEGABYTES, all.toArray(String[]::new)), this);
      everyone.add(worker);
      current.add(worker);
    } finally {
      lock.unlock();
    }
  }

  /** Starts a worker in the place of one that was killed. */
  void replace(WorkerProcess killed) throws IOException {
    lock.lock();
    try {
      current.remove(killed);
      start();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void heard(WorkerProcess worker, Report report) {
    // First what is urgent: the worker goes on meanwhile.
    Trap set = trap;
    if (set != null) {
      set.heard(worker, report);
    }
    journal.add(report);
    signal();
  }

  @Override
  public void ended(WorkerProcess worker) {
    signal();
  }

  /** Wakes who waits for a change. */
  void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Sets a trap and waits until it has sprung. Says whether it has; if not, it is removed. */
  boolean trap(Step step, Trap.Strike strike, Duration atMost) throws InterruptedException {
    Trap set = new Trap(step, strike);
    trap = set;
    try {
      return set.await(atMost);
    } finally {
      trap = null;
    }
  }

  /** Waits until at most so many workers are starting. */
  boolean awaitStartingAtMost(int count, Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      return await(() -> count(WorkerProcess::isStarting) <= count, atMost);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until at most so many workers stand still. */
  boolean awaitFrozenAtMost(int count, Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      return await(() -> count(WorkerProcess::isFrozen) <= count, atMost);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a ready worker with messages in flight and draws one; null when that takes longer. */
  @Nullable
  WorkerProcess awaitBusy(RandomGenerator random, Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      Predicate<WorkerProcess> busy = worker -> worker.isReady() && worker.isBusy();
      if (!await(() -> count(busy) > 0, atMost)) {
        return null;
      }
      List<WorkerProcess> choice = current.stream().filter(busy).toList();
      return choice.isEmpty() ? null : choice.get(random.nextInt(choice.size()));
    } finally {
      lock.unlock();
    }
  }

  private interface Goal {
    boolean isReached();
  }

  /** Holds the lock but while it waits. False when time is up or a worker has failed. */
  private boolean await(Goal goal, Duration atMost) throws InterruptedException {
    long left = atMost.toNanos();
    while (!goal.isReached()) {
      if (left <= 0 || hasFailed()) {
        return false;
      }
      left = changed.awaitNanos(left);
    }
    return true;
  }

  private int count(Predicate<WorkerProcess> what) {
    return (int) current.stream().filter(what).count();
  }

  /** Whether a worker ended that nobody killed or closed, or did not close when it should. */
  boolean hasFailed() {
    lock.lock();
    try {
      return closedBadly || (!closing && everyone.stream().anyMatch(WorkerProcess::hasFailed));
    } finally {
      lock.unlock();
    }
  }

  /** How many workers were killed, by the operating system's word. */
  int kills() {
    lock.lock();
    try {
      return (int) everyone.stream().filter(WorkerProcess::wasKilled).count();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the workers that are left with SIGTERM and waits until they are closed and all was read. Twice is no error. */
  @Override
  public void close() throws IOException, InterruptedException {
    List<WorkerProcess> all;
    List<WorkerProcess> left;
    lock.lock();
    try {
      if (closing) {
        return;
      }
      closedBadly = hasFailed();
      closing = true;
      all = List.copyOf(everyone);
      left = List.copyOf(current);
    } finally {
      lock.unlock();
    }
    for (WorkerProcess worker : left) {
      worker.thaw();
      worker.close();
    }
    boolean clean = true;
    for (WorkerProcess worker : all) {
      if (!worker.awaitEnd(LONGEST_CLOSE_SECONDS)) {
        clean = false;
        worker.end();
      }
    }
    if (!clean) {
      lock.lock();
      try {
        closedBadly = true;
      } finally {
        lock.unlock();
      }
    }
  }
}
