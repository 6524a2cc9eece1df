package io.queueworker.gate;

import org.jspecify.annotations.Nullable;

/**
 * Leaves the work inside a framework's transaction so that the framework rolls back. Its type is not one that user code can
 * have excepted from that, as it could the handler's own exception.
 *
 * <p>Immutable.
 */
final class RollbackRequest extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RollbackRequest(@Nullable Throwable why) {
    super("the gate asks for a rollback of its transaction", why, false, false);
  }
}
