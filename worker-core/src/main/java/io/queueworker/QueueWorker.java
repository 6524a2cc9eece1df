package io.queueworker;

import io.queueworker.observe.WorkerEvent.Started;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueException;
import io.queueworker.timing.Timing.WaitPoint;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A worker on one queue: receives messages, runs the handler for each on a virtual thread, keeps them invisible meanwhile,
 * and deletes each after its effect is committed.
 *
 * <p>{@link WorkerState} shows its life. Thread-safe. All its threads are daemons: a program that has nothing else to do
 * calls {@link #awaitClosed()}.
 */
public final class QueueWorker implements AutoCloseable {

  private final Pipeline pipeline;
  private final WorkerSettings settings;
  private final ReentrantLock lock = new ReentrantLock();
  private final WaitPoint changed;

  private final HealthLook look;

  // Written under the lock; read without, so that nobody who asks waits for a start.
  private volatile WorkerState state = WorkerState.NEW;
  private volatile List<String> warnings = List.of();
  private volatile Optional<Drain> drain = Optional.empty();

  // Guarded by lock.
  private Runnable forgetShutdown = () -> {};
  private @Nullable Thread closer;

  QueueWorker(Pipeline pipeline, WorkerSettings settings) {
    this.pipeline = pipeline;
    this.settings = settings;
    this.look = new HealthLook(pipeline, settings);
    this.changed = pipeline.timing.waitPoint(lock);
  }

  /**
   * Begins to describe a worker on this queue, whose bodies are text unless {@link WorkerBuilder#decode} is called. The
   * queue is the worker's once that is built, and closed with it; until then it is the caller's to close.
   */
  public static WorkerBuilder<String> of(MessageQueue queue) {
    Objects.requireNonNull(queue, "QueueWorker.of(queue): the queue is null");
    return new WorkerBuilder<>(queue, body -> body);
  }

  /**
   * Checks the queue and the gate and begins to receive. Blocks for as long as the checks take. When it throws, nothing of
   * the worker runs and it is closed.
   *
   * @return this worker
   * @throws QueueException when the queue is missing or cannot be reached
   * @throws IllegalStateException when it was started or closed before or meanwhile, or when the gate cannot work
   */
  public QueueWorker start() {
    lock.lock();
    try {
      if (state != WorkerState.NEW) {
        throw new IllegalStateException(
            "worker " + name() + " is " + state + "; start() works once, build a new worker instead");
      }
      state = WorkerState.RUNNING;
    } finally {
      lock.unlock();
    }
    try {
      QueueCheck.Findings findings = QueueCheck.check(pipeline.queue, settings, pipeline.work.policy().rejects());
      pipeline.work.gate().open();
      pipeline.reading.begin(findings);
      begin(findings);
    } catch (Throwable t) {
      try {
        pipeline.stop();
      } finally {
        closed();
      }
      throw t;
    }
    return this;
  }

  private void begin(QueueCheck.Findings findings) {
    // Told before anything can happen, and without the lock: a listener may close the worker.
    pipeline.listeners.emit(new Started(findings.visibility(), findings.warnings()));
    lock.lock();
    try {
      warnings = List.copyOf(findings.warnings());
      if (state != WorkerState.RUNNING) {
        throw new IllegalStateException("worker " + name() + " was closed while it started");
      }
      pipeline.start(this::health);
    } finally {
      lock.unlock();
    }
  }

  private String name() {
    return settings.workerId() + " on queue " + pipeline.queue.name();
  }

  /**
   * Lets no receive start from now on until {@link #resume()}; one that has started, and what is in flight, goes on. Twice is no
   * error.
   */
  public void pause() {
    pipeline.pauses.add(PauseReason.BY_HAND, "pause() was called");
  }

  /** Takes back {@link #pause()}. Other reasons for not receiving stay. */
  public void resume() {
    pipeline.pauses.remove(PauseReason.BY_HAND);
  }

  /** Where it is in its life. Does not block. */
  public WorkerState state() {
    return state;
  }

  /**
   * How it is doing. Does not block, and goes once over all leases: ask a few times a second at most. Any thread may call it,
   * before the start and after the close too.
   */
  public Health health() {
    WorkerState now = state;
    return look.of(now, now == WorkerState.DRAINING ? drain : Optional.empty(), warnings);
  }

  /** How long messages took in the last hour, and which timeouts fit. Changes nothing. */
  public SizingAdvice sizing() {
    return SizingAdvice.of(
        pipeline.durations(),
        pipeline.terms.get().visibilityTimeout(),
        settings.heartbeat());
  }

  /** {@link #close(Duration)} within the drain budget of the settings. */
  @Override
  public void close() {
    close(settings.drainTimeout());
  }

  /**
   * Receives no more, lets running handlers finish under beats, sends the deletes that are due, and ends. Returns within
   * about {@code budget}, one day at most; what could not end by then is named in {@link
   * io.queueworker.observe.WorkerEvent.Closed}, and the first twenty in the log. The receive under way is not aborted: what it brings is released, also when
   * it ends after this has returned. Handlers that still run when a fifth of the budget is left, five seconds at most, are
   * interrupted.
   *
   * <p>Never throws. A second call waits for the first. A handler that calls it waits for itself and is interrupted near the
   * end of the budget: let another thread do it. An interrupt of the caller does not shorten it, and is set again afterwards.
   * Workers may be closed side by side from different threads.
   */
  public void close(Duration budget) {
    lock.lock();
    try {
      if (state == WorkerState.DRAINING) {
        // A listener may call it from inside the close that tells it: that one must not wait for itself.
        if (closer != Thread.currentThread()) {
          awaitLocked();
        }
        return;
      }
      if (state == WorkerState.CLOSED) {
        return;
      }
      drain = state == WorkerState.RUNNING ? Optional.of(new Drain(pipeline, budget)) : Optional.empty();
      closer = Thread.currentThread();
      state = WorkerState.DRAINING;
    } finally {
      lock.unlock();
    }
    try {
      drain.ifPresentOrElse(Drain::run, pipeline::stop);
    } finally {
      closed();
    }
  }

  private void closed() {
    Runnable forget;
    lock.lock();
    try {
      state = WorkerState.CLOSED;
      closer = null;
      forget = forgetShutdown;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    forget.run();
  }

  /** Waits until the worker is closed. An interrupt ends the waiting, and is still set afterwards. */
  public void awaitClosed() {
    lock.lock();
    try {
      awaitLocked();
    } finally {
      lock.unlock();
    }
  }

  private void awaitLocked() {
    try {
      while (state != WorkerState.CLOSED) {
        changed.await(Long.MAX_VALUE / 2);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Closes the worker when the process is told to end, as by SIGTERM, and lets the process wait for that. Several workers
   * close side by side.
   *
   * @return this worker
   */
  public QueueWorker closeOnShutdown() {
    lock.lock();
    try {
      if (state != WorkerState.CLOSED) {
        forgetShutdown.run();
        forgetShutdown = pipeline.timing.atShutdown(pipeline.threadPrefix + "shutdown", this::close);
      }
    } finally {
      lock.unlock();
    }
    return this;
  }
}
