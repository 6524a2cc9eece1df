package io.queueworker.testkit.engine;

/**
 * What the service knows about a receipt handle. Immutable.
 *
 * @param messageId the message; empty when the handle was never given out
 * @param receive the number of the receive that the handle is from; 0 when it was never given out
 * @param held whether the message is still hidden by that very receive
 * @param gone whether the message does not exist any more, so that nobody has it
 */
public record ReceiptState(String messageId, int receive, boolean held, boolean gone) {

  static final ReceiptState UNKNOWN = new ReceiptState("", 0, false, false);
}
