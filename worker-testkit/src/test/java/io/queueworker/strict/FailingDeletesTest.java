package io.queueworker.strict;

import static io.queueworker.strict.StrictRig.LONG;
import static io.queueworker.strict.StrictRig.SHORT_POLL;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.PauseReason;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.DeleteFailed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.Paused;
import io.queueworker.observe.WorkerEvent.PermissionDenied;
import io.queueworker.observe.WorkerEvent.PermissionRestored;
import io.queueworker.observe.WorkerEvent.Resumed;
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
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Deletes that fail: all of them for a while, single entries, and for want of the permission. */
@Execution(ExecutionMode.CONCURRENT)
class FailingDeletesTest {

  private static final String SETTLE_CALLS = "io.queueworker.settle.SettleCalls";
  private static final int PERMITS = 4;
  private static final int MESSAGES = 2 * PERMITS;

  private static String[] bodies(int messages) {
    return IntStream.range(0, messages).mapToObj(i -> "m" + i).toArray(String[]::new);
  }

  /** The scenario of S30; gives how many handlers committed before the first delete worked. */
  static final class BrokenDeletes implements Callable<Integer> {
    @Override
    public Integer call() {
      Trail trail = Trail.create();
      int committed;
      try (StrictSqs sqs = StrictSqs.start()) {
        StrictQueue queue = sqs.queue("broken").create();
        ScriptedFault outage = queue.always(Operation.DELETE, HttpFault.error(ServiceError.internalFailure()));
        try (QueueWorker worker =
            QueueWorker.of(queue.connect())
                .handler(delivery -> {})
                .maxConcurrency(PERMITS)
                .pollWait(SHORT_POLL)
                .inlineListener(trail)
                .start()) {
          queue.send(bodies(MESSAGES));
          trail.await(
              "all committed, or one delete failed six times",
              t -> t.count(Committed.class) == MESSAGES || mostFailures(t) >= 6,
              LONG);
          trail.await("three failed calls", t -> outage.fired() >= 3, LONG);
          assertThat(trail.of(Deleted.class)).isEmpty();
          committed = trail.count(Committed.class);
          outage.close();
          trail.awaitCount(Deleted.class, MESSAGES, LONG);
        }
        assertThat(queue.counts().total()).isZero();
        assertThat(new HashSet<>(queue.deleted())).hasSize(MESSAGES);
        assertThat(StrictRig.failed(queue.calls(Operation.DELETE))).isEqualTo(outage.fired());
        assertThat(trail.of(HandlerStarted.class)).hasSize(MESSAGES);
        return committed;
      }
    }

    private static long mostFailures(Trail trail) {
      return trail.of(DeleteFailed.class).stream()
          .mapToLong(failed -> trail.of(DeleteFailed.class, failed.messageId()).size())
          .max()
          .orElse(0);
    }
  }

  @Test
  void S30_other_messages_are_handled_while_no_delete_works() {
    assertThat(new BrokenDeletes().call()).isEqualTo(MESSAGES);
  }

  @Test
  void S30_control_where_a_failing_delete_keeps_its_permit_the_others_wait_for_it() throws Exception {
    PatchedCore stubborn =
        PatchedCore.with(
            SETTLE_CALLS,
            "if (!settlement.isPermitBackEarly() && mayBeEarly) {",
            "if (mostEarly < 0 && mayBeEarly) {");
    assertThat((Integer) stubborn.create(BrokenDeletes.class, Callable.class).call()).isEqualTo(PERMITS);
  }

  /** The scenario of S46; gives the number of entries of each delete call, then what is left in the queue. */
  static final class FailingEntries implements Callable<List<Integer>> {

    static final int[] FAILING = {2, 5};

    @Override
    public List<Integer> call() {
      Trail trail = Trail.create();
      CountDownLatch together = new CountDownLatch(10);
      try (StrictSqs sqs = StrictSqs.start()) {
        StrictQueue queue = sqs.queue("entries").create();
        ScriptedFault failing =
            sqs.next(
                1,
                call -> call.operation() == Operation.DELETE && call.asked() == 10,
                HttpFault.entriesAt(ServiceError.of("InternalError", 500, "Try again."), FAILING));
        queue.send(bodies(10));
        try (QueueWorker worker =
            QueueWorker.of(queue.connect())
                .handler(delivery -> {
                  together.countDown();
                  StrictRig.await("ten handlers at work", together);
                })
                .deleteLinger(Duration.ofSeconds(10))
                .pollWait(SHORT_POLL)
                .inlineListener(trail)
                .start()) {
          trail.awaitCount(Deleted.class, 10, LONG);
        }
        assertThat(failing.fired()).isEqualTo(1);
        Invariants.check(trail, 64);
        List<EndpointCall> deletes = queue.calls(Operation.DELETE);
        if (deletes.size() > 1) {
          List<String> first = deletes.get(0).messageIds();
          assertThat(deletes.get(1).messageIds()).containsExactlyInAnyOrder(first.get(2), first.get(5));
          assertThat(trail.of(DeleteFailed.class))
              .extracting(DeleteFailed::messageId)
              .containsExactlyInAnyOrder(first.get(2), first.get(5));
        }
        return IntStream.concat(
            deletes.stream().mapToInt(EndpointCall::asked), IntStream.of(queue.counts().total())).boxed().toList();
      }
    }
  }

