package io.queueworker.gate;

import io.queueworker.gate.Attempt.Outcome;
import java.util.Optional;

/**
 * The reading of a key's row, on a new connection, after a COMMIT that was not answered. See
 * docs/adr/0002-commit-unknown.md.
 *
 * <p>Immutable.
 *
 * @param attempt the number in the row of the attempt that sent the COMMIT
 */
record SecondLook(TransactionSource source, GateTable table, GateKey key, AttemptInfo info, int attempt) {
  private static final int TRIES = 3;

  /**
   * What the row says. Does not throw.
   *
   * @param failure how the COMMIT failed
   */
  Outcome after(Throwable failure) {
    for (int i = 0; i < TRIES; i++) {
      try {
        Optional<KeyRow> completed =
            source.outside(connection -> table.look(connection, key)).row().filter(KeyRow::completed);
        // Absent proves nothing: the server may have yet to read our COMMIT. The next attempt's insert waits for it.
        return completed.isPresent() ? completed(completed.get()) : new Outcome.CommitUnknown(failure);
      } catch (Throwable again) {
        // The pool may hand out more connections that broke together with ours: try the next.
        if (!again.equals(failure)) {
          failure.addSuppressed(again);
        }
      }
    }
    return new Outcome.CommitUnknown(failure);
  }

  private Outcome completed(KeyRow row) {
    return table.isBy(row, info, attempt)
        ? new Outcome.Committed()
        : new Outcome.AlreadyDone(Optional.of(row.by()));
  }
}
