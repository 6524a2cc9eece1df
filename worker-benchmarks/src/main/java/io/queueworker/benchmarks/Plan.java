package io.queueworker.benchmarks;

/**
 * What one contender goes through in one round. Immutable; it travels to the contender's process as JSON.
 *
 * @param kind what is done with it
 * @param service where the queue is
 * @param messages how many are measured
 * @param warmup how many come before them, for the compiler, and are not measured
 * @param concurrency messages in flight at most, where the contender has such a setting
 * @param visibilitySeconds the queue's visibility timeout
 * @param handlerMillis how long each handler sleeps
 * @param perSecond how many messages are sent a second, of {@link Kind#TRICKLE}
 * @param seconds how long to look, of {@link Kind#IDLE}
 */
record Plan(
    Kind kind,
    Service service,
    int messages,
    int warmup,
    int concurrency,
    int visibilitySeconds,
    int handlerMillis,
    int perSecond,
    int seconds) {

  /** A full queue of small messages, for handlers that do nothing. */
  static Plan saturated(Service service, int messages, int warmup) {
    return new Plan(Kind.SATURATED, service, messages, warmup, 64, 30, 0, 0, 0);
  }

  /** Messages one by one on ElasticMQ. */
  static Plan trickle(int messages, int warmup, int perSecond, int handlerMillis) {
    return new Plan(Kind.TRICKLE, Service.ELASTICMQ, messages, warmup, 64, 30, handlerMillis, perSecond, 0);
  }

  /** An empty queue on ElasticMQ. */
  static Plan idle(int seconds) {
    return new Plan(Kind.IDLE, Service.ELASTICMQ, 0, 0, 64, 30, 0, 0, seconds);
  }

  /** The same with what the user chose in place of the scenario's own numbers. */
  Plan with(Options options) {
    return new Plan(
        kind,
        service,
        kind == Kind.SATURATED ? options.messages().orElse(messages) : messages,
        kind == Kind.SATURATED ? options.warmup().orElse(warmup) : warmup,
        concurrency,
        visibilitySeconds,
        handlerMillis,
        perSecond,
        options.seconds().orElse(seconds));
  }

  /** All messages that the contender gets. */
  int total() {
    return warmup + messages;
  }

  /** After how long a contender that has not ended counts as failed. */
  int limitSeconds() {
    int sending = perSecond == 0 ? 0 : total() / perSecond;
    return 120 + seconds + sending + total() / 500;
  }
}
