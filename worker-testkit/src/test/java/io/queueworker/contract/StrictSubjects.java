package io.queueworker.contract;

import io.queueworker.strict.LeapingTiming;
import io.queueworker.testkit.contract.QueueTest;
import io.queueworker.testkit.contract.SubjectSettings;
import io.queueworker.testkit.endpoint.StrictQueueBuilder;
import io.queueworker.testkit.endpoint.StrictSqs;

/** Queues of strict endpoints whose clocks can leap. Stateless. */
final class StrictSubjects {

  private StrictSubjects() {}

  /** Runs a test on a queue at an endpoint of its own. */
  static void on(String name, SubjectSettings settings, QueueTest test) throws Exception {
    LeapingTiming timing = new LeapingTiming();
    try (StrictSqs sqs = StrictSqs.start(0, timing)) {
      StrictQueueBuilder queue = sqs.queue(name).visibility(settings.visibility());
      settings.maxReceiveCount().ifPresent(queue::maxReceiveCount);
      settings.retention().ifPresent(queue::retention);
      SqsSubject.on(queue.create(), timing::leap, test);
    }
  }
}
