package io.queueworker.gate;

import io.queueworker.gate.Admission.Completion;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The records of a leased gate. Each transition is one atomic step, conditional on the token of the attempt that owns the
 * record; all times are the store's own.
 *
 * <p>Implementations are thread-safe and may block. An exception means that the store did not answer: the step may have been
 * made or not.
 */
interface LeaseRecords {

  /** Checks that the store can be used. */
  void open();

  /** Reads the record of a key. */
  Optional<LeaseRecord> look(GateKey key) throws Exception;

  /** Writes the record of a key that has none, in progress for {@code info.leaseLeft()}; gives its fence. */
  OptionalLong begin(GateKey key, AttemptInfo info, String owner) throws Exception;

  /** Makes an expired record of {@code from} one of {@code owner}, as {@link #begin}; gives its new fence. */
  OptionalLong takeOver(GateKey key, AttemptInfo info, String owner, String from) throws Exception;

  /** Has a record in progress expire {@code length} from now. */
  boolean renew(GateKey key, String owner, Duration length) throws Exception;

  /** Counts the first attempt that may have had an effect from now on, since those before had none. */
  boolean restart(GateKey key, String owner) throws Exception;

  /** Marks a record in progress completed, and keeps how the lease of its message stood. */
  boolean complete(GateKey key, String owner, LeaseStory lease) throws Exception;

  /** Has a record in progress expire now, so that the next attempt may begin. */
  void letGo(GateKey key, String owner) throws Exception;

  /** Removes a record in progress whose attempt cannot have had an effect. */
  void remove(GateKey key, String owner) throws Exception;

  /** Counts one more redelivery of a completed key. Does not throw. */
  Completion suppressed(GateKey key, LeaseRecord done);
}
