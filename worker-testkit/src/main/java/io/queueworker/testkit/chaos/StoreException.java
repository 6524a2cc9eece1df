package io.queueworker.testkit.chaos;

/** A modelled database or system outside did not do what it was asked. Immutable. */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What is known about the effect. */
  public enum Kind {
    /** The connection broke or no answer came in time: the effect may have come. */
    LOST,
    /** The database gave way to another transaction: nothing stays. */
    CONFLICT,
    /** The database refused it for good: nothing stays. */
    REFUSED
  }

  private final Kind kind;

  StoreException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** What is known about the effect. */
  public Kind kind() {
    return kind;
  }
}
