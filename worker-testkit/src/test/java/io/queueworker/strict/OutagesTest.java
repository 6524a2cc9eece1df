package io.queueworker.strict;

import static io.queueworker.strict.StrictRig.LONG;
import static io.queueworker.strict.StrictRig.SHORT_POLL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.queueworker.PauseReason;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.DeleteFailed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.ExtendFailed;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.PermissionDenied;
import io.queueworker.observe.WorkerEvent.PermissionRestored;
import io.queueworker.observe.WorkerEvent.ReceiveCompleted;
import io.queueworker.observe.WorkerEvent.ReceiveFailed;
import io.queueworker.patched.PatchedCore;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.endpoint.EndpointCall;
import io.queueworker.testkit.endpoint.HttpFault;
import io.queueworker.testkit.endpoint.Operation;
import io.queueworker.testkit.endpoint.ScriptedFault;
import io.queueworker.testkit.endpoint.ServiceError;
import io.queueworker.testkit.endpoint.StrictQueue;
import io.queueworker.testkit.endpoint.StrictSqs;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A service that answers no receive, or no call at all, for a while. */
@Execution(ExecutionMode.CONCURRENT)
class OutagesTest {

  private static final Duration OUTAGE = Duration.ofSeconds(5);

  /** The scenario of S25 with one kind of failure; gives how many receives arrived in the outage's first five seconds. */
  static class FailingReceives implements Callable<Integer> {

    HttpFault fault() {
      return HttpFault.reset();
    }

    @Override
    public Integer call() throws Exception {
      Trail trail = Trail.create();
      try (StrictSqs sqs = StrictSqs.start()) {
        StrictQueue queue = sqs.queue("outage").create();
        ScriptedFault outage = queue.always(Operation.RECEIVE, fault());
        List<EndpointCall> failed;
        try (QueueWorker worker =
            QueueWorker.of(queue.connect())
                .handler(delivery -> {})
                .pollWait(SHORT_POLL)
                .inlineListener(trail)
                .start()) {
          StrictRig.until("a receive five seconds after the first one", () -> lasted(outage.hits()));
          outage.close();
          queue.send("a");
          trail.awaitCount(Deleted.class, 1, LONG);
        }
        failed = outage.hits();
        recovered(trail, failed.size(), StrictRig.failed(queue.calls(Operation.RECEIVE)));
        return (int) failed.stream().filter(call -> since(failed.get(0), call).compareTo(OUTAGE) <= 0).count();
      }
    }

    private static boolean lasted(List<EndpointCall> calls) {
      return !calls.isEmpty() && since(calls.get(0), calls.get(calls.size() - 1)).compareTo(OUTAGE) > 0;
    }

    private static Duration since(EndpointCall first, EndpointCall call) {
      return call.arrivedAt().minus(first.arrivedAt());
    }

    /** Each failure is told once, and the first receive after the last pause of the outage went well. */
    private static void recovered(Trail trail, int failures, long failedCalls) {
      assertThat(failedCalls).isEqualTo(failures);
      List<ReceiveFailed> told = trail.of(ReceiveFailed.class);
      assertThat(told).hasSize(failures);
      assertThat(told.get(failures - 1).inARow()).isEqualTo(failures);
      assertThat(trail.of(ReceiveCompleted.class)).isNotEmpty();
      assertThat(trail.of(HandlerStarted.class)).hasSize(1);
      Invariants.check(trail, 64);
    }
  }

  /** S25 with a queue that is not there. */
  static final class MissingQueue extends FailingReceives {
    @Override
    HttpFault fault() {
      return HttpFault.error(ServiceError.queueDoesNotExist());
    }
  }

  /** S25 without the permission to receive. */
  static final class DeniedReceives extends FailingReceives {
    @Override
    HttpFault fault() {
      return HttpFault.error(ServiceError.accessDenied("sqs:ReceiveMessage"));
    }
  }

