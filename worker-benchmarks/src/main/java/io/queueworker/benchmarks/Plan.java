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
 * @param seconds how long to look, of {@link Kind#IDLE}, or how long each message is held, of {@link Kind#HELD}
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

  /** A full queue, and a close after {@code before} messages. */
  static Plan close(int messages, int before, int handlerMillis) {
    return new Plan(Kind.CLOSE, Service.ELASTICMQ, messages - before, before, 64, 30, handlerMillis, 0, 0);
  }

  /** All messages in flight at once, each for so long. */
  static Plan held(Service service, int messages, int visibilitySeconds, int seconds) {
    return new Plan(Kind.HELD, service, messages, 0, messages, visibilitySeconds, 0, 0, seconds);
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
        kind == Kind.IDLE ? messages : options.messages().orElse(messages),
        kind == Kind.IDLE || kind == Kind.HELD ? warmup : options.warmup().orElse(warmup),
        kind == Kind.HELD ? options.messages().orElse(messages) : concurrency,
        visibilitySeconds,
        handlerMillis,
        perSecond,
        options.seconds().orElse(seconds));
  }

  /** The same on a queue of this kind. */
  Plan on(Service other) {
    return new Plan(
        kind, other, messages, warmup, concurrency, visibilitySeconds, handlerMillis, perSecond, seconds);
  }

  /** All messages that the contender gets. */
  int total() {
    return warmup + messages;
  }

  /** After how long a contender that has not ended counts as failed. */
  int limitSeconds() {
    int sending = perSecond == 0 ? 0 : total() / perSecond;
    return 120 + 2 * seconds + sending + total() / 200;
  }
}
