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

  /** The same, whose work is counted when it is done. */
  Job counted(Tally tally) {
    return new Job(
        queueUrl,
        clients,
        plan,
        body -> {
          work.handle(body);
          tally.handled(Body.index(body));
        });
  }

  /** Handles the body of a message. */
  interface Work {
    void handle(String body) throws Exception;
  }
}
