package io.queueworker.spec;

import static io.queueworker.spec.Specs.calls;
import static io.queueworker.spec.Specs.visibilities;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.FailureAction;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.HandlerStuck;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.observe.WorkerEvent.Rejected;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.patched.PatchedCore;
import io.queueworker.queue.QueueAttributes;
import io.queueworker.spec.FifoScenes.Scene;
import io.queueworker.spec.Specs.Connection;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedCall;
import io.queueworker.testkit.simulation.SimulatedTiming;
import io.queueworker.testkit.simulation.ThrowingConsumer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** The order inside the message groups of a FIFO queue, across failures, losses and closes. */
class FifoGroupsTest {

  private static final String HANDLE = "io.queueworker.handle.";
  private static final Duration LONG = Duration.ofMinutes(10);

  private static void run(long seed, int receives, ThrowingConsumer<Scene> spec) {
    SimulatedTiming.run(seed, timing -> spec.accept(new Scene(timing, receives)));
  }

  private static void check(Scene scene) {
    Invariants.check(scene.trail, 64, scene.queue);
  }

  private static PatchedCore neverGivesUpBehind() {
    return PatchedCore.with(
        HANDLE + "Lines",
        "behind(run, other -> other.isOfSameReceive(run)).forEach(HandlerRun::giveUp);",
        "behind(run, other -> other.isOfSameReceive(run)).forEach(other -> {});");
  }

  @Seeds
  void S50_a_head_that_fails_twice_is_tried_again_in_place_before_anything_behind_it(long seed) {
    run(
        seed,
        5,
        scene -> {
          List<String> ids = scene.send("g", "A", "B", "C");
          QueueWorker worker =
              scene.worker(
                  delivery -> {
                    if (delivery.body().equals("A") && scene.starts.stream().filter("A"::equals).count() < 3) {
                      throw new IllegalStateException("not yet");
                    }
                  })
                  .start();
          assertThat(scene.finish(worker)).isEqualTo("A A A B C");
          assertThat(scene.trail.of(Received.class)).hasSize(3).allMatch(received -> received.receiveCount() == 1);
          assertThat(scene.trail.of(HeldBack.class, ids.get(0)))
              .extracting(HeldBack::reason)
              .containsExactly(HoldReason.RETRY_IN_ORDER, HoldReason.RETRY_IN_ORDER);
          assertThat(scene.queue.calls(CallKind.RELEASE)).isEmpty();
          check(scene);
        });
  }

  @Test
  void S50_a_worker_that_lets_followers_go_first_has_another_order() throws Exception {
    PatchedCore disordered =
        PatchedCore.with(HANDLE + "Lines", "return ordered ? message.group().orElse(\"\") : message.id();",
            "return message.id();");
    assertThat(disordered.create(FifoScenes.FailsTwice.class, Callable.class).call()).isNotEqualTo("A A A B C");
    assertThat(new FifoScenes.FailsTwice().call()).isEqualTo("A A A B C");
  }

  @Seeds
  void S51_the_next_attempt_comes_after_its_delay_and_not_after_a_visibility_timeout(long seed) {
    run(
        seed,
        5,
        scene -> {
          scene.send("g", "A", "B");
          List<Duration> attempts = new ArrayList<>();
          QueueWorker worker =
              scene.worker(
                  delivery -> {
                    attempts.add(scene.timing.elapsed());
                    if (attempts.size() == 1) {
                      throw new IllegalStateException("not yet");
                    }
                  })
                  .start();
          assertThat(scene.finish(worker)).isEqualTo("A A B");
          assertThat(attempts.get(1).minus(attempts.get(0))).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
          assertThat(attempts.get(2).minus(attempts.get(1))).isLessThan(Duration.ofSeconds(5));
          check(scene);
        });
  }

