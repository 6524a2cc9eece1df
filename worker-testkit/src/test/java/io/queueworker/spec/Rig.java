package io.queueworker.spec;

import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import io.queueworker.testkit.simulation.ThrowingConsumer;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** One queue named "orders" without faults, and what happened to the workers on it. Not thread-safe, as simulations are. */
final class Rig {
  final SimulatedTiming timing;
  final SimulatedQueue queue;
  final Trail trail;
  final CountedThreads threads;
  private int workers;

  private Rig(SimulatedTiming timing) {
    this.timing = timing;
    this.queue = SimulatedQueue.standard(timing, "orders").maxReceiveCount(100);
    this.trail = Trail.in(timing);
    this.threads = new CountedThreads(timing);
  }

  /** A worker on the queue, in virtual time and on the trail; the first is named worker-1. */
  WorkerBuilder<String> worker() {
    return on(queue);
  }

  /** A worker on another queue. */
  WorkerBuilder<String> on(SimulatedQueue other) {
    workers++;
    return QueueWorker.of(other.connect())
        .workerId("worker-" + workers)
        .inlineListener(trail)
        .timing(threads);
  }

  /** Puts so many messages on the queue, with the bodies "0", "1" and on, and gives back their ids. */
  List<String> send(int count) {
    return queue.sendAll(IntStream.range(0, count).mapToObj(Integer::toString).toList());
  }

  /** Waits until nothing is on the queue. */
  void awaitEmpty() {
    timing.await("the queue is empty", queue::isEmpty, Duration.ofHours(1));
  }

  /** Waits for so many events of a kind. */
  void awaitCount(Class<?> kind, int least) {
    timing.await(
        least + " times " + kind.getSimpleName(), () -> trail.count(kind) >= least, Duration.ofHours(1));
  }

  /** The standing rules, for workers of the default concurrency. */
  void checkRules() {
    checkRulesFor(64);
  }

  /** The standing rules, for workers of this concurrency. */
  void checkRulesFor(int maxConcurrency) {
    Invariants.check(trail, maxConcurrency, queue);
  }

  /** Runs a spec from a seed. */
  static void run(long seed, ThrowingConsumer<Rig> spec) {
    SimulatedTiming.run(seed, timing -> spec.accept(new Rig(timing)));
  }

  /** A timing that keeps the threads started through it. Not thread-safe, as simulations are. */
  static final class CountedThreads implements Timing {
    private final Timing timing;
    private final List<WorkerThread> started = new ArrayList<>();

    CountedThreads(Timing timing) {
      this.timing = timing;
    }

    /** The names of threads that were started here and have not ended, of those that contain {@code part}. */
    List<String> alive(String part) {
      return started.stream().filter(WorkerThread::isAlive).map(WorkerThread::name).filter(n -> n.contains(part))
          .toList();
    }

    @Override
    public WorkerThread start(ThreadKind kind, String name, Runnable body) {
      started.removeIf(thread -> !thread.isAlive());
      WorkerThread thread = timing.start(kind, name, body);
      started.add(thread);
      return thread;
    }

    @Override
    public long nanoTime() {
      return timing.nanoTime();
    }

    @Override
    public Instant now() {
      return timing.now();
    }

    @Override
    public double random() {
      return timing.random();
    }

    @Override
    public WaitPoint waitPoint(ReentrantLock lock) {
      return timing.waitPoint(lock);
    }

    @Override
    public ThreadPool pool(String name, int threads) {
      return timing.pool(name, threads);
    }
  }
}
