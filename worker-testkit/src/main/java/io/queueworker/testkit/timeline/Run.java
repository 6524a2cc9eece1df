package io.queueworker.testkit.timeline;

/**
 * The span in which a handler ran for a message, or could. Immutable.
 *
 * @param worker whose handler it was
 * @param receiveCount for which receive
 * @param from when it started, in nanoseconds since the time line's first event
 * @param to when it had ended; the worker's last sign of life when nobody heard of its end
 * @param endSeen whether its end was heard of
 */
record Run(String worker, int receiveCount, long from, long to, boolean endSeen) {}
