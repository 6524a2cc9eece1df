package io.queueworker.strict;

import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.ReceiveFailed;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.endpoint.EndpointCall;
import io.queueworker.testkit.endpoint.Operation;
import io.queueworker.testkit.endpoint.StrictQueue;
import io.queueworker.testkit.endpoint.StrictSqs;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** Short polls at a queue that allows no message in flight; tells whether each came no earlier than its worker said. */
final class PollsOverTheLimit implements Callable<String> {

  private static final int POLLS = 5;

  @Override
  public String call() throws Exception {
    Trail trail = Trail.create();
    try (StrictSqs sqs = StrictSqs.start();
        StrictQueue queue = sqs.queue("orders").inFlightLimit(0).create()) {
      try (QueueWorker worker =
          QueueWorker.of(queue.connect())
              .handler(delivery -> {})
              .maxConcurrency(1)
              .pollWait(Duration.ZERO)
              .inlineListener(trail)
              .start()) {
        trail.awaitCount(ReceiveFailed.class, POLLS, StrictRig.LONG);
        worker.close();
      }
      List<EndpointCall> polls = queue.calls(Operation.RECEIVE);
      List<ReceiveFailed> failures = trail.of(ReceiveFailed.class);
      for (int i = 1; i < POLLS; i++) {
        Duration between = polls.get(i).arrivedAt().minus(polls.get(i - 1).arrivedAt());
        if (between.compareTo(failures.get(i - 1).retryIn()) < 0) {
          return "a poll did not wait";
        }
      }
      return "each poll waited";
    }
  }
}
