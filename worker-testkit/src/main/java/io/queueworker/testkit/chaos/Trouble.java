package io.queueworker.testkit.chaos;

/** What goes wrong with one call to a queue or to another service. */
public enum Trouble {
  /** The service cannot be reached. */
  FAIL,
  /** The service asks for fewer calls. */
  THROTTLED,
  /** A permission is missing. */
  DENIED,
  /** The request arrives late, perhaps after the client gave up. */
  DELAY_REQUEST,
  /** The effect comes in time and the answer late, perhaps after the client gave up. */
  DELAY_REPLY,
  /** The request never arrives. */
  LOSE_REQUEST,
  /** The effect comes, and the connection breaks instead of the answer. */
  LOSE_REPLY,
  /** The answer comes late, and the client waits for it without any timeout. */
  HANG,
  /** The service says of an entry that its receipt is no longer good, and does nothing. */
  ENTRY_LOST,
  /** The service says of an entry that the message no longer exists, and does nothing. */
  ENTRY_GONE,
  /** The service fails an entry for now. */
  ENTRY_RETRYABLE,
  /** The service refuses an entry for want of a permission. */
  ENTRY_DENIED,
  /** The service answers a delete well, and the message comes again. */
  COMES_AGAIN,
  /** The database ends the transaction because of a conflict with another one. */
  CONFLICT,
  /** The database refuses the change for good. */
  REFUSED,
  /** The request arrives late, and the caller's machine stands still from the sending until after that. */
  LATE_BESIDE_STANDSTILL,
  /** The caller's machine stands still between its decision and the sending. */
  FREEZE_BEFORE_SEND,
  /** The caller's machine dies just before it sends. */
  KILL_BEFORE_SEND,
  /** The caller's machine dies with the request under way, which arrives. */
  KILL_AFTER_SEND,
  /** The caller's machine dies as soon as it has the answer. */
  KILL_AFTER_REPLY
}
