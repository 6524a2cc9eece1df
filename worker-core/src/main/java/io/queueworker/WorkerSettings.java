package io.queueworker;

import java.time.Duration;
import java.util.Optional;

/**
 * Everything a worker can be told, with its default. Checked as a whole when the worker is built.
 *
 * @param workerId names this worker in logs, meters and records; unique among the workers of a queue
 * @param maxConcurrency messages in flight at most, 1 to 100,000
 * @param maxPollers receives under way at most, 1 to 64
 * @param pollWait how long one receive may wait for a message, 0 s to the service's maximum (20 s on SQS)
 * @param receiveLinger how long a receive waits after one that came back part-full, 0 s to 10 s
 * @param visibility the visibility timeout to work with, 1 s to 12 h; empty means the queue's own
 * @param controlTimeout how long one extension, release or delete may take, 100 ms to 30 s
 * @param maxProcessingTime how long one handler run may last, above zero, below maxHold
 * @param stallTimeout how long a handler may go without {@link Delivery#progress()}; empty means for ever
 * @param maxHold how long a message may be held from its receive on, below the service's cap
 * @param drainTimeout how long {@code close()} may take
 * @param deleteLinger how long a delete waits for others to fill its batch, 0 s to 10 s
 * @param heartbeat whether leases are extended; off is for tests and for measuring
 * @param gateScope under what name this worker's idempotency keys are kept; empty means the queue's name
 */
public record WorkerSettings(
    String workerId,
    int maxConcurrency,
    int maxPollers,
    Duration pollWait,
    Duration receiveLinger,
    Optional<Duration> visibility,
    Duration controlTimeout,
    Duration maxProcessingTime,
    Optional<Duration> stallTimeout,
    Duration maxHold,
    Duration drainTimeout,
    Duration deleteLinger,
    boolean heartbeat,
    Optional<String> gateScope) {}
