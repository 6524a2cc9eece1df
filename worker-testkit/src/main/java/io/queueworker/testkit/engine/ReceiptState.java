package io.queueworker.testkit.engine;

/**
 * What the service knows about a receipt handle. Immutable.
 *
 * @param messageId the message; empty when the handle was never given out
 * @param receive the number of the receive that the handle is from; 0 when it was never given out
 * @param held whether the message is still hidden by that very receive
 * @param inTime whether it is, or would be had the message not been deleted, purged or ended by its retention meanwhile: the
 *        holder cannot know of that, and may still change the visibility without doing harm
 */
public record ReceiptState(String messageId, int receive, boolean held, boolean inTime) {

  /** A receipt that was never given out. */
  public static final ReceiptState UNKNOWN = new ReceiptState("", 0, false, false);
}
