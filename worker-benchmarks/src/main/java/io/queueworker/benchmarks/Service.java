package io.queueworker.benchmarks;

/** Where the queue is. */
enum Service {
  /** ElasticMQ, in a process of its own. */
  ELASTICMQ,
  /** Clients in the contender's own process that answer by themselves: {@link StubQueue}. */
  STUB
}
