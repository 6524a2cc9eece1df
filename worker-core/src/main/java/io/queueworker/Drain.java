package io.queueworker;

import io.queueworker.observe.WorkerEvent.Closed;
import io.queueworker.observe.WorkerEvent.Draining;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One close of a worker, within its budget: receive no more, finish what is in flight under beats, tell late handlers to end,
 * send the deletes, and name what is left.
 */
final class Drain {

  private static final long LARGEST_RESERVE = Duration.ofSeconds(5).toNanos();

  private final Pipeline pipeline;
  private final long startedAt;
  private final long end;
  private final long reserve;
  private boolean interrupted;

  /** A drain whose budget counts from now. */
  Drain(Pipeline pipeline, Duration budget) {
    this.pipeline = pipeline;
    this.startedAt = pipeline.timing.nanoTime();
    this.end = startedAt + budget.toNanos();
    this.reserve = Math.min(LARGEST_RESERVE, budget.toNanos() / 5);
  }

  /** Runs it; never throws. An interrupt of the caller ends the waiting, and is still set afterwards. */
  void run() {
    pipeline.listeners.emit(new Draining(pipeline.pollLoop.inFlight(), Duration.ofNanos(end - startedAt)));
    pipeline.pollLoop.stop();
    pipeline.threads.drain();
    List<String> left = new ArrayList<>();
    if (!handlersEnded(end - reserve)) {
      pipeline.threads.interruptAll();
      handlersEnded(end - reserve / 2);
    }
    List<String> polls = pollsEnded(end - reserve / 2);
    left.addAll(pipeline.threads.abandonAll());
    int unanswered = flushed(end);
    if (unanswered > 0) {
      left.add(unanswered + " deletes or releases were not confirmed");
    }
    left.addAll(polls);
    long took = pipeline.timing.nanoTime() - startedAt;
    pipeline.listeners.emit(new Closed(Duration.ofNanos(took), left));
    pipeline.stop();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean handlersEnded(long until) {
    try {
      return pipeline.threads.awaitEnded(left(until));
    } catch (InterruptedException e) {
      interrupted = true;
      return false;
    }
  }

  private List<String> pollsEnded(long until) {
    try {
      return pipeline.pollLoop.awaitEnded(left(until));
    } catch (InterruptedException e) {
      interrupted = true;
      return pollsEnded(until);
    }
  }

  private int flushed(long until) {
    try {
      return pipeline.settler.flush(left(until));
    } catch (InterruptedException e) {
      interrupted = true;
      return flushed(until);
    }
  }

  private long left(long until) {
    return interrupted ? 0 : Math.max(0, until - pipeline.timing.nanoTime());
  }
}
