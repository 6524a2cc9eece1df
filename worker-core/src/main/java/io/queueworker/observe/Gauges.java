package io.queueworker.observe;

import io.queueworker.Health;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a worker's meters read whenever they are published, rather than hear as events. Each is called on the registry's
 * threads and must not block.
 *
 * @param inFlight messages received and not yet settled
 * @param stuck handlers that were told to end and still run
 * @param paused reasons for not receiving that hold now; 0 means that the worker receives
 * @param durations the durations from lease start to commit of the last hour
 * @param health how the worker is doing, which many gauges read one after the other
 */
public record Gauges(
    LongSupplier inFlight,
    LongSupplier stuck,
    LongSupplier paused,
    Supplier<Durations> durations,
    Supplier<Health> health) {}
