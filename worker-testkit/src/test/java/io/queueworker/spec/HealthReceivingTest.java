package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.Health;
import io.queueworker.Health.Status;
import io.queueworker.HealthReason;
import io.queueworker.HealthReason.Kind;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerState;
import io.queueworker.observe.WorkerEvent.PollReplaced;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.timing.Timing.ThreadKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What health says of a worker's life and of its receives, and when it stops saying so. */
class HealthReceivingTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The kinds of reasons there are now, the worst first. */
  static List<Kind> kinds(QueueWorker worker) {
    return worker.health().reasons().stream().map(HealthReason::kind).toList();
  }

  /** The words of one reason. */
  static String words(QueueWorker worker, Kind kind) {
    return worker.health().reasons().stream().filter(r -> r.kind() == kind).findAny().orElseThrow().words();
  }

  private static void assertUp(QueueWorker worker) {
    assertThat(worker.health().reasons()).isEmpty();
    assertThat(worker.health().status()).isEqualTo(Status.UP);
  }

  @Seeds
  void a_worker_is_down_until_it_has_started_and_after_it_closed(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = rig.worker().handler(delivery -> {}).build();
          assertThat(kinds(worker)).containsExactly(Kind.NOT_STARTED);
          assertThat(worker.health().status()).isEqualTo(Status.DOWN);

          rig.queue.nextCall(CallKind.ATTRIBUTES, Fault.delayReply(Duration.ofSeconds(2)));
          rig.timing.start(ThreadKind.PLATFORM, "starter", worker::start);
          rig.timing.advance(SECOND);
          assertThat(worker.health().state()).isEqualTo(WorkerState.RUNNING);
          assertThat(words(worker, Kind.NOT_STARTED)).contains("checks the queue");
          assertThat(worker.health().status()).isEqualTo(Status.DOWN);

          rig.timing.advance(Duration.ofSeconds(2));
          assertUp(worker);

          worker.close();
          assertThat(kinds(worker)).containsExactly(Kind.CLOSED);
          assertThat(worker.health().status()).isEqualTo(Status.DOWN);
        });
  }

  @Seeds
  void a_drain_shows_what_is_left_and_for_how_long(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(2);
          QueueWorker worker =
              rig.worker()
                  .pollWait(SECOND)
                  .handler(delivery -> rig.timing.sleep(Duration.ofSeconds(delivery.body().equals("0") ? 5 : 15)))
                  .start();
          rig.timing.advance(SECOND);
          rig.timing.start(ThreadKind.PLATFORM, "closer", worker::close);
          rig.timing.advance(Duration.ofSeconds(8));

          Health health = worker.health();
          assertThat(kinds(worker)).containsExactly(Kind.DRAINING);
          assertThat(health.status()).isEqualTo(Status.DEGRADED);
          assertThat(health.drain()).contains(new Health.DrainProgress(2, 1, Duration.ofSeconds(17)));
          assertThat(words(worker, Kind.DRAINING)).contains("1 of 2").contains("17 s");

          worker.close();
          assertThat(kinds(worker)).containsExactly(Kind.CLOSED);
          assertThat(worker.health().drain()).isEmpty();
          rig.checkRules();
        });
  }

  @Seeds
  void an_idle_worker_is_up_and_its_receive_is_never_due_for_much_longer_than_pollWait(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = rig.worker().healthDownAfter(Duration.ofSeconds(25)).handler(delivery -> {}).start();
          for (int second = 0; second < 600; second++) {
            rig.timing.advance(SECOND);
            assertUp(worker);
            assertThat(worker.health().receiveDue().orElseThrow()).isLessThan(Duration.ofSeconds(22));
          }
          worker.close();
        });
  }

  @Seeds
  void it_is_down_when_every_receive_hangs_although_it_runs(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = rig.worker().handler(delivery -> {}).start();
          rig.timing.advance(SECOND);
          rig.queue.onCall(CallKind.RECEIVE, call -> Fault.hang(Duration.ofHours(1)));
          rig.timing.advance(Duration.ofSeconds(30)); // the one under way ends well, the next hangs

          rig.timing.advance(Duration.ofSeconds(100));
          assertThat(kinds(worker)).containsExactly(Kind.RECEIVES_HANG);
          assertThat(words(worker, Kind.RECEIVES_HANG)).contains("worker-orders-poll-1");
          assertThat(worker.health().status()).isEqualTo(Status.DEGRADED);

          rig.timing.advance(Duration.ofSeconds(12));
          assertThat(worker.state()).isEqualTo(WorkerState.RUNNING);
          assertThat(kinds(worker)).containsExactly(Kind.NO_RECEIVE, Kind.RECEIVES_HANG);
          assertThat(worker.health().status()).isEqualTo(Status.DOWN);
          assertThat(words(worker, Kind.NO_RECEIVE)).contains("2 min").contains("healthDownAfter");

          rig.queue.onCall(CallKind.RECEIVE, call -> Fault.none());
          rig.timing.advance(Duration.ofMinutes(1));
          assertThat(kinds(worker)).containsExactly(Kind.RECEIVES_HANG);
          rig.timing.advance(Duration.ofHours(1));
          assertUp(worker);
          worker.close();
        });
  }

  @Seeds
  void it_is_degraded_when_receives_fail_and_down_when_that_lasts_with_one_permit_too(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = rig.worker().maxConcurrency(1).handler(delivery -> {}).start();
          rig.timing.advance(Duration.ofMillis(19_900));
          rig.queue.onCall(CallKind.RECEIVE, call -> Fault.unavailable());

          rig.timing.advance(Duration.ofSeconds(10));
          assertThat(kinds(worker)).containsExactly(Kind.RECEIVES_FAIL);
          assertThat(worker.health().status()).isEqualTo(Status.DEGRADED);
          assertThat(words(worker, Kind.RECEIVES_FAIL)).contains("UNAVAILABLE");

          rig.timing.advance(Duration.ofMinutes(2));
          assertThat(kinds(worker)).containsExactly(Kind.NO_RECEIVE, Kind.RECEIVES_FAIL);
          assertThat(words(worker, Kind.NO_RECEIVE)).contains("UNAVAILABLE");
          assertThat(worker.health().status()).isEqualTo(Status.DOWN);

          rig.queue.onCall(CallKind.RECEIVE, call -> Fault.none());
          rig.timing.advance(Duration.ofMinutes(1));
          assertUp(worker);
          worker.close();
        });
  }

  @Seeds
  void no_receive_is_due_while_handlers_hold_every_permit(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(2);
          QueueWorker worker =
              rig.worker()
                  .maxConcurrency(2)
                  .handler(delivery -> rig.timing.sleep(Duration.ofMinutes(10)))
                  .start();
          rig.timing.advance(SECOND);
          for (int second = 0; second < 590; second++) {
            rig.timing.advance(SECOND);
            assertUp(worker);
            assertThat(worker.health().receiveDue()).isEmpty();
          }
          for (int second = 0; second < 60; second++) {
            rig.timing.advance(SECOND);
            assertUp(worker);
          }
          assertThat(worker.health().receiveDue()).isPresent();
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void a_pause_by_hand_degrades_and_never_counts_as_a_receive_that_is_due(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = rig.worker().handler(delivery -> {}).start();
          rig.timing.advance(SECOND);
          worker.pause();
          rig.timing.advance(Duration.ofMinutes(10));
          assertThat(kinds(worker)).containsExactly(Kind.PAUSED_BY_HAND);
          assertThat(worker.health().status()).isEqualTo(Status.DEGRADED);
          assertThat(worker.health().receiveDue()).isEmpty();

          worker.resume();
          for (int second = 0; second < 60; second++) {
            assertUp(worker);
            rig.timing.advance(SECOND);
          }
          worker.close();
        });
  }

  @Seeds
  void a_rate_limiter_that_starts_one_handler_in_ten_minutes_leaves_it_up(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(3);
          QueueWorker worker =
              rig.worker()
                  .rateLimiter(RateTest.limiter(rig.timing, 1, Duration.ofMinutes(10)))
                  .handler(delivery -> {})
                  .start();
          for (int second = 0; second < 1_500; second++) {
            rig.timing.advance(SECOND);
            assertUp(worker);
          }
          rig.awaitEmpty();
          worker.close();
        });
  }

  @Seeds
  void a_process_that_stood_still_is_not_down_for_it(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = rig.worker().handler(delivery -> {}).start();
          rig.timing.advance(SECOND);
          rig.timing.freeze(Duration.ofMinutes(10));
          for (int second = 0; second < 60; second++) {
            rig.timing.advance(SECOND);
            assertUp(worker);
          }
          worker.close();
        });
  }

  @Seeds
  void a_heartbeat_that_an_inline_listener_holds_is_down(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.nextCall(CallKind.RECEIVE, Fault.hang(Duration.ofSeconds(16)));
          QueueWorker worker =
              rig.worker()
                  .inlineListener(
                      (context, event) -> {
                        if (event instanceof PollReplaced) {
                          rest(rig, Duration.ofSeconds(30));
                        }
                      })
                  .handler(delivery -> {})
                  .start();
          rig.awaitCount(PollReplaced.class, 1);
          rig.timing.advance(Duration.ofSeconds(9));
          assertThat(kinds(worker)).doesNotContain(Kind.HEARTBEAT_STOPPED);
          rig.timing.advance(Duration.ofSeconds(2));
          assertThat(kinds(worker)).containsExactly(Kind.HEARTBEAT_STOPPED);
          assertThat(worker.health().status()).isEqualTo(Status.DOWN);
          assertThat(words(worker, Kind.HEARTBEAT_STOPPED)).contains("inline listener");

          rig.timing.advance(Duration.ofSeconds(20));
          assertUp(worker);
          worker.close();
        });
  }

  @Seeds
  void a_permission_to_receive_that_is_missing_degrades_until_it_is_there(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = rig.worker().pollWait(SECOND).handler(delivery -> {}).start();
          rig.timing.advance(SECOND);
          rig.queue.onCall(CallKind.RECEIVE, call -> Fault.accessDenied(CallKind.RECEIVE));
          rig.timing.advance(Duration.ofSeconds(20));
          assertThat(kinds(worker)).containsExactly(Kind.RECEIVES_FAIL, Kind.PERMISSION_DENIED);
          assertThat(words(worker, Kind.PERMISSION_DENIED)).contains("sqs:ReceiveMessage");
          assertThat(worker.health().status()).isEqualTo(Status.DEGRADED);

          rig.queue.onCall(CallKind.RECEIVE, call -> Fault.none());
          rig.timing.advance(Duration.ofSeconds(40));
          assertUp(worker);
          worker.close();
        });
  }

  /** Waits as a listener may that has no interrupt to expect. */
  static void rest(Rig rig, Duration length) {
    Duration end = rig.timing.elapsed().plus(length);
    for (Duration left = length; left.isPositive(); left = end.minus(rig.timing.elapsed())) {
      try {
        rig.timing.sleep(left);
      } catch (InterruptedException ignored) {
        // The time has to pass.
      }
    }
  }

  @Seeds
  void text_and_json_say_the_same_and_quote_what_others_wrote(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(1);
          QueueWorker worker =
              rig.worker().pollWait(SECOND).handler(delivery -> rig.timing.sleep(Duration.ofMinutes(2))).start();
          rig.timing.advance(Duration.ofSeconds(70));
          worker.pause();

          Health health = worker.health();
          assertThat(health.oldest()).map(Health.Oldest::running).hasValueSatisfying(
              running -> assertThat(running).isGreaterThan(Duration.ofSeconds(60)));
          assertThat(health.heldLongest()).isGreaterThanOrEqualTo(health.oldest().orElseThrow().running());
          assertThat(health.text())
              .startsWith("DEGRADED: the worker is RUNNING")
              .contains("PAUSED_BY_HAND: pause() was called")
              .contains("1 in flight");
          assertThat(health.json())
              .startsWith("{\"status\":\"DEGRADED\",\"reasons\":[{\"kind\":\"PAUSED_BY_HAND\",\"status\":\"DEGRADED\"")
              .contains("\"anchor\":\"paused_by_hand\"")
              .contains("\"receiveDueMillis\":null")
              .contains("\"inFlight\":1")
              .contains("\"pauses\":{\"BY_HAND\":\"pause() was called\"}")
              .doesNotContain("\n");
          assertThat(health.has(Kind.PAUSED_BY_HAND)).isTrue();
          assertThat(health.has(Kind.NO_RECEIVE)).isFalse();
          assertThat(Optional.of(health.toString())).contains(health.text());
          worker.resume();
          rig.awaitEmpty();
          worker.close();
        });
  }
}
