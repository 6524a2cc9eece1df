package io.queueworker.benchmarks;

/**
 * What {@link ServerMain} is asked for: a new queue, or the end of one.
 *
 * @param name the queue's name
 * @param visibilitySeconds its visibility timeout
 * @param messages how many messages to put into it
 * @param service what kind of queue
 * @param url when it is not empty: which queue to delete
 */
record QueueRequest(String name, int visibilitySeconds, int messages, Service service, String url) {

  /** A new queue. */
  static QueueRequest create(String name, Plan plan) {
    return new QueueRequest(
        name,
        plan.visibilitySeconds(),
        plan.kind() == Kind.TRICKLE || plan.kind() == Kind.IDLE ? 0 : plan.total(),
        plan.service(),
        "");
  }

  /** The end of a queue. */
  static QueueRequest delete(String url) {
    return new QueueRequest("", 0, 0, Service.ELASTICMQ, url);
  }
}
