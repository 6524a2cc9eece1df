package io.queueworker.benchmarks;

/** What a contender goes through, inside its own process. */
interface Trial {

  /** Does it. Blocks until all is measured. */
  Result run() throws Exception;
}
