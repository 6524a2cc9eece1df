package io.queueworker.queue;

/** The attributes by which a rejected message tells where it comes from. Their names begin with {@value #PREFIX}. */
public final class RejectAttributes {

  /** What the names begin with; senders keep away from it. */
  public static final String PREFIX = "queueworker.";

  /**
   * The id that the message had when it was first rejected. Always there. A key function that falls back to the message id
   * reads it, so that a message keeps its key over a reject and a redrive, which both give new ids (docs/queue-facts.md A6).
   */
  public static final String ORIGINAL_MESSAGE_ID = PREFIX + "original-message-id";

  /**
   * The name of the queue that it was rejected from. A dead-letter queue may serve several, and the service notes the source only
   * of what it moves itself.
   */
  public static final String SOURCE_QUEUE = PREFIX + "source-queue";

  /** Why it was rejected, for a person. */
  public static final String REASON = PREFIX + "reason";

  /** The class of what was thrown. */
  public static final String EXCEPTION = PREFIX + "exception";

  /** How often the message had been received, of type {@code Number}. */
  public static final String RECEIVE_COUNT = PREFIX + "receive-count";

  /** The worker that rejected it. */
  public static final String WORKER = PREFIX + "worker";

  /** On a FIFO queue, the deduplication id that its sender gave; the copy's own is the message id, as the service does it. */
  public static final String DEDUPLICATION_ID = PREFIX + "deduplication-id";

  private RejectAttributes() {}
}
