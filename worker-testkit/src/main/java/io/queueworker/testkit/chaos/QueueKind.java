package io.queueworker.testkit.chaos;

/** The rules that the queue has. */
public enum QueueKind {
  /** A standard Amazon SQS queue. */
  STANDARD,
  /** An Amazon SQS FIFO queue. The order of effects in each group is judged. */
  FIFO,
  /** A queue in the manner of Alibaba Cloud SMQ. */
  SMQ_LIKE
}
