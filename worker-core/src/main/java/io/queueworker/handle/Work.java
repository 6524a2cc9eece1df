package io.queueworker.handle;

import io.queueworker.BodyDecoder;
import io.queueworker.Delivery;
import io.queueworker.FailurePolicy;
import io.queueworker.GatedHandler;
import io.queueworker.KeyFunction;
import io.queueworker.gate.IdempotencyGate;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the user wants done with each message.
 *
 * @param decoder turns the body into what the handler works on
 * @param gate decides whether a key may run, and commits
 * @param scope under what name the gate keeps this worker's keys
 * @param key names a message's effect
 * @param handler does the work
 * @param policy decides about failures
 * @param keepAliveWhile the user's condition for keeping a message
 * @param <T> what the body decodes to
 * @param <R> what the handler makes its effect with
 */
public record Work<T, R>(
    BodyDecoder<? extends T> decoder,
    IdempotencyGate<R> gate,
    String scope,
    KeyFunction<T> key,
    GatedHandler<T, R> handler,
    FailurePolicy policy,
    Optional<Predicate<? super Delivery<T>>> keepAliveWhile) {}
