package io.queueworker.examples.chaos;

import java.util.Optional;

/**
 * A worker that was killed. Immutable.
 *
 * @param worker which
 * @param atNanos when, by the parent's monotonic clock
 * @param aim the step whose report set off the kill; empty when the moment was random
 * @param frozen whether it stood still at that moment
 */
record Kill(String worker, long atNanos, Optional<Step> aim, boolean frozen) {}
