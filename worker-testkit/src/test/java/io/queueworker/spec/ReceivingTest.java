package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.PauseReason;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Paused;
import io.queueworker.observe.WorkerEvent.PollReplaced;
import io.queueworker.observe.WorkerEvent.ReceiveFailed;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.observe.WorkerEvent.Resumed;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.QueueException.Kind;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Receiving when the service refuses, is silent or hangs, and when the worker is told to pause. */
class ReceivingTest {

  private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);

  private static QueueException failure(Kind kind) {
    return kind == Kind.DENIED
        ? QueueException.denied("sqs:ReceiveMessage", "403 AccessDenied", null)
        : QueueException.of(kind, "receive from orders failed: " + kind, null);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void S25_receives_that_fail_for_five_seconds_cost_at_most_ten_calls_and_recover_within_one_backoff(Kind kind) {
    for (long seed = 1; seed <= 4; seed++) {
      Rig.run(
          seed,
          rig -> {
            rig.queue.onCall(
                CallKind.RECEIVE,
                call -> rig.timing.elapsed().compareTo(FIVE_SECONDS) < 0 ? Fault.fail(failure(kind)) : Fault.none());
            QueueWorker worker = rig.worker().handler(delivery -> {}).start();
            rig.timing.advance(FIVE_SECONDS);
            assertThat(rig.queue.calls(CallKind.RECEIVE)).hasSizeBetween(3, 10);
            List<ReceiveFailed> failures = rig.trail.of(ReceiveFailed.class);
            assertThat(failures).extracting(ReceiveFailed::kind).containsOnly(kind.name());
            assertThat(failures.get(failures.size() - 1).inARow()).isEqualTo(failures.size());
            assertThat(worker.health().denied().contains("sqs:ReceiveMessage")).isEqualTo(kind == Kind.DENIED);
            rig.send(1);
            rig.timing.await("recovery", rig.queue::isEmpty,
                failures.get(failures.size() - 1).retryIn().plusSeconds(1));
            assertThat(worker.health().denied()).isEmpty();
            worker.close();
            rig.checkRules();
          });
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void S25_one_reset_of_eight_polls_at_once_counts_as_one_failure(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(400);
          QueueWorker worker =
              rig.worker().maxConcurrency(200).handler(delivery -> rig.timing.sleep(Duration.ofMillis(200))).start();
          rig.timing.await("polls", () -> rig.threads.alive("poll-").size() == 8, Duration.ofMinutes(1));
          rig.queue.onCall(CallKind.RECEIVE, call -> Fault.loseReply());
          rig.awaitCount(ReceiveFailed.class, 1);
          rig.timing.advance(Duration.ofMillis(50));
          rig.queue.onCall(CallKind.RECEIVE, call -> Fault.none());
          rig.timing.advance(Duration.ofSeconds(1));
          assertThat(rig.trail.of(ReceiveFailed.class)).allSatisfy(f -> assertThat(f.inARow()).isEqualTo(1));
          rig.awaitEmpty();
          worker.close();
          rig.checkRulesFor(200);
        });
  }

  @Test
  void S26_thousands_of_denied_receives_leave_nothing_behind() {
    Rig.run(
        1,
        rig -> {
          int[] denials = new int[1];
          rig.queue.onCall(
              CallKind.RECEIVE,
              call -> {
                denials[0]++;
                return Fault.fail(failure(Kind.DENIED));
              });
          QueueWorker worker = rig.worker().handler(delivery -> {}).start();
          for (int i = 1; i <= 10; i++) {
            int times = 300 * i;
            rig.timing.await(
                "denials", () -> denials[0] >= times, Duration.ofHours(24));
            rig.timing.advance(Duration.ofMillis(100));
            assertThat(worker.health().inFlight()).isZero();
            assertThat(rig.threads.alive("")).containsExactlyInAnyOrder(
                "worker-orders-heartbeat", "worker-orders-poll-1");
          }
          rig.queue.onCall(CallKind.RECEIVE, call -> Fault.none());
          rig.send(1);
          rig.awaitEmpty();
          worker.close();
          rig.checkRules();
        });
  }

  @Test
  void S34_five_thousand_empty_polls_leave_the_number_of_threads_flat() {
    Rig.run(
        1,
        rig -> {
          QueueWorker worker = rig.worker().pollWait(Duration.ZERO).handler(delivery -> {}).start();
          for (int i = 1; i <= 10; i++) {
            int polls = 500 * i;
            rig.timing.await("polls", () -> rig.queue.calls(CallKind.RECEIVE).size() >= polls, Duration.ofHours(1));
            assertThat(rig.threads.alive("")).hasSize(2);
            assertThat(worker.health().inFlight()).isLessThanOrEqualTo(10);
          }
          worker.close();
          rig.timing.advance(Duration.ofSeconds(1));
          assertThat(rig.threads.alive("")).isEmpty();
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void S43_no_receive_starts_after_pause_or_close_returned(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(300);
          List<String> handled = new ArrayList<>();
          QueueWorker worker = rig.worker().handler(delivery -> handled.add(delivery.id())).start();
          rig.timing.advance(Duration.ofMillis(3 + 7 * seed));
          worker.pause();
          int before = rig.queue.calls(CallKind.RECEIVE).size();
          rig.timing.advance(Duration.ofMinutes(1));
          assertThat(rig.queue.calls(CallKind.RECEIVE)).hasSize(before);
          assertThat(rig.queue.inFlight()).isEmpty();
          assertThat(worker.health().inFlight()).isZero();
          worker.resume();
          rig.timing.await("more", () -> rig.queue.calls(CallKind.RECEIVE).size() > before, Duration.ofSeconds(1));
          worker.close();
          int atClose = rig.queue.calls(CallKind.RECEIVE).size();
          rig.send(5);
          rig.timing.advance(Duration.ofMinutes(1));
          assertThat(rig.queue.calls(CallKind.RECEIVE)).hasSize(atClose);
          assertThat(handled.size() + rig.queue.visible().size()).isEqualTo(305);
          rig.checkRules();
        });
  }

  @Test
  void pauses_are_a_set_of_reasons_and_resume_takes_only_its_own() {
    Rig.run(
        1,
        rig -> {
          rig.queue.onCall(CallKind.DELETE,
              call -> Fault.fail(QueueException.denied("sqs:DeleteMessage", "403", null)));
          rig.send(1);
          QueueWorker worker = rig.worker().handler(delivery -> {}).start();
          rig.awaitCount(Paused.class, 1);
          worker.pause();
          worker.pause();
          assertThat(worker.health().pauses())
              .containsOnlyKeys(PauseReason.PERMISSION_DENIED, PauseReason.BY_HAND);
          worker.resume();
          worker.resume();
          assertThat(worker.health().pauses()).containsOnlyKeys(PauseReason.PERMISSION_DENIED);
          worker.pause();
          rig.queue.onCall(CallKind.DELETE, call -> Fault.none());
          rig.timing.await(
              "permission", () -> !worker.health().pauses().containsKey(PauseReason.PERMISSION_DENIED),
              Duration.ofMinutes(2));
          rig.timing.advance(Duration.ofMinutes(1));
          assertThat(worker.health().pauses()).containsOnlyKeys(PauseReason.BY_HAND);
          rig.send(1);
          rig.timing.advance(Duration.ofMinutes(1));
          assertThat(rig.queue.visible()).hasSize(1);
          worker.resume();
          rig.awaitEmpty();
          assertThat(rig.trail.of(Resumed.class))
              .extracting(Resumed::reason)
              .containsExactly(PauseReason.BY_HAND, PauseReason.PERMISSION_DENIED, PauseReason.BY_HAND);
          worker.close();
          rig.checkRules();
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void pollers_grow_under_load_and_shrink_to_one_when_it_is_quiet(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.latency(Duration.ofMillis(20), Duration.ofMillis(60));
          rig.send(1_000);
          Set<Integer> pollers = new TreeSet<>();
          QueueWorker worker =
              rig.worker()
                  .maxConcurrency(200)
                  .handler(
                      delivery -> {
                        pollers.add(rig.threads.alive("poll-").size());
                        rig.timing.sleep(Duration.ofMillis(50));
                      })
                  .start();
          rig.awaitEmpty();
          assertThat(pollers).contains(3).allSatisfy(n -> assertThat(n).isLessThanOrEqualTo(8));
          rig.timing.advance(Duration.ofSeconds(60));
          assertThat(rig.threads.alive("poll-")).hasSize(1);
          worker.close();
          rig.checkRulesFor(200);
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void a_poll_that_hangs_is_replaced_and_what_it_brings_in_time_goes_back_at_once(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(Duration.ofMinutes(5)).nextCall(CallKind.RECEIVE, Fault.hang(Duration.ofMinutes(1)));
          String stranded = rig.send(1).get(0);
          List<String> handled = new ArrayList<>();
          QueueWorker worker = rig.worker().handler(delivery -> handled.add(delivery.id())).start();
          rig.awaitCount(PollReplaced.class, 1);
          assertThat(worker.health().inFlight()).isLessThanOrEqualTo(10);
          String other = rig.send(1).get(0);
          rig.timing.await("the replacement works", () -> handled.contains(other), Duration.ofSeconds(5));
          rig.awaitEmpty();
          assertThat(handled).containsExactly(other, stranded);
          assertThat(rig.trail.of(Released.class)).containsExactly(new Released(stranded, 1, Duration.ZERO));
          assertThat(rig.threads.alive("poll-")).hasSize(1);
          worker.close();
          rig.checkRules();
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void what_a_poll_brings_after_its_visibility_ran_out_is_left_to_its_new_holder(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.nextCall(CallKind.RECEIVE, Fault.hang(Duration.ofMinutes(1)));
          String id = rig.send(1).get(0);
          List<String> handled = new ArrayList<>();
          QueueWorker worker =
              rig.worker()
                  .handler(
                      delivery -> {
                        handled.add(delivery.id());
                        rig.timing.sleep(Duration.ofMinutes(2));
                      })
                  .start();
          rig.awaitEmpty();
          assertThat(handled).containsExactly(id);
          assertThat(rig.queue.calls(CallKind.RELEASE)).isEmpty();
          assertThat(rig.queue.calls(CallKind.RECEIVE).stream().flatMap(c -> c.messageIds().stream()))
              .containsExactly(id, id);
          assertThat(rig.trail.of(LeaseLost.class)).hasSize(1);
          worker.close();
          rig.checkRules();
        });
  }

  @Test
  void an_answer_that_is_late_by_more_than_the_visibility_starts_no_handler() {
    Rig.run(
        1,
        rig -> {
          rig.queue.visibility(FIVE_SECONDS).nextCall(CallKind.RECEIVE, Fault.delayReply(Duration.ofSeconds(9)));
          rig.send(1);
          List<Boolean> held = new ArrayList<>();
          QueueWorker worker =
              rig.worker()
                  .pollWait(Duration.ofSeconds(1))
                  .handler(delivery -> held.add(rig.queue.calls(CallKind.RECEIVE).stream()
                      .map(SimulatedCall::entries).mapToInt(List::size).sum() == 2))
                  .start();
          rig.awaitEmpty();
          assertThat(held).containsExactly(true);
          worker.close();
          rig.checkRules();
        });
  }
}
