package io.queueworker.testkit.chaos;

import io.queueworker.gate.Admission;
import io.queueworker.gate.Attempt;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.Fenced;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.gate.LeasedGate;
import java.time.Duration;
import java.util.Optional;

/**
 * A real {@link LeasedGate} whose records all machines share, as one machine reaches it: every step is a call that takes
 * virtual time and may fail before its effect or after it.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time.
 */
record LeasedClient(Line line, LeasedGate shared) implements IdempotencyGate<Fenced> {

  /** What a step may throw. */
  @FunctionalInterface
  private interface Step<A> {
    A take() throws Exception;
  }

  @Override
  public void open() {
    shared.open();
  }

  @Override
  public boolean transactional() {
    return shared.transactional();
  }

  @Override
  public Admission<Fenced> admit(GateKey key, AttemptInfo info) {
    Admission<Fenced> admission = sent(ServiceCall.ADMIT, () -> admitted(key, info));
    return admission instanceof Admission.Fresh<Fenced> fresh
        ? new Admission.Fresh<>(new Remote(fresh.attempt()))
        : admission;
  }

  private Admission<Fenced> admitted(GateKey key, AttemptInfo info) throws Exception {
    Admission<Fenced> admission = shared.admit(key, info);
    if (admission instanceof Admission.Fresh<Fenced> fresh) {
      line.world().fence(key, fresh.attempt().effects().fence());
    }
    return admission;
  }

  private <A> A sent(ServiceCall call, Step<A> step) {
    return line.send(
        call,
        reply -> {
          try {
            reply.answer(step.take());
          } catch (Exception e) {
            reply.fail(Line.lost("" + e));
          }
        });
  }

  /** An attempt whose record is kept elsewhere. */
  private final class Remote implements Attempt<Fenced> {

    private final Attempt<Fenced> there;
    private boolean ending;

    Remote(Attempt<Fenced> there) {
      this.there = there;
    }

    @Override
    public Fenced effects() {
      return there.effects();
    }

    @Override
    public Optional<Outcome> verdict() {
      return there.verdict();
    }

    @Override
    public Outcome commit() {
      ending = true;
      StoreException failure;
      try {
        return sent(ServiceCall.COMPLETE, there::commit);
      } catch (StoreException e) {
        failure = e;
      }
      return new Outcome.CommitUnknown(failure);
    }

    @Override
    public boolean rollback() {
      ending = true;
      try {
        return sent(ServiceCall.LET_GO, there::rollback);
      } catch (StoreException e) {
        // The record expires by itself.
        return false;
      }
    }

    @Override
    public Optional<Renewal> renewal() {
      return there.renewal().map(renewal -> length -> renew(renewal, length));
    }

    private boolean renew(Renewal renewal, Duration length) {
      // One that comes beside the end finds the record completed or let go, which is not another attempt's doing.
      return ending || sent(ServiceCall.RENEW, () -> renewal.renew(length)) || ending;
    }
  }
}
