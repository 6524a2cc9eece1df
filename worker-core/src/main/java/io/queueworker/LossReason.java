package io.queueworker;

/** Why a lease ended before the worker settled its message. */
public enum LossReason {
  /** Its time ran out: no extension succeeded before the deadline, or the process stood still. */
  EXPIRED("the visibility timeout ran out before an extension succeeded"),
  /** The service refused the receipt. */
  REFUSED("the service refused the receipt"),
  /** The handler ran past {@code maxProcessingTime}. */
  OVERTIME("the handler ran past maxProcessingTime"),
  /** No {@link Delivery#progress()} came within {@code stallTimeout}. */
  STALLED("the handler reported no progress within stallTimeout"),
  /** The user's {@code keepAliveWhile} turned false. */
  GIVEN_UP("keepAliveWhile turned false"),
  /** The message was held for {@code maxHold}. */
  MAX_HOLD("the message was held for maxHold"),
  /** The gate's record of the key is another attempt's, or gone. */
  TAKEN_OVER("the gate's record of the key is another attempt's"),
  /** The worker closed while the handler was still running. */
  CLOSED("the worker closed before the handler ended");

  private final String words;

  LossReason(String words) {
    this.words = words;
  }

  /** The reason as part of a sentence. */
  public String words() {
    return words;
  }
}
