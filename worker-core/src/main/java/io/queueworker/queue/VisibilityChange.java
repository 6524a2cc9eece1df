package io.queueworker.queue;

import java.time.Duration;

/**
 * One entry of an extension or a release.
 *
 * @param receipt which receive
 * @param visibility how long the message stays hidden from now on; adapters round fractional seconds up
 */
public record VisibilityChange(Receipt receipt, Duration visibility) {}
