package io.queueworker.benchmarks;

/**
 * What a contender is given.
 *
 * @param queueUrl the queue
 * @param clients how to reach it
 * @param plan what it goes through
 * @param work what to do for each message
 */
record Job(String queueUrl, Clients clients, Plan plan, Work work) {

  /** Handles the body of a message. */
  interface Work {
    void handle(String body) throws Exception;
  }
}
