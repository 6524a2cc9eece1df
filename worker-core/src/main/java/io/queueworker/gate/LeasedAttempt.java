package io.queueworker.gate;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One run's record in a leased gate, in progress until it ends.
 *
 * <p>For the run's thread; only {@link #renew} is called on others, also beside the end.
 */
final class LeasedAttempt implements Attempt<Fenced> {
  private static final int COMPLETE_TRIES = 3;

  private final LeaseRecords records;
  private final Unanswered unanswered;
  private final GateKey key;
  private final AttemptInfo info;
  private final String owner;
  private final Fenced fenced;
  private final boolean first;
  private boolean used;
  private volatile boolean ending;

  /**
   * @param owner the token that the record carries
   * @param first whether no attempt came before
   */
  LeasedAttempt(
      LeaseRecords records,
      Unanswered unanswered,
      GateKey key,
      AttemptInfo info,
      String owner,
      Fenced fenced,
      boolean first) {
    this.records = records;
    this.unanswered = unanswered;
    this.key = key;
    this.info = info;
    this.owner = owner;
    this.fenced = fenced;
    this.first = first;
  }

  @Override
  public Fenced effects() {
    used = true;
    return fenced;
  }

  /** None: what happened to the record meanwhile shows when it is renewed or completed. */
  @Override
  public Optional<Outcome> verdict() {
    return Optional.empty();
  }

  @Override
  public Optional<Renewal> renewal() {
    return Optional.of(this::renew);
  }

  private boolean renew(Duration length) throws Exception {
    // A renewal that comes beside the end finds the record completed or let go. That is not another attempt's doing.
    return ending || records.renew(key, owner, length) || ending;
  }

  /** Marks the record completed, if it is still this attempt's. */
  @Override
  public Outcome commit() {
    ending = true;
    Throwable failure = null;
    for (int i = 0; i < COMPLETE_TRIES; i++) {
      try {
        return records.complete(key, owner, info.lease().get()) ? new Outcome.Committed() : notOurs();
      } catch (Throwable e) {
        // Trying again is safe: an earlier try that was made after all left the record completed under our token.
        failure = failure == null ? e : failure;
      }
    }
    unanswered.add(key, owner);
    return new Outcome.CommitUnknown(failure == null ? new IllegalStateException("no answer") : failure);
  }

  private Outcome notOurs() throws Exception {
    Optional<LeaseRecord> now = records.look(key);
    if (now.isPresent() && now.get().completed() && now.get().owner().equals(owner)) {
      return new Outcome.Committed();
    }
    info.warnings()
        .accept(
            "the handler returned, but the gate's record of its key belongs to a later attempt, since it was not renewed in"
                + " time: unless the outside system honours the idempotency key or the fence, the effect can happen twice."
                + " Look for an unreachable gate and long pauses of the process");
    return now.filter(LeaseRecord::completed)
        .<Outcome>map(record -> new Outcome.AlreadyDone(Optional.of(record.by())))
        .orElseGet(() -> new Outcome.InProgress("a later attempt took the key over"));
  }

  /** Lets the next attempt begin. What the outside system was told cannot be undone. */
  @Override
  public boolean rollback() {
    ending = true;
    try {
      if (first && !used) {
        records.remove(key, owner);
      } else {
        records.letGo(key, owner);
      }
    } catch (Throwable e) {
      // The record expires by itself.
    }
    return false;
  }

  /** The fence of a record that was written or taken over just now, as part of what the handler gets. */
  static Optional<Fenced> fenced(GateKey key, OptionalLong fence) {
    return fence.isPresent()
        ? Optional.of(new Fenced(IdempotencyKey.of(key), fence.getAsLong()))
        : Optional.empty();
  }
}