  @Test
  void S46_failed_entries_of_an_answer_with_http_200_are_sent_again_alone_and_once() {
    assertThat(new FailingEntries().call()).containsExactly(10, 2, 0);
  }

  @Test
  @SuppressWarnings("unchecked")
  void S46_control_a_worker_that_does_not_read_the_entries_leaves_two_messages_behind() throws Exception {
    PatchedCore careless =
        PatchedCore
            .with(
                "io.queueworker.queue.sqs.SqsBatches",
                "results.add(result(SqsFailure.of(error, receipts), permission));",
                "results.add(new EntryResult.Done(receipts.get(i)));");
    assertThat((List<Integer>) careless.create(FailingEntries.class, Callable.class).call()).containsExactly(10, 2);
  }

  /** The scenario of S48; gives whether the worker paused and said why. */
  static final class DeniedDeletes implements Callable<Boolean> {
    @Override
    public Boolean call() throws Exception {
      Trail trail = Trail.create();
      try (StrictSqs sqs = StrictSqs.start()) {
        StrictQueue queue = sqs.queue("denied").create();
        ScriptedFault denied =
            queue.always(Operation.DELETE, HttpFault.error(ServiceError.accessDenied("sqs:DeleteMessage")));
        boolean paused;
        try (QueueWorker worker =
            QueueWorker.of(queue.connect())
                .handler(delivery -> {})
                .pollWait(SHORT_POLL)
                .inlineListener(trail)
                .start()) {
          queue.send("a");
          trail.await("paused, or tried six times", t -> t.count(Paused.class) > 0 || denied.fired() >= 6, LONG);
          paused = trail.count(Paused.class) > 0;
          if (paused) {
            nothingIsReceived(trail, queue, worker, denied);
          }
          denied.close();
          trail.awaitCount(Deleted.class, paused ? 2 : 1, LONG);
          assertThat(worker.health().denied()).isEmpty();
          assertThat(worker.health().pauses()).isEmpty();
        }
        assertThat(queue.counts().total()).isZero();
        assertThat(trail.of(HandlerStarted.class)).hasSize(paused ? 2 : 1);
        assertThat(trail.of(PermissionRestored.class)).hasSize(paused ? 1 : 0);
        assertThat(trail.of(Resumed.class)).hasSize(paused ? 1 : 0);
        Invariants.check(trail, 64);
        return paused;
      }
    }

    private static void nothingIsReceived(Trail trail, StrictQueue queue, QueueWorker worker, ScriptedFault denied)
        throws Exception {
      assertThat(trail.of(Paused.class)).extracting(Paused::reason).containsExactly(PauseReason.PERMISSION_DENIED);
      assertThat(trail.of(PermissionDenied.class)).extracting(PermissionDenied::action)
          .containsExactly("sqs:DeleteMessage");
      assertThat(worker.health().denied()).containsExactly("sqs:DeleteMessage");
      assertThat(worker.health().pauses().get(PauseReason.PERMISSION_DENIED)).contains("sqs:DeleteMessage");
      denied.awaitFired(denied.fired() + 1, LONG);
      StrictRig.until("the last receive ended", () -> queue.waitingReceives() == 0);
      int receives = queue.calls(Operation.RECEIVE).size();
      queue.send("while paused");
      denied.awaitFired(denied.fired() + 2, LONG);
      assertThat(queue.calls(Operation.RECEIVE)).as("receives while paused").hasSize(receives);
      assertThat(queue.counts().visible()).isEqualTo(1);
      assertThat(trail.of(PermissionDenied.class)).as("told once").hasSize(1);
    }
  }

  @Test
  void S48_without_the_permission_to_delete_the_worker_says_so_and_stops_receiving_until_it_is_there()
      throws Exception {
    assertThat(new DeniedDeletes().call()).isTrue();
  }

  @Test
  void S48_control_a_worker_that_does_not_note_the_denial_goes_on_receiving() throws Exception {
    PatchedCore deaf =
        PatchedCore.with(
            SETTLE_CALLS,
            "permissions.denied(Call.DELETE, denied.action());",
            "");
    assertThat((Boolean) deaf.create(DeniedDeletes.class, Callable.class).call()).isFalse();
  }
}
