package io.queueworker.settle;

import java.util.Optional;

/**
 * Why a message goes to the dead-letter queue. Immutable, so thread-safe.
 *
 * @param reason for a person; cut where it is too long for an attribute
 * @param exception the class of what was thrown, if something was
 */
public record Rejection(String reason, Optional<String> exception) {}
