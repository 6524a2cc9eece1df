package io.queueworker.testkit.chaos;

/** How a handler's run goes. */
public enum Act {
  /** It takes this long. */
  TAKES,
  /** It throws after this long. */
  FAILS,
  /** It throws an {@link Error} after this long. */
  FAILS_WITH_ERROR,
  /** It hangs until it is interrupted. */
  HANGS,
  /** It ignores every interrupt until this long has passed. */
  DEAF,
  /** It takes this long and tells of no progress. */
  STALLS,
  /** It asks for the message to stay hidden this long, and then takes as long as any run. */
  WISHES,
  /** It swallows what its effect throws, and returns. */
  SWALLOWS,
  /** The user's condition for keeping the message turns false while it runs this long. */
  GIVEN_UP,
  /** The body cannot be decoded this time. */
  DECODE_FAILS,
  /** The key function throws this time. */
  KEY_FAILS,
  /** It fails, and the failure policy throws. */
  POLICY_FAILS,
  /** It rejects the message after this long. */
  REJECTS
}
