package io.queueworker.examples.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A worker as its parent sees it, from its start to its end.
 *
 * <pre>{@code
 *  STARTING ──reports that it is ready──► READY ◄──stop, continue──► FROZEN
 *      └──────────────── killed, or ended by itself, from each ────────────► ENDED
 * }</pre>
 *
 * Thread-safe.
 */
final class WorkerProcess {

  /** Who wants to know. Called on the thread that reads the worker's reports. */
  interface Ear {
    void heard(WorkerProcess worker, Report report);

    void ended(WorkerProcess worker);
  }

  /** What it is doing, as far as the parent knows. */
  private enum State {
    STARTING,
    READY,
    FROZEN,
    ENDED
  }

  private static final int EXIT_CODE_OF_SIGKILL = 128 + 9;

  private final String name;
  private final Process process;
  private final Ear ear;
  private final Set<String> inFlight = ConcurrentHashMap.newKeySet();
  private final Thread reader;
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by lock.
  private State state = State.STARTING;
  private boolean killed;
  private @Nullable StopGuard guard;

  private WorkerProcess(String name, Process process, Ear ear) {
    this.name = name;
    this.process = process;
    this.ear = ear;
    this.reader = Thread.ofPlatform().daemon().name("reports-" + name).unstarted(this::read);
  }

  /** Reads the reports of a process that was started for this. */
  static WorkerProcess of(String name, Process process, Ear ear) {
    WorkerProcess worker = new WorkerProcess(name, process, ear);
    worker.reader.start();
    return worker;
  }

  /** Its name. */
  String name() {
    return name;
  }

  private void read() {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Report report = Report.parse(name, line, System.nanoTime());
        take(report);
        ear.heard(this, report);
      }
    } catch (IOException e) {
      throw new IllegalStateException("the reports of " + name + " cannot be read", e);
    } finally {
      become(State.ENDED);
      ear.ended(this);
    }
  }

  private void take(Report report) {
    switch (report.step()) {
      case READY -> become(State.READY);
      case RECEIVED -> inFlight.add(report.messageId());
      case DELETED, RELEASED, LOST -> inFlight.remove(report.messageId());
      default -> {
        // It changes nothing here.
      }
    }
  }

  private void become(State next) {
    lock.lock();
    try {
      state = next;
    } finally {
      lock.unlock();
    }
  }

  /** Whether it does not receive yet. */
  boolean isStarting() {
    return is(State.STARTING);
  }

  /** Whether it receives: it is neither starting, frozen nor at its end. */
  boolean isReady() {
    return is(State.READY);
  }

  /** Whether it has messages in flight, as far as was reported. */
  boolean isBusy() {
    return !inFlight.isEmpty();
  }

  /** Whether it stands still. */
  boolean isFrozen() {
    return is(State.FROZEN);
  }

  private boolean is(State wanted) {
    lock.lock();
    try {
      return state == wanted;
    } finally {
      lock.unlock();
    }
  }

  /** Kills it with SIGKILL, if it is ready or frozen. Says whether it did. */
  boolean kill() {
    lock.lock();
    try {
      if (state != State.READY && state != State.FROZEN) {
        return false;
      }
      // By its handle: Process.destroyForcibly() would also close the pipe in which its last reports are.
      killed = process.toHandle().destroyForcibly();
      state = State.ENDED;
      return killed;
    } finally {
      lock.unlock();
    }
  }

  /** Stops it with SIGSTOP, if it is ready. Says whether it did. */
  boolean freeze(StopGuard withGuard) throws IOException {
    lock.lock();
    try {
      if (state != State.READY) {
        return false;
      }
      withGuard.stop(process);
      guard = withGuard;
      state = State.FROZEN;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Continues it, if it stands still. */
  void thaw() throws IOException, InterruptedException {
    lock.lock();
    try {
      if (guard != null) {
        guard.end();
        guard = null;
      }
      if (state == State.FROZEN) {
        state = State.READY;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Asks it to close, with SIGTERM. */
  void close() {
    process.toHandle().destroy(); // Process.destroy() would close its standard input, which says that this process died
  }

  /** Waits for its end and its last report; false when it takes longer. */
  boolean awaitEnd(long seconds) throws InterruptedException {
    return process.waitFor(seconds, TimeUnit.SECONDS) && reader.join(java.time.Duration.ofSeconds(seconds));
  }

  /** Ends it whatever it does. */
  void end() {
    process.toHandle().destroyForcibly();
  }

  /** Whether it was killed, by this process and by the operating system's word. */
  boolean wasKilled() {
    lock.lock();
    try {
      return killed && !process.isAlive() && process.exitValue() == EXIT_CODE_OF_SIGKILL;
    } finally {
      lock.unlock();
    }
  }

  /** Whether it ended although nobody killed it. */
  boolean hasFailed() {
    lock.lock();
    try {
      return state == State.ENDED && !killed;
    } finally {
      lock.unlock();
    }
  }
}
