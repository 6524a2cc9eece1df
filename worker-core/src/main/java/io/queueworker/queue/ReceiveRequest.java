package io.queueworker.queue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one receive asks for.
 *
 * @param max messages at most, 1 to {@link QueueTraits#maxBatch()}
 * @param longPoll how long the service may wait for the first message, zero to {@link QueueTraits#maxWait()}
 * @param visibility how long the messages stay hidden, in whole seconds; null leaves it to the queue's own setting
 */
public record ReceiveRequest(int max, Duration longPoll, @Nullable Duration visibility) {}