  @Seeds
  void S53_a_follower_does_not_start_here_behind_a_head_that_lost_its_lease(long seed) {
    run(
        seed,
        5,
        scene -> {
          List<String> ids = scene.send("g", "A", "B", "C");
          QueueWorker worker =
              scene.worker(
                  delivery -> {
                    if (delivery.body().equals("A") && delivery.receiveCount() == 1) {
                      scene.timing.sleep(Duration.ofSeconds(60));
                      throw new IllegalStateException("lost");
                    }
                  })
                  .keepAliveWhile(delivery -> !delivery.body().equals("A") || delivery.receiveCount() > 1)
                  .start();
          assertThat(scene.finish(worker)).isEqualTo("A A B C");
          assertThat(scene.trail.of(LeaseLost.class)).extracting(LeaseLost::messageId).containsExactly(ids.get(0));
          assertThat(scene.trail.of(HandlerStarted.class, ids.get(1)))
              .extracting(HandlerStarted::receiveCount)
              .containsExactly(2);
          // They go back at the loss, and not when the handler of the head ends.
          assertThat(calls(scene.queue, CallKind.RELEASE, ids.get(1)).get(0).sentAt())
              .isLessThan(Duration.ofSeconds(60));
          check(scene);
        });
  }

  @Test
  void S53_a_worker_that_does_not_give_up_behind_a_loss_starts_the_follower() throws Exception {
    assertThat(neverGivesUpBehind().create(FifoScenes.HeadIsLost.class, Callable.class).call())
        .isNotEqualTo("A A B C");
    assertThat(new FifoScenes.HeadIsLost().call()).isEqualTo("A A B C");
  }

  @Seeds
  void a_follower_starts_after_the_commit_when_the_gate_is_transactional(long seed) {
    startsBehind(seed, true);
  }

  @Seeds
  void a_follower_starts_after_the_confirmed_delete_when_the_gate_is_not_transactional(long seed) {
    startsBehind(seed, false);
  }

  private static void startsBehind(long seed, boolean transactional) {
    run(
        seed,
        5,
        scene -> {
          List<String> ids = scene.send("g", "A", "B");
          QueueWorker worker =
              scene.worker(new MemoryGate(transactional), delivery -> scene.timing.sleep(Duration.ofMillis(1))).start();
          assertThat(scene.finish(worker)).isEqualTo("A B");
          List<Object> events = new ArrayList<>(scene.trail.events());
          int committed = events.indexOf(scene.trail.of(Committed.class, ids.get(0)).get(0));
          int deleted = events.indexOf(scene.trail.of(Deleted.class, ids.get(0)).get(0));
          int started = events.indexOf(scene.trail.of(HandlerStarted.class, ids.get(1)).get(0));
          assertThat(started).isGreaterThan(committed);
          assertThat(started > deleted).isEqualTo(!transactional);
          check(scene);
        });
  }

  @Seeds
  void groups_run_side_by_side(long seed) {
    run(
        seed,
        5,
        scene -> {
          for (String group : List.of("x", "y", "z")) {
            scene.send(group, group + 1, group + 2, group + 3);
          }
          Map<String, List<String>> seen = new HashMap<>();
          int[] running = new int[2];
          QueueWorker worker =
              scene.worker(
                  delivery -> {
                    running[0]++;
                    running[1] = Math.max(running[1], running[0]);
                    seen.computeIfAbsent(delivery.group().orElseThrow(), any -> new ArrayList<>()).add(delivery.body());
                    scene.timing.sleep(Duration.ofSeconds(10));
                    running[0]--;
                  })
                  .start();
          scene.finish(worker);
          assertThat(running[1]).isEqualTo(3);
          assertThat(seen)
              .containsEntry("x", List.of("x1", "x2", "x3"))
              .containsEntry("y", List.of("y1", "y2", "y3"))
              .containsEntry("z", List.of("z1", "z2", "z3"));
          check(scene);
        });
  }

