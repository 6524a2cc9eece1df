package io.queueworker.handle;

import io.queueworker.lease.Heartbeat;
import io.queueworker.lease.LeaseClock;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.settle.Completed;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadPool;
import java.util.function.Consumer;

/**
 * What every run of a worker shares. Immutable; its parts are thread-safe.
 *
 * @param worker the worker's id
 * @param fifo whether the queue keeps order
 * @param completed what this worker completed lately
 * @param threads all runs there are
 * @param callbacks where {@code onLost} actions run
 */
public record RunParts(
    String worker,
    boolean fifo,
    Timing timing,
    LeaseClock clock,
    Heartbeat heartbeat,
    Completed completed,
    HandlerThreads threads,
    ThreadPool callbacks,
    Consumer<WorkerEvent> events) {}
