package io.queueworker.benchmarks;

/**
 * What {@link ServerMain} is asked for: a new queue, or the end of one.
 *
 * @param name the queue's name
 * @param visibilitySeconds its visibility timeout
 * @param messages how many messages to put into it
 * @param url when it is not empty: which queue to delete
 */
record QueueRequest(String name, int visibilitySeconds, int messages, String url) {

  /** A new queue. */
  static QueueRequest create(String name, Plan plan) {
    return new QueueRequest(
        name, plan.visibilitySeconds(), plan.kind() == Kind.SATURATED ? plan.total() : 0, "");
  }

  /** The end of a queue. */
  static QueueRequest delete(String url) {
    return new QueueRequest("", 0, 0, url);
  }
}
