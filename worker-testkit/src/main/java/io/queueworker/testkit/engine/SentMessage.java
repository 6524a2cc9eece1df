package io.queueworker.testkit.engine;

import java.util.Optional;

/**
 * What a queue answers to a send. Immutable.
 *
 * @param id the message id
 * @param sequenceNumber the place in the order of a FIFO queue; empty on other queues
 * @param deduplicated whether the queue had taken the same message in before, and this send added nothing
 */
public record SentMessage(String id, Optional<String> sequenceNumber, boolean deduplicated) {}
