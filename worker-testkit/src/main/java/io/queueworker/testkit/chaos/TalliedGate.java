package io.queueworker.testkit.chaos;

import io.queueworker.gate.Admission;
import io.queueworker.gate.Attempt;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.IdempotencyGate;
import java.util.Optional;

/**
 * A gate whose answers are counted. Not thread-safe: simulated threads run one at a time.
 *
 * @param <R> what the handler makes its effect with
 */
record TalliedGate<R>(Tally tally, IdempotencyGate<R> gate) implements IdempotencyGate<R> {

  @Override
  public void open() {
    gate.open();
  }

  @Override
  public boolean transactional() {
    return gate.transactional();
  }

  @Override
  public Admission<R> admit(GateKey key, AttemptInfo info) throws Exception {
    Admission<R> admission;
    try {
      admission = gate.admit(key, info);
    } catch (StoreException e) {
      tally.took("admission failed");
      throw e;
    }
    tally.took("admission " + admission.getClass().getSimpleName());
    return admission instanceof Admission.Fresh<R> fresh
        ? new Admission.Fresh<>(new TalliedAttempt<>(tally, fresh.attempt()))
        : admission;
  }

  /** An attempt whose outcome is counted. */
  private record TalliedAttempt<R>(Tally tally, Attempt<R> attempt) implements Attempt<R> {

    @Override
    public Outcome run(Handling<R> handling) {
      Outcome outcome = attempt.run(handling);
      String detail = outcome instanceof Outcome.Undone undone && undone.storeBroke() ? " (store broke)" : "";
      tally.took("outcome " + outcome.getClass().getSimpleName() + detail);
      return outcome;
    }

    @Override
    public R effects() {
      return attempt.effects();
    }

    @Override
    public Optional<Outcome> verdict() {
      Optional<Outcome> verdict = attempt.verdict();
      verdict.ifPresent(outcome -> tally.took("verdict " + outcome.getClass().getSimpleName()));
      return verdict;
    }

    @Override
    public Outcome commit() {
      return attempt.commit();
    }

    @Override
    public boolean rollback() {
      return attempt.rollback();
    }

    @Override
    public Optional<Renewal> renewal() {
      return attempt.renewal();
    }
  }
}
