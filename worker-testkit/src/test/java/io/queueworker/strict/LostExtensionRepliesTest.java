package io.queueworker.strict;

import static io.queueworker.strict.StrictRig.LONG;
import static io.queueworker.strict.StrictRig.SHORT_POLL;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.patched.PatchedCore;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.endpoint.HttpFault;
import io.queueworker.testkit.endpoint.Operation;
import io.queueworker.testkit.endpoint.ScriptedFault;
import io.queueworker.testkit.endpoint.StrictQueue;
import io.queueworker.testkit.endpoint.StrictSqs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** An extension that had its effect although its answer never came. */
@Execution(ExecutionMode.CONCURRENT)
class LostExtensionRepliesTest {

  private static final List<String> EVENTS =
      List.of(
          "Received",
          "HandlerStarted",
          "ExtendSent",
          "ExtendFailed",
          "ExtendSent",
          "Extended",
          "HandlerReturned",
          "Committed",
          "Deleted");

  /** The scenario; gives the kinds of the message's events, then the calls that changed its visibility. */
  static class ResetReply implements Callable<List<String>> {

    HttpFault fault() {
      return HttpFault.loseReply();
    }

    @Override
    public List<String> call() {
      Trail trail = Trail.create();
      List<String> seen = new ArrayList<>();
      try (StrictSqs sqs = StrictSqs.start()) {
        StrictQueue queue = sqs.queue("renewals").visibility(Duration.ofSeconds(4)).create();
        ScriptedFault lost = queue.next(Operation.CHANGE_VISIBILITY, fault());
        try (QueueWorker worker =
            QueueWorker.of(queue.connect())
                .handler(
                    delivery -> trail.await(
                        "the lease is extended or lost",
                        t -> t.count(Extended.class) + t.count(LeaseLost.class) > 0,
                        LONG))
                .controlTimeout(Duration.ofMillis(500))
                .pollWait(SHORT_POLL)
                .inlineListener(trail)
                .start()) {
          queue.send("a");
          trail.await("deleted or lost", t -> t.count(Deleted.class) + t.count(LeaseLost.class) > 0, LONG);
        }
        seen.addAll(trail.kinds(trail.of(HandlerStarted.class).get(0).messageId()));
        queue.calls(Operation.CHANGE_VISIBILITY)
            .forEach(
                call -> seen.add(call.entries().get(0).result() + " held=" + call.entries().get(0).heldOnArrival()));
        assertThat(lost.fired()).as("lost answers").isEqualTo(1);
        assertThat(sqs.trespasses()).isEmpty();
        Invariants.check(trail, 64);
      }
      return seen;
    }
  }

  /** The same with an answer that comes after the client gave up. */
  static final class LateReply extends ResetReply {
    @Override
    HttpFault fault() {
      return HttpFault.delayReply(Duration.ofMinutes(10));
    }
  }

  private static void kept(Callable<List<String>> scenario) throws Exception {
    assertThat(scenario.call().subList(0, EVENTS.size() + 2))
        .startsWith(EVENTS.toArray(String[]::new))
        .endsWith("done held=true", "done held=true");
  }

  @Test
  void S16_a_lease_is_kept_when_the_connection_of_its_extension_is_reset() throws Exception {
    kept(new ResetReply());
  }

  @Test
  void S16_a_lease_is_kept_when_the_answer_to_its_extension_comes_too_late() throws Exception {
    kept(new LateReply());
  }

  @Test
  @SuppressWarnings("unchecked")
  void S16_control_a_worker_that_takes_an_unanswered_extension_for_a_loss_gives_its_lease_up() throws Exception {
    PatchedCore hasty =
        PatchedCore.with(
            "io.queueworker.lease.Extender",
            "List<EntryResult> results = call(changes, Duration.ofNanos(Math.max(SHORTEST_TIMEOUT, shortest)));",
            """
                List<EntryResult> results = call(changes, Duration.ofNanos(Math.max(SHORTEST_TIMEOUT, shortest)))
                    .stream()
                    .map(result -> result instanceof EntryResult.Retryable failed
                        ? (EntryResult) new EntryResult.Lost(failed.reason()) : result)
                    .toList();
                """);
    assertThat((List<String>) hasty.create(ResetReply.class, Callable.class).call())
        .contains("LeaseLost", "done held=true")
        .doesNotContain("Extended");
  }
}
