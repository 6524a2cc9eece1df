package io.queueworker.strict;

import io.queueworker.LossReason;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.endpoint.StrictQueue;
import io.queueworker.testkit.endpoint.StrictSqs;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/** One hour after the receive, a handler asks for twelve more; what became of that, in words. */
final class TwelveHourWish implements Callable<String> {

  @Override
  public String call() throws Exception {
    LeapingTiming timing = new LeapingTiming();
    Trail trail = Trail.create();
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch wish = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (StrictSqs sqs = StrictSqs.start(0, timing);
        StrictQueue queue = sqs.queue("orders").visibility(Duration.ofHours(4)).create()) {
      CapCalls calls = new CapCalls(queue);
      queue.send("a");
      try (QueueWorker worker =
          QueueWorker.of(queue.connect())
              .handler(delivery -> {
                started.countDown();
                StrictRig.await("the time for the wish", wish);
                delivery.extendTo(Duration.ofHours(12));
                StrictRig.await("the end of the test", end);
              })
              .maxProcessingTime(Duration.ofHours(11))
              .pollWait(StrictRig.SHORT_POLL)
              .inlineListener(trail)
              .timing(timing)
              .start()) {
        StrictRig.await("the handler", started);
        timing.leap(Duration.ofHours(1));
        wish.countDown();
        StrictRig.until("an answer to the wish", () -> calls.doneWithinTheCap() + calls.refused() > 0);
        StrictRig.until("the worker's view of it", () -> trail.events().stream().anyMatch(TwelveHourWish::isAnswer));
        end.countDown();
        worker.close();
      }
      List<LossReason> lost = trail.of(LeaseLost.class).stream().map(LeaseLost::reason).toList();
      return calls + "; lost " + lost + "; " + (queue.deleted().isEmpty() ? "left" : "deleted");
    }
  }

  private static boolean isAnswer(WorkerEvent event) {
    return event instanceof Extended || event instanceof LeaseLost;
  }
}
