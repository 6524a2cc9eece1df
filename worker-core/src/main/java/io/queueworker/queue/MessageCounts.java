package io.queueworker.queue;

/**
 * How many messages a queue has, as the service counts them. On SQS the counts are approximate, and lag for about a minute.
 *
 * @param visible those that a receive could bring
 * @param notVisible those that were received and are hidden
 * @param delayed those that were sent with a delay which has not passed
 */
public record MessageCounts(long visible, long notVisible, long delayed) {

  /** All of them. */
  public long total() {
    return visible + notVisible + delayed;
  }
}
