package io.queueworker.testkit.chaos;

import io.queueworker.gate.Attempt;
import io.queueworker.gate.GateKey;
import io.queueworker.testkit.chaos.SimulatedDatabase.Claim;
import io.queueworker.testkit.chaos.SimulatedDatabase.Transaction;
import io.queueworker.testkit.chaos.StoreException.Kind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run's transaction in the modelled database. It opens when the handler first inserts, or else at the commit; a COMMIT
 * without an answer is looked for on a new connection.
 *
 * <p>For the run's thread only.
 */
final class DatabaseAttempt implements Attempt<SimulatedTransaction> {

  private static final int LOOKS = 3;

  private final DatabaseClient client;
  private final GateKey key;
  private final Transaction transaction;
  private boolean opened;
  private boolean lost;
  private boolean ended;
  private @Nullable Outcome verdict;
  private @Nullable StoreException refused;

  DatabaseAttempt(DatabaseClient client, GateKey key, String owner) {
    this.client = client;
    this.key = key;
    this.transaction = new Transaction(key, owner);
  }

  @Override
  public SimulatedTransaction effects() {
    return this::insert;
  }

  @Override
  public Optional<Outcome> verdict() {
    return Optional.ofNullable(verdict);
  }

  private void insert(String effect) {
    if (ended) {
      throw new IllegalStateException("the transaction is for its handler, until that ends");
    }
    open();
    if (verdict != null) {
      throw new IllegalStateException("the key's transaction cannot be had: " + verdict + "; let this exception pass");
    }
    try {
      client.line().<Boolean>send(
          ServiceCall.INSERT, reply -> client.server().insert(transaction, client.effect(effect), reply));
    } catch (StoreException e) {
      lost |= e.kind() == Kind.LOST;
      refused = e;
      throw e;
    }
  }

  private void open() {
    if (opened || verdict != null) {
      return;
    }
    try {
      Claim claim = client.line().send(ServiceCall.OPEN, reply -> client.server().open(transaction, reply));
      opened = claim == Claim.MINE;
      verdict =
          switch (claim) {
            case MINE -> null;
            case DONE -> new Outcome.AlreadyDone(Optional.empty());
            case BUSY -> new Outcome.InProgress();
          };
    } catch (StoreException e) {
      if (Thread.currentThread().isInterrupted()) {
        // The interrupt was meant for the handler: it says nothing about the key, and the transaction is not there.
        refused = e;
        throw e;
      }
      lost |= e.kind() == Kind.LOST;
      verdict =
          switch (e.kind()) {
            case LOST -> new Outcome.Unavailable(e);
            case CONFLICT -> new Outcome.InProgress("the database gave way to another transaction");
            case REFUSED -> new Outcome.RolledBack(e);
          };
    }
  }

  @Override
  public Outcome commit() {
    ended = true;
    StoreException before = refused;
    if (before != null) {
      // The handler swallowed it: its effect is not there, and the key must not be completed without it.
      boolean broke = rollback();
      return broke || before.kind() == Kind.LOST
          ? new Outcome.Unavailable(before)
          : before.kind() == Kind.CONFLICT
              ? new Outcome.InProgress("the database gave way to another transaction")
              : new Outcome.RolledBack(before);
    }
    open();
    if (verdict != null) {
      return verdict;
    }
    try {
      client.line().<Boolean>send(ServiceCall.COMMIT, reply -> client.server().commit(transaction, reply));
      return new Outcome.Committed();
    } catch (StoreException e) {
      return switch (e.kind()) {
        case CONFLICT -> new Outcome.InProgress("the database gave way to another transaction");
        case REFUSED -> new Outcome.RolledBack(e);
        case LOST -> secondLook(e);
      };
    }
  }

  private Outcome secondLook(StoreException failure) {
    for (int i = 0; i < LOOKS; i++) {
      try {
        return client.look(key)
            .<Outcome>map(
                by -> by.equals(transaction.owner)
                    ? new Outcome.Committed()
                    : new Outcome.AlreadyDone(Optional.empty()))
            .orElseGet(() -> new Outcome.CommitUnknown(failure));
      } catch (StoreException again) {
        failure.addSuppressed(again);
      }
    }
    return new Outcome.CommitUnknown(failure);
  }

  @Override
  public boolean rollback() {
    ended = true;
    if (opened && !lost) {
      try {
        client.line().<Boolean>send(ServiceCall.ROLLBACK, reply -> client.server().rollback(transaction, reply));
      } catch (StoreException e) {
        lost = true;
      }
    }
    return lost;
  }
}
