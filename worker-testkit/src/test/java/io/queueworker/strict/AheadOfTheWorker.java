package io.queueworker.strict;

import static io.queueworker.strict.StrictRig.LONG;

import io.queueworker.LossReason;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.endpoint.Operation;
import io.queueworker.testkit.endpoint.StrictQueue;
import io.queueworker.testkit.endpoint.StrictSqs;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * A handler of ten hours, whose message is extended on and on, with a service that counts ten minutes more than the worker does:
 * what the worker asks for in the end is beyond the cap by the service's clock.
 */
final class AheadOfTheWorker implements Callable<String> {

  private static final Duration VISIBILITY = Duration.ofHours(4);

  /** A little more than from one beat to the next. */
  private static final Duration A_BEAT = Duration.ofMinutes(130);

  private static final int ENOUGH = 3;

  private final LeapingTiming timing = new LeapingTiming();
  private final LeapingTiming service = new LeapingTiming();
  private final Trail trail = Trail.create();
  private final List<LossReason> told = new CopyOnWriteArrayList<>();
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  @Override
  public String call() throws Exception {
    try (StrictSqs sqs = StrictSqs.start(0, service);
        StrictQueue queue = sqs.queue("orders").visibility(VISIBILITY).create()) {
      CapCalls calls = new CapCalls(queue);
      queue.send("a");
      try (QueueWorker worker =
          QueueWorker.of(queue.connect())
              .handler(delivery -> {
                delivery.onLost(told::add);
                started.countDown();
                StrictRig.await("the end of the test", end);
              })
              .maxConcurrency(1)
              .maxProcessingTime(Duration.ofHours(11))
              .pollWait(StrictRig.SHORT_POLL)
              .inlineListener(trail)
              .timing(timing)
              .start()) {
        StrictRig.await("the handler", started);
        for (int beat = 1; beat <= 3; beat++) {
          leap(A_BEAT);
          trail.awaitCount(Extended.class, beat, LONG);
        }
        service.leap(Duration.ofMinutes(10));
        leap(A_BEAT);
        StrictRig.until("the loss, or some refusals", () -> !told.isEmpty() || calls.refused() >= ENOUGH);
        String result = calls + "; lost " + lost() + ", told " + told;
        int before = queue.calls(Operation.CHANGE_VISIBILITY).size();
        end.countDown();
        worker.close();
        int after = queue.calls(Operation.CHANGE_VISIBILITY).size();
        return result + "; " + (after == before ? "no call" : after - before + " calls") + " after that";
      }
    }
  }

  private List<LossReason> lost() {
    return trail.of(LeaseLost.class).stream().map(LeaseLost::reason).toList();
  }

  private void leap(Duration by) {
    // The service first: a beat that is due for the worker finds it there.
    service.leap(by);
    timing.leap(by);
  }
}
