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

  private static final Duration LARGEST_RESERVE = Duration.ofSeconds(5);
  private static final Duration LONGEST_BUDGET = Duration.ofDays(1);

  /** How long what a late receive brings may take to be released. */
  private static final long LATE_RELEASE = Duration.ofSeconds(5).toNanos();

  private final Pipeline pipeline;
  private final long startedAt;
  private final long end;
  private final long reserve;
  private final int inFlight;

  /** A wait that an interrupt of the caller may end. */
  private interface Wait<V> {
    V upTo(long nanos) throws InterruptedException;
  }

  /** A drain whose budget, one day at most, counts from now. */
  Drain(Pipeline pipeline, Duration budget) {
    Duration shorter = budget.compareTo(LONGEST_BUDGET) < 0 ? budget : LONGEST_BUDGET;
    Duration bounded = shorter.isNegative() ? Duration.ZERO : shorter;
    this.pipeline = pipeline;
    this.startedAt = pipeline.timing.nanoTime();
    this.end = startedAt + bounded.toNanos();
    this.reserve = reserve(bounded).toNanos();
    this.inFlight = pipeline.pollLoop.inFlight();
  }

  /** What a budget keeps for the end, when handlers are told to end and deletes are sent. */
  static Duration reserve(Duration budget) {
    Duration fifth = budget.dividedBy(5);
    return fifth.compareTo(LARGEST_RESERVE) < 0 ? fifth : LARGEST_RESERVE;
  }

  /** How far it is. */
  Health.DrainProgress progress() {
    long left = Math.max(0, end - pipeline.timing.nanoTime());
    return new Health.DrainProgress(inFlight, pipeline.pollLoop.inFlight(), Duration.ofNanos(left));
  }

  /** Runs it; never throws. An interrupt of the caller changes nothing, and is set again afterwards. */
  void run() {
    boolean interrupted = Thread.interrupted();
    try {
      drain();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void drain() {
    pipeline.listeners.emit(
        new Draining(pipeline.pollLoop.inFlight(), Duration.ofNanos(end - startedAt)));
    pipeline.pollLoop.stop();
    // Receives first: what goes back while one is under way would come here again, and so count as received once more.
    waited(end - reserve, pipeline.pollLoop::awaitEnded);
    pipeline.threads.drain();
    if (!waited(end - reserve, pipeline.threads::awaitEnded)) {
      pipeline.threads.interruptAll();
      waited(end - reserve / 2, pipeline.threads::awaitEnded);
    }
    List<String> polls = waited(end - reserve / 2, pipeline.pollLoop::awaitEnded);
    pipeline.pollLoop.giveBackNow();
    List<String> left = new ArrayList<>(pipeline.threads.abandonAll());
    List<String> rejecting = waited(end - reserve / 4, pipeline.rejects::flush);
    rejecting.forEach(id -> left.add("message " + id + " is rejected and not on the dead-letter queue"));
    List<String> unsettled = waited(end, pipeline.settler::flush);
    unsettled.forEach(id -> left.add("message " + id + " has no confirmed delete or release"));
    polls.forEach(thread -> left.add("thread " + thread + " still receives"));
    pipeline.listeners.emit(
        new Closed(Duration.ofNanos(pipeline.timing.nanoTime() - startedAt), left));
    if (polls.isEmpty()) {
      pipeline.stop();
    } else {
      // The service may have handed messages to that receive: it ends by itself, and what it brings is released.
      pipeline.pollLoop.whenEnded(this::stopLate);
    }
  }

  private void stopLate() {
    waited(pipeline.timing.nanoTime() + LATE_RELEASE, pipeline.settler::flush);
    pipeline.stop();
  }

  /** Waits as long as is left, however often the caller is interrupted. */
  private <V> V waited(long until, Wait<V> wait) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return wait.upTo(Math.max(0, until - pipeline.timing.nanoTime()));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
