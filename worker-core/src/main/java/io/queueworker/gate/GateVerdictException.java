package io.queueworker.gate;

import org.jspecify.annotations.Nullable;

/**
 * Ends a handler whose key the gate found done or in progress when the transaction opened, or whose database cannot be
 * reached or refuses the gate's row. Let it pass: the verdict stands if it is swallowed.
 *
 * <p>Immutable.
 */
public final class GateVerdictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  GateVerdictException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
