package io.queueworker.observe;

import java.util.Locale;

/** What an observed attempt at a message came to: the value of {@value DeliveryConvention#OUTCOME}. */
public enum DeliveryOutcome {
  /** It still goes on; as the end of an attempt, a bug of this library. */
  UNKNOWN,

  /** The effect is durable, or a handler without a gate returned. */
  COMMITTED,

  /** The gate knew the key as completed: the handler did not run, or what it did was undone. */
  SUPPRESSED,

  /** It failed in decoder, key function, handler or commit; the failure policy decides. */
  FAILED,

  /** Nothing failed, but it could not be done now: the message is held, and the next attempt is observed by itself. */
  HELD,

  /** The commit was sent and not answered; the message is held, and the next attempt finds out. */
  COMMIT_UNKNOWN,

  /** Nobody can tell whether an earlier attempt had its effect: the message is rejected without running. */
  UNCERTAIN,

  /** The lease was lost, so nothing of the attempt was made durable. */
  LOST,

  /** It was told to end before its handler started. */
  CUT_SHORT;

  private final String tag = name().toLowerCase(Locale.ROOT);

  /** The value as observations carry it, in small letters. */
  public String tag() {
    return tag;
  }
}
