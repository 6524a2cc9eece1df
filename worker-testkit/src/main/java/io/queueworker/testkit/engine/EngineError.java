package io.queueworker.testkit.engine;

/**
 * A refusal in the service's own words (docs/queue-facts.md A1, A2, A3, A5). Immutable.
 *
 * @param reason what the refusal is about, for code that need not read the words
 * @param code the service's error code, with its prefix where it has one
 * @param status the HTTP status of a call that is refused as a whole
 * @param message the service's words; they quote the receipt handle where the service does
 * @param senderFault whether the same call would be refused again
 */
public record EngineError(Reason reason, String code, int status, String message, boolean senderFault) {

  /** What a refusal is about. */
  public enum Reason {
    /** The receipt handle was never given out by this queue. */
    RECEIPT_UNKNOWN,
    /** The receipt handle's time ran out, or another took its place. */
    RECEIPT_EXPIRED,
    /** The message was deleted or its retention ended. */
    MESSAGE_GONE,
    /** The message would be held beyond 12 hours from its receive request. */
    HOLD_LIMIT,
    /** Too many messages are in flight. */
    OVER_LIMIT,
    /** A parameter is missing or outside its range. */
    PARAMETER
  }

  private static final String INVALID = "InvalidParameterValue";

  /** The handle was never given out. */
  public static EngineError receiptUnknown(String receipt) {
    return new EngineError(
        Reason.RECEIPT_UNKNOWN,
        "ReceiptHandleIsInvalid",
        400,
        "The input receipt handle \"" + receipt + "\" is not a valid receipt handle.",
        true);
  }

  /** The handle's time ran out. */
  public static EngineError receiptExpired(String receipt) {
    return new EngineError(
        Reason.RECEIPT_EXPIRED, INVALID, 400, value(receipt, "ReceiptHandle", "The receipt handle has expired."), true);
  }

  /** The message was deleted, or its retention ended. */
  public static EngineError messageGone(String receipt) {
    return new EngineError(
        Reason.MESSAGE_GONE,
        INVALID,
        400,
        value(
            receipt, "ReceiptHandle",
            "Message does not exist or is not available for visibility timeout change."),
        true);
  }

  /** The message would be held beyond 12 hours from its receive request. */
  public static EngineError holdLimit(long seconds, long limitSeconds) {
    return new EngineError(
        Reason.HOLD_LIMIT,
        INVALID,
        400,
        value(
            Long.toString(seconds),
            "VisibilityTimeout",
            "Total VisibilityTimeout for the message is beyond the limit [" + limitSeconds + " seconds]"),
        true);
  }

  /** Too many messages are in flight for a short poll. */
  public static EngineError overLimit() {
    return new EngineError(
        Reason.OVER_LIMIT,
        "OverLimit",
        403,
        "Too many messages are in flight on this queue.",
        true);
  }

  /** A parameter's value is outside its range; {@code why} is the service's sentence for it. */
  public static EngineError parameter(String given, String parameter, String why) {
    return new EngineError(Reason.PARAMETER, INVALID, 400, value(given, parameter, why), true);
  }

  /** A parameter is missing. */
  public static EngineError missing(String parameter) {
    return new EngineError(
        Reason.PARAMETER, "MissingParameter", 400, "The request must contain the parameter " + parameter + ".", true);
  }

  /** A receipt that Alibaba Cloud SMQ does not know any more, whatever the reason (docs/queue-facts.md C). */
  static EngineError messageNotExist(Reason reason) {
    return new EngineError(reason, "MessageNotExist", 404, "Message not exist.", true);
  }

  /** The exception that refuses a whole call. */
  EngineException refusal() {
    return new EngineException(this);
  }

  private static String value(String given, String parameter, String why) {
    return "Value " + given + " for parameter " + parameter + " is invalid. Reason: " + why;
  }

  /** Names the error without its words, which may quote a receipt handle. */
  @Override
  public String toString() {
    return "EngineError[" + code + " " + reason + "]";
  }
}
