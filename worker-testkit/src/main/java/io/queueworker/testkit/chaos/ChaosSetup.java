package io.queueworker.testkit.chaos;

import io.queueworker.WorkerBuilder;

/** How the workers under test are made. Called for each worker, also for those that take the place of dead ones. */
@FunctionalInterface
public interface ChaosSetup {

  /** Completes {@link ChaosWorld#worker()} with a handler. */
  WorkerBuilder<?> describe(ChaosWorld world);
}
