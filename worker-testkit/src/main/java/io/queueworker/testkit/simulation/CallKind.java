package io.queueworker.testkit.simulation;

/** What a call to a simulated queue asks for. */
public enum CallKind {
  /** Reads the queue's settings. */
  ATTRIBUTES("sqs:GetQueueAttributes"),
  /** Receives messages. */
  RECEIVE("sqs:ReceiveMessage"),
  /** Makes received messages stay hidden. */
  EXTEND("sqs:ChangeMessageVisibility"),
  /** Makes received messages come back. */
  RELEASE("sqs:ChangeMessageVisibility"),
  /** Deletes received messages. */
  DELETE("sqs:DeleteMessage"),
  /** Sends a message. */
  SEND("sqs:SendMessage");

  private final String permission;

  CallKind(String permission) {
    this.permission = permission;
  }

  /** The permission it needs, by its name in a policy of Amazon SQS. */
  public String permission() {
    return permission;
  }
}
