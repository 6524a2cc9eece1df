package io.queueworker.testkit.endpoint;

import io.queueworker.testkit.engine.EngineException;

/** A call, or an entry of a batch, that the service refuses. Immutable. */
final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient ServiceError error;

  Refusal(ServiceError error) {
    super(error.code(), null, false, false);
    this.error = error;
  }

  Refusal(EngineException refused) {
    this(ServiceError.of(refused.error()));
  }

  ServiceError error() {
    return error;
  }

  /** Refuses what is not allowed. */
  static void require(boolean allowed, ServiceError otherwise) {
    if (!allowed) {
      throw new Refusal(otherwise);
    }
  }
}
