package io.queueworker.handle;

import io.queueworker.lease.Heartbeat;
import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseClock;
import io.queueworker.observe.DurationHistogram;
import io.queueworker.observe.Surroundings;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.settle.Completed;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadPool;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What every run of a worker shares. Immutable; its parts are thread-safe.
 *
 * @param worker the worker's id
 * @param fifo whether the queue keeps order
 * @param longestRun how long one handler run may last, in nanoseconds
 * @param inPlace how failed messages of a queue that keeps order are tried again; asked after the start
 * @param completed what this worker completed lately
 * @param threads all runs there are
 * @param starts what a handler needs to start beside its lease
 * @param durations how long runs take
 * @param surroundings what is set up around user code on a run's thread
 * @param callbacks where {@code onLost} actions run
 */
public record RunParts(
    String worker,
    boolean fifo,
    long longestRun,
    Supplier<InPlace> inPlace,
    Timing timing,
    LeaseClock clock,
    Heartbeat heartbeat,
    Completed completed,
    HandlerThreads threads,
    Starts starts,
    DurationHistogram durations,
    Surroundings surroundings,
    ThreadPool callbacks,
    Consumer<WorkerEvent> events) {

  /** Notes that a run ended without a commit because it was told to or lost its lease. */
  void cutOff(Lease lease) {
    durations.cutOff(lease.age(clock.now()), timing.nanoTime());
  }

  /** Notes that a run failed by itself. */
  void failed() {
    durations.failed(timing.nanoTime());
  }
}
