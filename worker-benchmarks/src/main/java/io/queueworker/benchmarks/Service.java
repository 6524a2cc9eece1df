package io.queueworker.benchmarks;

/** Where the queue is. */
enum Service {
  /** ElasticMQ, in a process of its own. */
  ELASTICMQ,
  /** The same, behind a proxy that adds 10 ms to each request: {@link SlowProxy}. */
  ELASTICMQ_SLOW,
  /** ElasticMQ with a FIFO queue of 1,000 groups. */
  ELASTICMQ_FIFO,
  /** Clients in the contender's own process that answer by themselves: {@link StubQueue}. */
  STUB;

  /** Whether a queue of its own is made for each run, by {@link Server}. */
  boolean isServer() {
    return this != STUB;
  }
}
