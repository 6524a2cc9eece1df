package io.queueworker.testkit.contract;

/**
 * Something that ElasticMQ does otherwise than Amazon SQS and that the port shows. Where a subject {@linkplain
 * QueueUnderTest#differences() has} one, the contract asks for the other behavior, so that an emulator that learned better
 * is noticed.
 *
 * <p>The numbers are those of docs/queue-facts.md, section B.
 */
public enum QueueDifference {
  /** B1. */
  OLD_RECEIPT_CANNOT_DELETE(
      1,
      "A delete with the receipt of an earlier receive is done.",
      "It is lost; the message stays with its holder."),
  /** B2. */
  SECOND_DELETE_IS_LOST(2, "A second delete is done.", "It is lost."),
  /** B3. */
  OLD_RECEIPT_CANNOT_CHANGE(
      3,
      "A release with the receipt of an earlier receive frees the new holder's message.",
      "It is lost and does nothing."),
  /** B4. */
  DELETED_MESSAGE_IS_LOST(4, "An extension of a deleted message says that it is gone.", "It is lost."),
  /** B5. */
  LAPSED_EXTENSION_HIDES_AGAIN(
      5,
      "An extension after the timeout hides nothing: standard queues answer done, FIFO queues refuse it.",
      "It is done and hides the message again, on both."),
  /** B6. */
  LAPSED_FIFO_DELETE_IS_DONE(
      6,
      "A delete on a FIFO queue after the timeout is lost, and the message stays.",
      "It is done, and the message is deleted."),
  /** B7. */
  NO_TOTAL_CAP(
      7,
      "An extension that would hold a message beyond 12 hours from its receive is lost.",
      "It is done; there is no cap."),
  /** B10. */
  MALFORMED_RECEIPT_FAILS_THE_CALL(
      10,
      "A malformed receipt among good ones is lost, and the others are served.",
      "The whole call fails, for every entry.");

  private final int fact;
  private final String service;
  private final String emulator;

  QueueDifference(int fact, String service, String emulator) {
    this.fact = fact;
    this.service = service;
    this.emulator = emulator;
  }

  /** The number of the fact in section B of docs/queue-facts.md. */
  public int fact() {
    return fact;
  }

  /** What Amazon SQS does. */
  public String service() {
    return service;
  }

  /** What ElasticMQ does. */
  public String emulator() {
    return emulator;
  }
}
