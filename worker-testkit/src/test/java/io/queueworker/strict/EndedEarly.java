package io.queueworker.strict;

import io.queueworker.Failure;
import io.queueworker.FailureAction;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.LeftForRedrive;
import io.queueworker.observe.WorkerEvent.Released;
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
 * Four messages, three of which end at once: one fails, one cannot be decoded and one is released. Tells how many changes of
 * visibility these three got while the fourth was extended for one and a half visibility timeouts and more, and what became of
 * them.
 */
final class EndedEarly implements Callable<String> {

  private static final int BEATS = 3;

  private final Trail trail = Trail.create();
  private final List<String> longRunning = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);

  @Override
  public String call() throws Exception {
    try (StrictSqs sqs = StrictSqs.start();
        StrictQueue queue = sqs.queue("orders").visibility(Duration.ofSeconds(6)).maxReceiveCount(1).create()) {
      queue.send("long", "fails", "undecodable", "released");
      try (QueueWorker worker =
          QueueWorker.of(queue.connect())
              .decode(EndedEarly::decoded)
              .handler(delivery -> {
                if (!delivery.body().equals("long")) {
                  throw new IllegalStateException(delivery.body());
                }
                longRunning.add(delivery.id());
                StrictRig.await("the end of the test", end);
              })
              .failurePolicy(EndedEarly::decision)
              .pollWait(StrictRig.SHORT_POLL)
              .inlineListener(trail)
              .start()) {
        trail.awaitCount(LeftForRedrive.class, 2, StrictRig.LONG);
        trail.awaitCount(Released.class, 1, StrictRig.LONG);
        trail.await(BEATS + " beats of the long one", this::isExtendedOften, StrictRig.LONG);
        StrictRig.until(
            "three dead letters, or extensions of messages that ended",
            () -> queue.deadLetters().counts().visible() == 3 || changesOfEnded(queue) > 1);
        end.countDown();
        worker.close();
      }
      return changesOfEnded(queue) + " change of visibility, " + queue.deadLetters().counts().visible()
          + " dead letters, " + sqs.trespasses().size() + " trespasses";
    }
  }

  private static String decoded(String body) {
    if (body.equals("undecodable")) {
      throw new IllegalArgumentException(body);
    }
    return body;
  }

  private static FailureAction decision(Failure failure) {
    return "released".equals(failure.cause().getMessage())
        ? FailureAction.retryAfter(Duration.ofSeconds(1))
        : FailureAction.leaveForRedrive();
  }

  private boolean isExtendedOften(Trail seen) {
    return longRunning.stream().anyMatch(id -> seen.of(Extended.class, id).size() >= BEATS);
  }

  private long changesOfEnded(StrictQueue queue) {
    return queue.calls(Operation.CHANGE_VISIBILITY).stream()
        .flatMap(call -> call.entries().stream())
        .filter(entry -> !longRunning.contains(entry.messageId()))
        .count();
  }
}
