package io.queueworker.gate;

import io.queueworker.gate.Attempt.Outcome;
import java.util.Optional;

/**
 * The gate of a handler that has none: every attempt is fresh, nothing is recorded, and a redelivery runs again.
 *
 * <p>Immutable.
 */
public final class NoGate implements IdempotencyGate<NoGate> {
  private static final NoGate INSTANCE = new NoGate();
  private static final Attempt<NoGate> ATTEMPT = new Unrecorded();

  private NoGate() {}

  /** The one gate of this kind. */
  public static NoGate instance() {
    return INSTANCE;
  }

  /** Has nothing to check. */
  @Override
  public void open() {}

  /** Never: the effect is durable when the handler makes it so. */
  @Override
  public boolean transactional() {
    return false;
  }

  /** Always fresh. */
  @Override
  public Admission<NoGate> admit(GateKey key, AttemptInfo attempt) {
    return new Admission.Fresh<>(ATTEMPT);
  }

  /** An attempt that leaves no record. */
  private static final class Unrecorded implements Attempt<NoGate> {

    /** Nothing to make an effect with. */
    @Override
    public NoGate effects() {
      return INSTANCE;
    }

    /** None ever. */
    @Override
    public Optional<Outcome> verdict() {
      return Optional.empty();
    }

    /** Always committed: the handler returned. */
    @Override
    public Outcome commit() {
      return new Outcome.Committed();
    }

    /** Undoes nothing. */
    @Override
    public boolean rollback() {
      return false;
    }
  }
}
