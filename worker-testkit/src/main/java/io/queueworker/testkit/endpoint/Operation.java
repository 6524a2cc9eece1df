package io.queueworker.testkit.endpoint;

/** What a call to SQS asks for; the single and the batch form of a call are one operation. */
public enum Operation {
  /** SendMessage and SendMessageBatch. */
  SEND("SendMessage"),
  /** ReceiveMessage. */
  RECEIVE("ReceiveMessage"),
  /** ChangeMessageVisibility and ChangeMessageVisibilityBatch: an extension, or a release when the timeout is short. */
  CHANGE_VISIBILITY("ChangeMessageVisibility"),
  /** DeleteMessage and DeleteMessageBatch. */
  DELETE("DeleteMessage"),
  /** GetQueueAttributes. */
  GET_ATTRIBUTES("GetQueueAttributes"),
  /** SetQueueAttributes. */
  SET_ATTRIBUTES("SetQueueAttributes"),
  /** CreateQueue. */
  CREATE_QUEUE("CreateQueue"),
  /** GetQueueUrl. */
  GET_QUEUE_URL("GetQueueUrl"),
  /** DeleteQueue. */
  DELETE_QUEUE("DeleteQueue"),
  /** PurgeQueue. */
  PURGE_QUEUE("PurgeQueue"),
  /** ListQueues. */
  LIST_QUEUES("ListQueues"),
  /** ListDeadLetterSourceQueues. */
  LIST_DEAD_LETTER_SOURCES("ListDeadLetterSourceQueues"),
  /** Everything that the endpoint does not know. */
  UNKNOWN("");

  private static final String BATCH = "Batch";

  private final String wireName;

  Operation(String wireName) {
    this.wireName = wireName;
  }

  /** Its name in the service's API, without {@code Batch}; empty for {@link #UNKNOWN}. */
  public String wireName() {
    return wireName;
  }

  /** Whether it has a batch form. */
  boolean hasBatch() {
    return this == SEND || this == CHANGE_VISIBILITY || this == DELETE;
  }

  /** The operation that a name of the API stands for. */
  static Operation named(String name) {
    for (Operation operation : values()) {
      if (name.equals(operation.wireName) || (operation.hasBatch() && name.equals(operation.wireName + BATCH))) {
        return operation;
      }
    }
    return UNKNOWN;
  }

  /** Whether a name of the API is a batch form. */
  static boolean isBatch(String name) {
    return named(name).hasBatch() && name.endsWith(BATCH);
  }
}
