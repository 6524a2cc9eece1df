package io.queueworker.benchmarks;

/** Somebody who works off a queue. Made by {@link Contenders}; for one thread. */
interface Contender {

  /** Begins to receive, and returns. */
  void start() throws Exception;

  /** Ends as its users are told to end it. */
  void close() throws Exception;
}
