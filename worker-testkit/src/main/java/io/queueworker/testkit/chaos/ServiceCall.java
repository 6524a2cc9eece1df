package io.queueworker.testkit.chaos;

/** The calls to the modelled services that a worker's gate and handler use. */
public enum ServiceCall {
  /** The database reads a key's row. */
  LOOK,
  /** The database opens a transaction and locks a key's row. */
  OPEN,
  /** The database takes an effect into a transaction, or by itself. */
  INSERT,
  /** The database commits. */
  COMMIT,
  /** The database rolls back. */
  ROLLBACK,
  /** The store of a leased gate decides about an attempt. */
  ADMIT,
  /** The store of a leased gate renews a record. */
  RENEW,
  /** The store of a leased gate completes a record. */
  COMPLETE,
  /** The store of a leased gate lets a record go. */
  LET_GO,
  /** A system outside makes an effect. */
  OUTSIDE
}
