package io.queueworker.testkit.engine;

/**
 * How many messages a queue has. Immutable.
 *
 * @param visible what a receive could bring, as {@code ApproximateNumberOfMessages}; on a FIFO queue also what waits for its group
 * @param notVisible in flight, as {@code ApproximateNumberOfMessagesNotVisible}
 * @param delayed sent with a delay that goes on, as {@code ApproximateNumberOfMessagesDelayed}
 */
public record MessageCounts(int visible, int notVisible, int delayed) {}