  static Stream<Arguments> outages() {
    return Stream.of(
        argumentSet("connections are reset", new FailingReceives()),
        argumentSet("the queue is missing", new MissingQueue()),
        argumentSet("receiving is denied", new DeniedReceives()));
  }

  @ParameterizedTest
  @MethodSource("outages")
  void S25_at_most_ten_receives_go_out_in_five_seconds_of_failure_and_the_next_one_after_it_works(
      Callable<Integer> scenario) throws Exception {
    assertThat(scenario.call()).isBetween(2, 10);
  }

  @Test
  void S25_control_without_the_growing_pause_there_are_more_than_ten() throws Exception {
    PatchedCore eager =
        PatchedCore.with(
            "io.queueworker.receive.Backoff",
            "long pause = (long) (longest * (0.5 + timing.random() / 2));",
            "long pause = Duration.ofMillis(50).toNanos();");
    assertThat((Integer) eager.create(FailingReceives.class, Callable.class).call()).isGreaterThan(10);
  }

  @Test
  void S28_expired_credentials_are_told_and_every_kind_of_call_resumes_when_they_are_renewed() throws Exception {
    Trail trail = Trail.create();
    CountDownLatch expired = new CountDownLatch(1);
    CountDownLatch renewed = new CountDownLatch(1);
    HttpFault refusal = HttpFault.error(ServiceError.expiredToken());
    try (StrictSqs sqs = StrictSqs.start()) {
      StrictQueue queue = sqs.queue("credentials").visibility(Duration.ofSeconds(12)).create();
      try (QueueWorker worker =
          QueueWorker.of(queue.connect())
              .handler(delivery -> {
                switch (delivery.body()) {
                  case "quick" -> StrictRig.await("the credentials expired", expired);
                  case "slow" -> StrictRig.await("the credentials were renewed", renewed);
                  default -> {}
                }
              })
              .pollWait(SHORT_POLL)
              .inlineListener(trail)
              .start()) {
        queue.send("quick", "slow");
        trail.awaitCount(HandlerStarted.class, 2, LONG);
        List<ScriptedFault> outage =
            Stream.of(Operation.RECEIVE, Operation.CHANGE_VISIBILITY, Operation.DELETE)
                .map(operation -> queue.always(operation, refusal))
                .toList();
        trail.awaitCount(ReceiveFailed.class, 1, LONG);
        expired.countDown();
        trail.awaitCount(DeleteFailed.class, 1, LONG);
        trail.awaitCount(ExtendFailed.class, 1, LONG);
        String[] actions = {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility"};
        assertThat(worker.health().denied()).containsExactlyInAnyOrder(actions);
        StrictRig.until(
            "receiving is paused", () -> worker.health().pauses().containsKey(PauseReason.PERMISSION_DENIED));
        assertThat(outage).allSatisfy(fault -> assertThat(fault.fired()).isPositive());
        outage.forEach(ScriptedFault::close);
        trail.awaitCount(Extended.class, 1, LONG);
        trail.awaitCount(Deleted.class, 1, LONG);
        queue.send("later");
        trail.awaitCount(Deleted.class, 2, LONG);
        renewed.countDown();
        trail.awaitCount(Deleted.class, 3, LONG);
        assertThat(worker.health().denied()).isEmpty();
        assertThat(worker.health().pauses()).isEmpty();
        assertThat(trail.of(PermissionDenied.class))
            .extracting(PermissionDenied::action)
            .as("each told once")
            .containsExactlyInAnyOrder(actions);
        assertThat(trail.of(PermissionRestored.class))
            .extracting(PermissionRestored::action)
            .containsExactlyInAnyOrder(actions);
      }
      assertThat(queue.counts().total()).isZero();
      assertThat(sqs.trespasses()).isEmpty();
    }
    assertThat(trail.of(LeaseLost.class)).isEmpty();
    assertThat(trail.of(HandlerStarted.class)).hasSize(3).allMatch(started -> started.receiveCount() == 1);
    Invariants.check(trail, 64);
  }
}
