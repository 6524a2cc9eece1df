package io.queueworker.queue;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * One task of {@link MoveTasks}. Immutable, so thread-safe.
 *
 * @param handle with which it is cancelled; empty once it runs no more
 * @param status the service's word: {@code RUNNING}, {@code COMPLETED}, {@code CANCELLING}, {@code CANCELLED} or {@code FAILED}
 * @param moved about how many messages it has moved
 * @param toMove about how many there were to move at its start, if the service said so
 * @param failure why it failed, if it did
 */
public record MoveTask(
    Optional<String> handle, String status, long moved, OptionalLong toMove, Optional<String> failure) {}
