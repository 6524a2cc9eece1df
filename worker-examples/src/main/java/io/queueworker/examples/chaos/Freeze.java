package io.queueworker.examples.chaos;

import java.util.Optional;

/**
 * A time for which a worker stood still. Immutable.
 *
 * @param worker which
 * @param fromNanos when it was stopped, by the parent's monotonic clock
 * @param toNanos when it went on, or was killed
 * @param aim the step whose report set off the freeze; empty when the moment was random
 */
record Freeze(String worker, long fromNanos, long toNanos, Optional<Step> aim) {}
