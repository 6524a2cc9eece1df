package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.FailureAction;
import io.queueworker.LossReason;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.PermissionDenied;
import io.queueworker.observe.WorkerEvent.PermissionRestored;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.queue.QueueException;
import io.queueworker.spec.Specs.Connection;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What handlers and callbacks ask of the worker, at the edges. */
class WishesTest {

  @Seeds
  void a_wish_of_any_length_costs_no_lease(long seed) {
    for (Duration wish : List.of(Duration.ofNanos(Long.MAX_VALUE), Duration.ofDays(365 * 300))) {
      Rig.run(
          seed,
          rig -> {
            String id = rig.send(1).get(0);
            QueueWorker worker =
                rig.worker()
                    .handler(
                        delivery -> {
                          delivery.extendTo(wish);
                          rig.timing.sleep(Duration.ofMinutes(5));
                        })
                    .start();
            rig.awaitEmpty();
            assertThat(rig.trail.of(LeaseLost.class)).isEmpty();
            assertThat(Specs.visibilities(rig.queue, CallKind.EXTEND, id).get(0))
                .isBetween(Duration.ofHours(11), Duration.ofHours(12));
            worker.close();
            rig.checkRules();
          });
    }
  }

  @Seeds
  void a_shorter_wish_does_not_replace_a_longer_one(long seed) {
    Rig.run(
        seed,
        rig -> {
          String id = rig.send(1).get(0);
          QueueWorker worker =
              rig.worker()
                  .handler(
                      delivery -> {
                        delivery.extendTo(Duration.ofHours(2));
                        delivery.extendTo(Duration.ofMinutes(10));
                        rig.timing.sleep(Duration.ofMinutes(1));
                      })
                  .start();
          rig.awaitEmpty();
          assertThat(Specs.visibilities(rig.queue, CallKind.EXTEND, id).get(0))
              .isGreaterThanOrEqualTo(Duration.ofHours(2).minusSeconds(1));
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void loss_actions_run_while_every_keepAliveWhile_hangs(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(20);
          List<LossReason> told = new ArrayList<>();
          QueueWorker worker =
              rig.worker()
                  .maxProcessingTime(Duration.ofSeconds(40))
                  .keepAliveWhile(
                      delivery -> {
                        rig.timing.advance(Duration.ofHours(3));
                        return true;
                      })
                  .handler(
                      delivery -> {
                        if (delivery.receiveCount() == 1) {
                          delivery.onLost(told::add);
                          rig.timing.sleep(Duration.ofHours(1));
                        }
                      })
                  .start();
          rig.timing.await("all losses are told", () -> told.size() == 20, Duration.ofMinutes(1));
          rig.awaitEmpty();
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void a_keepAliveWhile_that_turns_false_after_its_handler_ended_gives_nothing_up(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(5);
          QueueWorker worker =
              rig.worker()
                  .keepAliveWhile(
                      delivery -> {
                        rig.timing.advance(Duration.ofSeconds(10));
                        return false;
                      })
                  .failurePolicy(
                      failure -> {
                        rig.timing.advance(Duration.ofSeconds(10));
                        return FailureAction.retryAfter(Duration.ZERO);
                      })
                  .handler(
                      delivery -> {
                        if (delivery.receiveCount() == 1) {
                          rig.timing.sleep(Duration.ofSeconds(20));
                          throw new IllegalStateException("first");
                        }
                      })
                  .start();
          rig.awaitEmpty();
          assertThat(rig.trail.of(LeaseLost.class)).isEmpty();
          assertThat(rig.trail.of(Released.class)).hasSize(5);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void a_release_whose_answer_comes_after_the_deadline_is_a_release_and_no_loss(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(1);
          rig.queue.onCall(CallKind.RELEASE, call -> Fault.hang(Duration.ofMillis(2_500)));
          QueueWorker worker =
              rig.worker()
                  .heartbeat(false)
                  .failurePolicy(failure -> FailureAction.retryAfter(Duration.ofMinutes(1)))
                  .handler(
                      delivery -> {
                        if (delivery.receiveCount() == 1) {
                          rig.timing.sleep(delivery.remaining().minusMillis(1_000));
                          throw new IllegalStateException("late");
                        }
                      })
                  .start();
          rig.awaitEmpty();
          assertThat(rig.trail.of(LeaseLost.class)).isEmpty();
          assertThat(rig.trail.of(Released.class)).hasSize(1);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void a_permission_to_read_the_queue_that_is_taken_away_is_named(long seed) {
    Rig.run(
        seed,
        rig -> {
          Connection connection = new Connection(rig.queue.connect(), false);
          QueueWorker worker =
              QueueWorker.of(connection)
                  .workerId("worker-1")
                  .inlineListener(rig.trail)
                  .timing(rig.threads)
                  .handler(delivery -> {})
                  .start();
          connection.attributes =
              attributes -> {
                throw QueueException.denied("sqs:GetQueueAttributes", "no", null);
              };
          rig.awaitCount(PermissionDenied.class, 1);
          assertThat(worker.health().denied()).containsExactly("sqs:GetQueueAttributes");
          connection.attributes = attributes -> attributes;
          rig.awaitCount(PermissionRestored.class, 1);
          assertThat(worker.health().denied()).isEmpty();
          assertThat(rig.trail.of(HandlerStarted.class)).isEmpty();
          worker.close();
          rig.checkRules();
        });
  }
}
