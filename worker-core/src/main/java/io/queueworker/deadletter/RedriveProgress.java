package io.queueworker.deadletter;

/**
 * How far a redrive is. Immutable, so thread-safe.
 *
 * @param redriven sent back and deleted; in a dry run, what would have been
 * @param passedOver received and not taken: by the filter, from another queue, or back again during this run
 * @param left taken but still on the dead-letter queue, or maybe there
 */
public record RedriveProgress(int redriven, int passedOver, int left) {}
