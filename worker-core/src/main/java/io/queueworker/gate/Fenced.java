package io.queueworker.gate;

/**
 * What a handler behind a {@link LeasedGate} makes its effect with: two values to send along to the outside system.
 *
 * <p>Immutable.
 *
 * @param idempotencyKey a name of the effect in the form of a UUID, 36 characters: the same for the same scope and key in every
 *     attempt, on every worker and after every restart, and another for any other. Give it to an outside system that accepts
 *     idempotency keys, so that a repeated call is answered and not repeated
 * @param fence a positive number that grows from each attempt at a key to the next. Give it to an outside system that can
 *     refuse a number lower than the highest it has seen, so that a late call of a lapsed attempt changes nothing
 */
public record Fenced(String idempotencyKey, long fence) {}