  @Seeds
  void a_slice_that_is_given_up_goes_back_head_first_alone_and_confirmed(long seed) {
    run(
        seed,
        5,
        scene -> {
          List<String> ids = scene.send("g", "A", "B", "C");
          QueueWorker worker =
              scene.worker(
                  delivery -> {
                    if (delivery.body().equals("A") && delivery.receiveCount() == 1) {
                      throw new IllegalStateException("not yet");
                    }
                  })
                  .failurePolicy(failure -> FailureAction.retryAfter(Duration.ofMinutes(3)))
                  .maxProcessingTime(LONG)
                  .maxHold(LONG.plusMinutes(2))
                  .start();
          assertThat(scene.finish(worker)).isEqualTo("A A B C");
          List<SimulatedCall> releases = scene.queue.calls(CallKind.RELEASE);
          assertThat(releases.get(0).messageIds()).containsExactly(ids.get(0));
          assertThat(visibilities(scene.queue, CallKind.RELEASE, ids.get(0))).containsExactly(Duration.ofMinutes(3));
          assertThat(releases.subList(1, releases.size()))
              .allMatch(call -> call.sentAt().compareTo(releases.get(0).arrivedAt().orElseThrow()) >= 0)
              .flatExtracting(SimulatedCall::messageIds)
              .containsExactlyInAnyOrder(ids.get(1), ids.get(2));
          assertThat(visibilities(scene.queue, CallKind.RELEASE, ids.get(1))).containsExactly(Duration.ZERO);
          assertThat(scene.trail.of(HandlerStarted.class, ids.get(0)).get(1).receiveCount()).isEqualTo(2);
          assertThat(scene.timing.elapsed()).isLessThan(Duration.ofMinutes(5));
          check(scene);
        });
  }

  @Test
  void a_worker_that_does_not_give_up_behind_a_release_starts_the_follower() throws Exception {
    assertThat(neverGivesUpBehind().create(FifoScenes.SliceIsGivenUp.class, Callable.class).call())
        .isNotEqualTo("A A B C");
    assertThat(new FifoScenes.SliceIsGivenUp().call()).isEqualTo("A A B C");
  }

  @Seeds
  void a_drain_in_the_middle_of_a_slice_finishes_the_head_and_sends_the_rest_back(long seed) {
    run(
        seed,
        5,
        scene -> {
          List<String> ids = scene.send("g", "A", "B", "C");
          QueueWorker first = scene.worker(delivery -> scene.timing.sleep(Duration.ofSeconds(10)))
              .pollWait(Duration.ofSeconds(1)).start();
          scene.timing.await("the head runs", () -> scene.starts.size() == 1, LONG);
          first.close(Duration.ofSeconds(40));
          assertThat(scene.starts).containsExactly("A");
          assertThat(scene.queue.deleted()).containsExactly(ids.get(0));
          assertThat(scene.trail.of(Released.class)).extracting(Released::messageId)
              .containsExactlyInAnyOrder(ids.get(1), ids.get(2));
          assertThat(scene.queue.inFlight()).isEmpty();
          QueueWorker second = scene.worker(delivery -> {}).start();
          assertThat(scene.finish(second)).isEqualTo("A B C");
          check(scene);
        });
  }

  @Seeds
  void a_close_that_interrupts_the_head_lets_nothing_behind_it_go_first(long seed) {
    run(
        seed,
        5,
        scene -> {
          scene.send("g", "A", "B", "C");
          QueueWorker first = scene.worker(delivery -> scene.timing.sleep(Duration.ofHours(1)))
              .pollWait(Duration.ofSeconds(1)).drainTimeout(Duration.ofSeconds(20)).start();
          scene.timing.await("the head runs", () -> scene.starts.size() == 1, LONG);
          first.close();
          QueueWorker second = scene.worker(delivery -> {}).start();
          assertThat(scene.finish(second)).isEqualTo("A A B C");
          check(scene);
        });
  }

  @Seeds
  void a_follower_starts_only_if_it_can_end_within_its_hold(long seed) {
    run(
        seed,
        5,
        scene -> {
          List<String> ids = scene.send("g", "A", "B");
          QueueWorker worker =
              scene.worker(
                  delivery -> {
                    if (delivery.body().equals("A")) {
                      scene.timing.sleep(Duration.ofMinutes(6));
                    }
                  })
                  .maxProcessingTime(LONG)
                  .maxHold(Duration.ofMinutes(15))
                  .start();
          assertThat(scene.finish(worker)).isEqualTo("A B");
          assertThat(scene.trail.of(HandlerStarted.class, ids.get(1)))
              .extracting(HandlerStarted::receiveCount)
              .containsExactly(2);
          assertThat(scene.trail.of(LeaseLost.class)).isEmpty();
          check(scene);
        });
  }

