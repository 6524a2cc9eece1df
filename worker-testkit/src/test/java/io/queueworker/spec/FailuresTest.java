package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.Failure.Stage;
import io.queueworker.FailureAction;
import io.queueworker.FailurePolicy;
import io.queueworker.LossReason;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.LeftForRedrive;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.observe.WorkerEvent.UserCodeFailed;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What user code may throw, and what becomes of the message. */
class FailuresTest {

  private static final List<Consumer<String>> THROWING =
      List.of(
          body -> throwIt(new NoClassDefFoundError(body)),
          body -> throwIt(new StackOverflowError(body)),
          body -> throwIt(new OutOfMemoryError(body)),
          body -> throwIt(new AssertionError(body)),
          body -> throwIt(new IllegalStateException(body)),
          body -> throwIt(new InterruptedException(body)),
          body -> {
            Thread.currentThread().interrupt();
            throwIt(new IllegalStateException(body));
          });

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void throwIt(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Seeds
  void S23_twenty_undecodable_bodies_do_not_stop_the_one_that_is_good(long seed) {
    Rig.run(
        seed,
        rig -> {
          List<String> bad = rig.queue.sendAll(Collections.nCopies(20, "{"));
          String good = rig.queue.send("{}");
          List<String> handled = new ArrayList<>();
          QueueWorker worker =
              rig.worker()
                  .decode(
                      body -> {
                        if (body.equals("{")) {
                          throw new IllegalArgumentException("not JSON");
                        }
                        return body;
                      })
                  .maxConcurrency(5)
                  .failurePolicy(failure -> FailureAction.retryAfter(Duration.ofMinutes(10)))
                  .handler(delivery -> handled.add(delivery.id()))
                  .start();
          rig.awaitCount(Deleted.class, 1);
          rig.awaitCount(Released.class, 20);
          assertThat(handled).containsExactly(good);
          assertThat(worker.health().inFlight()).isZero();
          assertThat(rig.queue.deleted()).containsExactly(good);
          assertThat(rig.queue.inFlight()).extracting(SimulatedMessage::id).containsExactlyInAnyOrderElementsOf(bad);
          assertThat(rig.trail.of(Failed.class)).hasSize(20)
              .allSatisfy(f -> assertThat(f.stage()).isEqualTo(Stage.DECODE));
          worker.close();
          rig.checkRulesFor(5);
        });
  }

  @Seeds
  void S24_an_error_thrown_by_the_handler_is_a_failed_message(long seed) {
    failsOnce(seed, Stage.HANDLE, (rig, broken) -> rig.worker().handler(d -> broken.accept(d.body())));
  }

  @Seeds
  void S24_an_error_thrown_by_the_decoder_is_a_failed_message(long seed) {
    failsOnce(
        seed,
        Stage.DECODE,
        (rig, broken) -> rig.worker()
            .decode(
                body -> {
                  broken.accept(body);
                  return body;
                })
            .handler(d -> {}));
  }

  @Seeds
  void S24_an_error_thrown_by_the_key_function_is_a_failed_message(long seed) {
    failsOnce(
        seed,
        Stage.KEY,
        (rig, broken) -> rig.worker()
            .once(
                new MemoryGate(true),
                d -> {
                  broken.accept(d.body());
                  return d.body();
                },
                (d, effects) -> effects.add(d.body())));
  }

  private interface Broken {
    WorkerBuilder<String> worker(Rig rig, Consumer<String> throwsOnce);
  }

  /** One message per kind of throwable, and one more; each is thrown at the first receive. */
  private static void failsOnce(long seed, Stage stage, Broken broken) {
    Rig.run(
        seed,
        rig -> {
          List<String> seen = new ArrayList<>();
          Consumer<String> throwsOnce =
              body -> {
                int kind = Integer.parseInt(body);
                if (kind < THROWING.size() && !seen.contains(body)) {
                  seen.add(body);
                  THROWING.get(kind).accept(body);
                }
              };
          rig.send(THROWING.size() + 1);
          QueueWorker worker = broken.worker(rig, throwsOnce).maxConcurrency(1).start();
          rig.awaitEmpty();
          assertThat(rig.trail.of(Failed.class))
              .hasSize(THROWING.size())
              .allSatisfy(failed -> assertThat(failed.stage()).isEqualTo(stage));
          assertThat(rig.trail.count(Committed.class)).isEqualTo(THROWING.size() + 1);
          assertThat(rig.trail.count(InternalError.class)).isZero();
          rig.timing.await("permits", () -> worker.health().inFlight() == 0, Duration.ofSeconds(5));
          worker.close();
          rig.checkRulesFor(1);
        });
  }

  @Seeds
  void S24_a_failure_policy_that_throws_or_returns_null_leaves_the_decision_to_the_default(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(2);
          QueueWorker worker =
              rig.worker()
                  .maxConcurrency(1)
                  .failurePolicy(
                      failure -> {
                        if (failure.messageId().endsWith("-1")) {
                          throw new StackOverflowError("policy");
                        }
                        return null;
                      })
                  .handler(
                      delivery -> {
                        if (delivery.receiveCount() == 1) {
                          throw new IllegalStateException("first");
                        }
                      })
                  .start();
          rig.awaitEmpty();
          assertThat(rig.trail.count(UserCodeFailed.class)).isEqualTo(2);
          assertThat(rig.trail.of(Released.class))
              .allSatisfy(r -> assertThat(r.delay()).isLessThanOrEqualTo(Duration.ofSeconds(1)));
          worker.close();
          rig.checkRulesFor(1);
        });
  }

  @Seeds
  void S24_loss_actions_that_throw_or_hang_disturb_nothing(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(1);
          List<LossReason> told = new ArrayList<>();
          QueueWorker worker =
              rig.worker()
                  .maxProcessingTime(Duration.ofSeconds(10))
                  .handler(
                      delivery -> {
                        if (delivery.receiveCount() > 1) {
                          return;
                        }
                        delivery.onLost(
                            reason -> {
                              throw new NoClassDefFoundError("action");
                            });
                        delivery.onLost(reason -> throwIt(hang(rig)));
                        delivery.onLost(told::add);
                        rig.timing.sleep(Duration.ofHours(1));
                      })
                  .start();
          rig.awaitEmpty();
          assertThat(told).containsExactly(LossReason.OVERTIME);
          assertThat(rig.trail.of(LeaseLost.class)).hasSize(1);
          assertThat(rig.trail.count(UserCodeFailed.class)).isEqualTo(1);
          worker.close();
          rig.checkRules();
        });
  }

  private static Throwable hang(Rig rig) {
    rig.timing.advance(Duration.ofHours(5));
    return new IllegalStateException("ended");
  }

  @Seeds
  void S24_listeners_that_throw_or_hang_disturb_nothing(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(50);
          List<String> heard = new ArrayList<>();
          QueueWorker worker =
              rig.worker()
                  .inlineListener((context, event) -> throwIt(new LinkageError("inline")))
                  .listener((context, event) -> throwIt(new OutOfMemoryError("aside")))
                  .listener((context, event) -> hang(rig))
                  .listener((context, event) -> heard.add(event.getClass().getSimpleName()))
                  .maxConcurrency(5)
                  .handler(delivery -> rig.timing.sleep(Duration.ofSeconds(20)))
                  .start();
          rig.awaitEmpty();
          assertThat(rig.timing.elapsed()).isLessThan(Duration.ofMinutes(5));
          assertThat(rig.trail.count(Committed.class)).isEqualTo(50);
          assertThat(rig.trail.count(LeaseLost.class)).isZero();
          rig.timing.await("permits", () -> worker.health().inFlight() == 0, Duration.ofSeconds(5));
          worker.close();
          rig.timing.advance(Duration.ofSeconds(1));
          assertThat(heard).hasSize(rig.trail.entries().size());
          rig.checkRulesFor(5);
        });
  }

  @Test
  void retry_delays_of_the_policy_are_clamped_to_what_the_service_takes() {
    Rig.run(
        1,
        rig -> {
          rig.send(1);
          QueueWorker worker =
              rig.worker()
                  .failurePolicy(
                      failure -> FailureAction
                          .retryAfter(Duration.ofMillis(failure.receiveCount() == 1 ? 1_500 : 99_000_000)))
                  .handler(
                      delivery -> {
                        if (delivery.receiveCount() < 3) {
                          throw new IllegalStateException("again");
                        }
                      })
                  .start();
          rig.timing.await("handled", rig.queue::isEmpty, Duration.ofDays(1));
          List<Duration> delays = rig.trail.of(Released.class).stream().map(Released::delay).toList();
          assertThat(delays).hasSize(2);
          assertThat(delays.get(0)).isEqualTo(Duration.ofMillis(1_500));
          assertThat(delays.get(1)).isBetween(Duration.ofHours(12).minusMinutes(1), Duration.ofHours(12));
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void the_default_delays_double_with_each_receive_up_to_fifteen_minutes(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(200);
          QueueWorker worker =
              rig.worker()
                  .maxConcurrency(50)
                  .failurePolicy(FailurePolicy.defaults())
                  .handler(
                      delivery -> {
                        if (delivery.receiveCount() < 4) {
                          throw new IllegalStateException("again");
                        }
                      })
                  .start();
          rig.awaitEmpty();
          Duration longest =
              rig.trail.of(Released.class).stream().map(Released::delay).max(Duration::compareTo).orElseThrow();
          assertThat(longest).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4));
          worker.close();
          rig.checkRulesFor(50);
        });
  }

  @Test
  void a_message_left_for_redrive_becomes_a_dead_letter_after_its_receives() {
    Rig.run(
        1,
        rig -> {
          rig.queue.maxReceiveCount(3);
          String id = rig.send(1).get(0);
          QueueWorker worker =
              rig.worker()
                  .failurePolicy(failure -> FailureAction.leaveForRedrive())
                  .handler(
                      delivery -> {
                        throw new IllegalStateException("never works");
                      })
                  .start();
          rig.timing.await("dead letter", () -> rig.queue.deadLetters().size() == 1, Duration.ofMinutes(5));
          assertThat(rig.queue.deadLetters()).extracting(SimulatedMessage::id).containsExactly(id);
          assertThat(rig.trail.of(LeftForRedrive.class)).hasSize(3);
          assertThat(rig.queue.calls(CallKind.RELEASE)).isEmpty();
          assertThat(rig.queue.calls(CallKind.EXTEND)).isEmpty();
          assertThat(worker.health().inFlight()).isZero();
          worker.close();
          rig.checkRules();
        });
  }
}
