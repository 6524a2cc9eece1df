package io.queueworker.observe;

import java.time.Duration;

/**
 * How long messages took from lease start to commit, over the last hour. Each figure is at most one percent above the
 * true one, and all are zero when {@code count} is.
 *
 * <p>Immutable.
 *
 * @param count messages committed
 * @param p50 half of them took at most this long
 * @param p90 nine in ten took at most this long
 * @param p99 99 in a hundred took at most this long
 * @param p999 999 in a thousand took at most this long
 * @param max the longest
 */
public record Durations(long count, Duration p50, Duration p90, Duration p99, Duration p999, Duration max) {}
