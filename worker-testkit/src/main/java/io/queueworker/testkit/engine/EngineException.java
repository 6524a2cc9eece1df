package io.queueworker.testkit.engine;

/** A call that the service refuses as a whole. Immutable. */
public final class EngineException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient EngineError error;

  /** A refusal with this error. */
  public EngineException(EngineError error) {
    super(error.code() + ": " + error.message());
    this.error = error;
  }

  /** In the service's own words. */
  public EngineError error() {
    return error;
  }
}
