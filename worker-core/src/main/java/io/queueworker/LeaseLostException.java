package io.queueworker;

/** Thrown by {@link Delivery#checkHeld()} when the message is not this handler's any more. */
public final class LeaseLostException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The message names the delivery and the reason. */
  public LeaseLostException(String message) {
    super(message);
  }
}