  @Seeds
  void nothing_of_a_group_starts_beside_a_handler_that_ignores_its_end(long seed) {
    run(
        seed,
        10,
        scene -> {
          scene.send("g", "A", "B");
          List<String> running = new ArrayList<>();
          QueueWorker worker =
              scene.worker(
                  delivery -> {
                    running.add(delivery.body());
                    assertThat(running).hasSize(1);
                    if (delivery.receiveCount() == 1 && delivery.body().equals("A")) {
                      ignoringInterrupts(scene.timing, Duration.ofMinutes(2));
                    }
                    running.clear();
                  })
                  .maxProcessingTime(Duration.ofSeconds(10))
                  .start();
          scene.timing.await("the handler is stuck", () -> scene.trail.count(HandlerStuck.class) == 1, LONG);
          scene.finish(worker);
          // Without a gate, what the stuck handler did counts: when it comes again its message is only deleted.
          assertThat(scene.starts).containsExactly("A", "B");
          check(scene);
        });
  }

  @Seeds
  void a_poison_head_alone_reaches_the_dead_letter_queue_and_nothing_behind_it_is_received_twice(long seed) {
    run(
        seed,
        3,
        scene -> {
          List<String> ids = scene.send("g", "P", "1", "2", "3", "4", "5", "6", "7", "8", "9");
          QueueWorker worker = scene.worker(FifoScenes::poison).start();
          assertThat(scene.finish(worker)).isEqualTo("P P P 1 2 3 4 5 6 7 8 9");
          assertThat(scene.trail.of(Rejected.class)).extracting(Rejected::messageId).containsExactly(ids.get(0));
          assertThat(scene.queue.deadLetters()).hasSize(1);
          assertThat(scene.trail.of(Received.class)).hasSize(10).allMatch(received -> received.receiveCount() == 1);
          check(scene);
        });
  }

  @Test
  void a_worker_that_releases_a_poison_head_has_its_followers_received_again() throws Exception {
    PatchedCore releasing =
        PatchedCore.with(HANDLE + "FailedTries", "inPlace.thenRejected() && parts.threads().canReject()", "false");
    assertThat(releasing.create(FifoScenes.PoisonHead.class, Callable.class).call()).isNotEqualTo("10 receives");
    assertThat(new FifoScenes.PoisonHead().call()).isEqualTo("10 receives");
  }

  @Seeds
  void without_a_known_dead_letter_queue_the_start_warns_of_the_drag(long seed) {
    run(
        seed,
        3,
        scene -> {
          Connection unknown = new Connection(scene.queue.connect(), true);
          unknown.attributes = own -> new QueueAttributes(own.visibility(), own.maxReceiveCount(), Optional.empty());
          for (boolean known : List.of(true, false)) {
            QueueWorker worker =
                QueueWorker.of(known ? scene.queue.connect() : unknown)
                    .handler(delivery -> {})
                    .timing(scene.timing)
                    .start();
            assertThat(worker.health().warnings().stream().anyMatch(warning -> warning.contains("behind it")))
                .isEqualTo(!known);
            worker.close();
          }
        });
  }

  @Seeds
  void the_start_warns_when_a_hold_has_no_room_for_a_follower(long seed) {
    run(
        seed,
        3,
        scene -> {
          for (Duration hold : List.of(LONG.multipliedBy(2).plusSeconds(30), LONG.multipliedBy(2))) {
            QueueWorker worker = scene.worker(delivery -> {}).maxProcessingTime(LONG).maxHold(hold).start();
            assertThat(worker.health().warnings().stream().anyMatch(warning -> warning.contains("maxHold is")))
                .isEqualTo(hold.equals(LONG.multipliedBy(2)));
            worker.close();
          }
        });
  }

  private static void ignoringInterrupts(SimulatedTiming timing, Duration length) {
    Duration end = timing.elapsed().plus(length);
    while (timing.elapsed().compareTo(end) < 0) {
      try {
        timing.sleep(end.minus(timing.elapsed()));
      } catch (InterruptedException e) {
        // This is the handler that does not listen.
      }
    }
  }
}
