package io.queueworker.lease;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Room for one call about a lease at a time, and what waits for it to end. Not thread-safe: guarded by the lock of its {@link
 * Lease}.
 */
final class CallSlot {

  private boolean taken;
  private boolean releasing;
  private @Nullable Runnable waiting;

  boolean isTaken() {
    return taken;
  }

  /** Takes the slot; false when a call is in flight. */
  boolean take() {
    boolean free = !taken;
    taken = true;
    return free;
  }

  /** {@link #take} for a release. */
  boolean takeForRelease() {
    boolean free = take();
    releasing |= free;
    return free;
  }

  /** Whether the call in flight is a release. */
  boolean isReleasing() {
    return releasing;
  }

  /** Notes that no call is in flight. */
  boolean free() {
    taken = false;
    releasing = false;
    return true;
  }

  /** Sets what is to run once the slot is free. */
  void whenFree(Runnable action) {
    waiting = action;
  }

  /** Gives what waits, once, if the slot is free; the caller runs it without the lock. */
  Optional<Runnable> next() {
    if (taken || waiting == null) {
      return Optional.empty();
    }
    Runnable action = waiting;
    waiting = null;
    return Optional.of(action);
  }
}
