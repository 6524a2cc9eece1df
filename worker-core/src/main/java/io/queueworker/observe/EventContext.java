package io.queueworker.observe;

import java.time.Instant;

/**
 * Where and when an event happened.
 *
 * @param queue the queue's name
 * @param worker the worker's id
 * @param at wall-clock time, for people
 * @param nanoTime monotonic time of that worker's process, for differences
 */
public record EventContext(String queue, String worker, Instant at, long nanoTime) {}
