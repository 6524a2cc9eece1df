package io.queueworker.strict;

import static io.queueworker.strict.StrictRig.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.Paused;
import io.queueworker.observe.WorkerEvent.ReceiveCompleted;
import io.queueworker.observe.WorkerEvent.ReceiveFailed;
import io.queueworker.patched.PatchedCore;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.endpoint.EndpointCall;
import io.queueworker.testkit.endpoint.EndpointCall.Outcome;
import io.queueworker.testkit.endpoint.Operation;
import io.queueworker.testkit.endpoint.StrictQueue;
import io.queueworker.testkit.endpoint.StrictSqs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Too many messages are in flight: the service's own rule, at a queue that allows two. */
@Execution(ExecutionMode.CONCURRENT)
class OverLimitTest {

  private static final int ALLOWED = 2;

  @Test
  void S57_a_short_poll_over_the_limit_backs_off_and_receives_again_when_others_delete()
      throws Exception {
    try (StrictSqs sqs = StrictSqs.start();
        StrictQueue queue = sqs.queue("orders").inFlightLimit(ALLOWED).create();
        MessageQueue other = queue.connect()) {
      Trail trail = Trail.create();
      queue.send("a", "b", "c", "d");
      List<Receipt> held = receive(other);
      try (QueueWorker worker =
          QueueWorker.of(queue.connect())
              .handler(delivery -> {})
              .maxConcurrency(1)
              .pollWait(Duration.ZERO)
              .inlineListener(trail)
              .start()) {
        trail.awaitCount(ReceiveFailed.class, 4, LONG);
        assertThat(worker.health().pauses()).as("nothing that only a person can change").isEmpty();
        assertThat(trail.count(ReceiveCompleted.class)).isZero();
        assertThat(other.delete(held, Duration.ofSeconds(5))).hasSize(ALLOWED);
        queue.awaitEmpty(LONG);
        trail.awaitCount(Deleted.class, 2, LONG);
      }

      List<ReceiveFailed> failures = trail.of(ReceiveFailed.class);
      List<EndpointCall> refused =
          queue.calls(Operation.RECEIVE).stream().filter(call -> call.outcome() == Outcome.REFUSED).toList();
      assertThat(refused).hasSameSizeAs(failures).extracting(EndpointCall::errorCode).containsOnly("OverLimit");
      assertThat(failures).extracting(ReceiveFailed::kind).containsOnly(QueueException.Kind.OVER_LIMIT.name());
      assertThat(failures).allSatisfy(failure -> assertThat(failure.why()).contains("Too many messages are in flight"));
      assertThat(trail.of(Paused.class)).isEmpty();
      assertBackedOff(failures, refused);
      assertThat(sqs.trespasses()).isEmpty();
    }
  }

  /** Each pause is half to all of 200 ms, doubled with every failure, and the next call came no earlier. */
  private static void assertBackedOff(List<ReceiveFailed> failures, List<EndpointCall> refused) {
    for (int i = 0; i < failures.size(); i++) {
      long longest = 200L << i;
      assertThat(failures.get(i).inARow()).isEqualTo(i + 1);
      assertThat(failures.get(i).retryIn()).isBetween(Duration.ofMillis(longest / 2), Duration.ofMillis(longest));
      if (i > 0) {
        Duration between = refused.get(i).arrivedAt().minus(refused.get(i - 1).arrivedAt());
        assertThat(between).as("calls %d and %d", i, i + 1).isGreaterThanOrEqualTo(failures.get(i - 1).retryIn());
      }
    }
  }

  @Test
  void S57_without_the_pause_polls_over_the_limit_come_at_once() throws Exception {
    PatchedCore hasty =
        PatchedCore.with(
            "io.queueworker.receive.Backoff", "return failures == 0 ? 0 : until - timing.nanoTime();", "return 0;");

    assertThat(hasty.create(PollsOverTheLimit.class, Callable.class).call()).isEqualTo("a poll did not wait");
    assertThat(new PollsOverTheLimit().call()).isEqualTo("each poll waited");
  }

  @Test
  void S57_a_long_poll_over_the_limit_comes_back_empty_and_is_no_failure() throws Exception {
    try (StrictSqs sqs = StrictSqs.start();
        StrictQueue queue = sqs.queue("orders").inFlightLimit(ALLOWED).create();
        MessageQueue other = queue.connect()) {
      Trail trail = Trail.create();
      queue.send("a", "b", "c");
      List<Receipt> held = receive(other);
      try (QueueWorker worker =
          QueueWorker.of(queue.connect())
              .handler(delivery -> {})
              .maxConcurrency(1)
              .pollWait(Duration.ofSeconds(1))
              .inlineListener(trail)
              .start()) {
        trail.awaitCount(ReceiveCompleted.class, 2, LONG);
        assertThat(trail.of(ReceiveCompleted.class)).extracting(ReceiveCompleted::received).containsOnly(0);
        assertThat(other.delete(held, Duration.ofSeconds(5))).hasSize(ALLOWED);
        queue.awaitEmpty(LONG);
        assertThat(worker.health().pauses()).isEmpty();
      }
      assertThat(trail.of(ReceiveFailed.class)).isEmpty();
      assertThat(queue.calls(Operation.RECEIVE)).extracting(EndpointCall::outcome).containsOnly(Outcome.ANSWERED);
    }
  }

  /** The receipts of as many messages as may be in flight, for another consumer. */
  private static List<Receipt> receive(MessageQueue other) throws Exception {
    List<Receipt> held = new ArrayList<>();
    StrictRig.until("the other consumer's messages", () -> {
      other.receive(new ReceiveRequest(ALLOWED - held.size(), Duration.ofSeconds(1), null))
          .forEach(message -> held.add(message.receipt()));
      return held.size() == ALLOWED;
    });
    return held;
  }
}
