package io.queueworker.strict;

import io.queueworker.testkit.endpoint.EndpointCall;
import io.queueworker.testkit.endpoint.EndpointCall.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What the scenarios on the strict endpoint share. */
final class StrictRig {

  /** A bound for what must happen, far above what it takes. */
  static final Duration LONG = Duration.ofSeconds(90);

  /** For workers whose close must not wait for a long poll. */
  static final Duration SHORT_POLL = Duration.ofSeconds(1);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

  private StrictRig() {}

  /** Waits for a named event. */
  static void await(String what, CountDownLatch event) throws InterruptedException {
    if (!event.await(LONG.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("not within " + LONG + ": " + what);
    }
  }

  /** Waits for a state that nothing signals: asks again until the answer is yes. */
  static void until(String what, Callable<Boolean> yes) throws Exception {
    long start = System.nanoTime();
    while (!yes.call()) {
      if (System.nanoTime() - start > LONG.toNanos()) {
        throw new AssertionError("not within " + LONG + ": " + what);
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }

  /** One line per call: how it ended for the client, and the result of each of its messages. */
  static List<String> lines(List<EndpointCall> calls) {
    return calls.stream()
        .map(call -> call.outcome() + " " + call.entries().stream().map(EndpointCall.Entry::result).toList())
        .toList();
  }

  /** How many calls went without an answer or were refused. */
  static long failed(List<EndpointCall> calls) {
    return calls.stream()
        .filter(call -> call.outcome() == Outcome.REFUSED || call.outcome() == Outcome.UNANSWERED)
        .count();
  }
}
