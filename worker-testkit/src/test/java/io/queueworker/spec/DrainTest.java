package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.LossReason;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerState;
import io.queueworker.observe.WorkerEvent.Closed;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Draining;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.Interrupted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.observe.WorkerListener;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedMessage;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.timing.Timing.ThreadKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What close() finishes, gives back and names. */
class DrainTest {

  static LongStream twentySeeds() {
    return LongStream.rangeClosed(1, 20);
  }

  private static Closed closed(Rig rig) {
    assertThat(rig.trail.of(Closed.class)).hasSize(1);
    return rig.trail.of(Closed.class).get(0);
  }

  @Seeds
  void S15_the_heartbeat_outlives_the_handler_during_drain(long seed) {
    assertThat(starts(seed, true)).containsExactly("worker-1");
    assertThat(starts(seed, false)).as("the negative control").containsExactly("worker-1", "worker-2");
  }

  /** The workers in which the handler of one message of 6 s started, with a close after 1 s. */
  private static List<String> starts(long seed, boolean heartbeat) {
    List<String> starts = new ArrayList<>();
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(Duration.ofSeconds(2));
          rig.send(1);
          QueueWorker first =
              rig.worker()
                  .heartbeat(heartbeat)
                  .pollWait(Duration.ofSeconds(1))
                  .handler(delivery -> rig.timing.sleep(Duration.ofSeconds(6)))
                  .start();
          rig.timing.advance(Duration.ofSeconds(1));
          QueueWorker second = rig.worker().handler(delivery -> {}).start();
          first.close(Duration.ofSeconds(10));
          if (heartbeat) {
            assertThat(rig.queue.isEmpty()).isTrue();
            assertThat(closed(rig).leftOver()).isEmpty();
            assertThat(rig.queue.calls(CallKind.EXTEND)).hasSizeGreaterThan(4);
          }
          second.close();
          rig.trail.entries().stream()
              .filter(entry -> entry.event() instanceof HandlerStarted)
              .forEach(entry -> starts.add(entry.context().worker()));
        });
    return starts;
  }

  @ParameterizedTest
  @MethodSource("twentySeeds")
  void S36_after_close_nothing_is_in_flight_that_was_not_named(long seed) {
    Rig.run(
        seed,
        rig -> {
          SplittableRandom random = new SplittableRandom(seed);
          rig.send(1_000);
          QueueWorker worker =
              rig.worker()
                  .pollWait(Duration.ofMillis(random.nextInt(0, 3) * 500L))
                  .maxConcurrency(random.nextInt(1, 65))
                  .handler(delivery -> rig.timing.sleep(Duration.ofMillis(new SplittableRandom(seed).nextInt(1, 40))))
                  .start();
          rig.timing.advance(Duration.ofMillis(random.nextInt(1, 600)));
          worker.close();
          assertThat(closed(rig).leftOver()).isEmpty();
          assertThat(rig.queue.inFlight()).isEmpty();
          assertThat(rig.queue.visible()).hasSize(1_000 - rig.queue.deleted().size());
          assertThat(rig.trail.count(Committed.class)).isEqualTo(rig.queue.deleted().size());
          assertThat(worker.state()).isEqualTo(WorkerState.CLOSED);
          assertThat(worker.health().inFlight()).isZero();
          rig.timing.advance(Duration.ofSeconds(1));
          assertThat(rig.threads.alive("")).isEmpty();
          rig.checkRules();
        });
  }

  @Seeds
  void S37_deletes_that_gather_are_sent_by_close(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(7);
          QueueWorker worker = rig.worker().deleteLinger(Duration.ofSeconds(10)).handler(delivery -> {}).start();
          rig.awaitCount(Committed.class, 7);
          assertThat(rig.queue.calls(CallKind.DELETE)).isEmpty();
          worker.close();
          assertThat(rig.queue.isEmpty()).isTrue();
          assertThat(rig.queue.calls(CallKind.DELETE)).hasSizeBetween(1, 2);
          assertThat(closed(rig).leftOver()).isEmpty();
          rig.checkRules();
        });
  }

  @Seeds
  void S37_a_delete_that_fails_during_drain_is_tried_again_and_named_when_the_budget_ends(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(7);
          QueueWorker worker = rig.worker().pollWait(Duration.ofSeconds(1)).handler(delivery -> {}).start();
          rig.awaitCount(Committed.class, 7);
          rig.queue.nextCall(CallKind.DELETE, Fault.throttled());
          worker.close();
          assertThat(rig.queue.isEmpty()).isTrue();
          rig.send(7);
          rig.queue.onCall(CallKind.DELETE, call -> Fault.throttled());
          QueueWorker second = rig.worker().pollWait(Duration.ofSeconds(1)).handler(delivery -> {}).start();
          rig.awaitCount(Committed.class, 14);
          second.close();
          assertThat(rig.trail.of(Closed.class).get(1).leftOver())
              .hasSize(7)
              .allMatch(left -> left.matches("message orders-\\d+ has no confirmed delete or release"));
          assertThat(rig.queue.inFlight()).hasSize(7);
        });
  }

  @Seeds
  void S40_the_poll_under_way_ends_by_itself_and_what_it_brings_goes_back_at_once(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.maxReceiveCount(5);
          List<String> handled = new ArrayList<>();
          QueueWorker worker =
              rig.worker().pollWait(Duration.ofSeconds(5)).handler(delivery -> handled.add(delivery.id())).start();
          rig.timing.advance(Duration.ofSeconds(1));
          rig.timing.start(
              ThreadKind.PLATFORM,
              "sender",
              () -> {
                rig.timing.advance(Duration.ofSeconds(1));
                rig.send(1);
              });
          worker.close();
          assertThat(handled).isEmpty();
          assertThat(rig.queue.visible()).singleElement().extracting(SimulatedMessage::receiveCount).isEqualTo(1);
          assertThat(rig.trail.of(Received.class)).singleElement().extracting(Received::receiveCount).isEqualTo(1);
          assertThat(rig.trail.of(Released.class)).singleElement().extracting(Released::delay).isEqualTo(Duration.ZERO);
          assertThat(closed(rig).took()).isLessThan(Duration.ofSeconds(2));
          rig.checkRules();
        });
  }

  @Seeds
  void S41_five_restarts_leave_the_number_of_messages_as_it_was(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(40);
          for (int i = 0; i < 5; i++) {
            QueueWorker worker =
                rig.worker()
                    .maxConcurrency(20)
                    .handler(delivery -> rig.timing.sleep(Duration.ofMinutes(10)))
                    .start();
            rig.timing.advance(Duration.ofSeconds(3));
            worker.close();
            rig.timing.advance(Duration.ofSeconds(10));
            assertThat(rig.queue.visible().size() + rig.queue.inFlight().size()).isEqualTo(40);
          }
          assertThat(rig.queue.deleted()).isEmpty();
          assertThat(rig.trail.of(Interrupted.class)).hasSize(100);
          assertThat(rig.trail.of(Closed.class)).allSatisfy(c -> assertThat(c.leftOver()).isEmpty());
          rig.checkRulesFor(20);
        });
  }

  @Seeds
  void S42_three_workers_drain_side_by_side_each_within_its_budget(long seed) {
    Rig.run(
        seed,
        rig -> {
          List<SimulatedQueue> queues =
              IntStream.range(0, 3).mapToObj(i -> SimulatedQueue.standard(rig.timing, "queue-" + i).maxReceiveCount(5))
                  .toList();
          List<QueueWorker> workers = new ArrayList<>();
          for (SimulatedQueue queue : queues) {
            queue.sendAll(List.of("a", "b", "c", "d"));
            workers.add(
                rig.on(queue)
                    .pollWait(Duration.ofSeconds(5))
                    .handler(delivery -> rig.timing.sleep(Duration.ofSeconds(3)))
                    .start());
          }
          rig.timing.advance(Duration.ofSeconds(1));
          Duration before = rig.timing.elapsed();
          workers.forEach(
              worker -> rig.timing.start(ThreadKind.PLATFORM, "closer", () -> worker.close(Duration.ofSeconds(10))));
          workers.forEach(QueueWorker::awaitClosed);
          assertThat(rig.timing.elapsed().minus(before)).isLessThan(Duration.ofSeconds(6));
          assertThat(queues).allSatisfy(queue -> assertThat(queue.isEmpty()).isTrue());
          assertThat(rig.trail.of(Closed.class)).hasSize(3).allSatisfy(c -> assertThat(c.leftOver()).isEmpty());
          Invariants.check(rig.trail, 64, queues.toArray(SimulatedQueue[]::new));
        });
  }

  @Seeds
  void near_the_end_of_the_budget_running_handlers_are_interrupted_and_those_that_ignore_it_are_named(long seed) {
    Rig.run(
        seed,
        rig -> {
          List<String> ids = rig.send(2);
          QueueWorker worker =
              rig.worker()
                  .pollWait(Duration.ofSeconds(1))
                  .handler(
                      delivery -> {
                        long until = rig.timing.nanoTime() + Duration.ofHours(1).toNanos();
                        boolean ignores = delivery.body().equals("1");
                        do {
                          try {
                            rig.timing.sleep(Duration.ofMinutes(5));
                          } catch (InterruptedException told) {
                            if (!ignores) {
                              throw told;
                            }
                          }
                        } while (until - rig.timing.nanoTime() > 0);
                      })
                  .start();
          rig.awaitCount(HandlerStarted.class, 2);
          worker.close(Duration.ofSeconds(20));
          assertThat(rig.trail.of(Interrupted.class))
              .extracting(Interrupted::reason)
              .containsExactly(LossReason.CLOSED, LossReason.CLOSED);
          assertThat(closed(rig).leftOver())
              .containsExactly("thread worker-orders-handler-" + ids.get(1) + " still runs");
          assertThat(closed(rig).took()).isLessThanOrEqualTo(Duration.ofSeconds(20));
          assertThat(rig.trail.of(LeaseLost.class)).singleElement().extracting(LeaseLost::messageId)
              .isEqualTo(ids.get(1));
          assertThat(rig.trail.of(Released.class)).singleElement().extracting(Released::messageId)
              .isEqualTo(ids.get(0));
          assertThat(rig.queue.calls(CallKind.DELETE)).isEmpty();
          rig.checkRules();
        });
  }

  @Seeds
  void S38_close_never_throws_from_wherever_and_however_often_it_is_called(long seed) {
    Rig.run(
        seed,
        rig -> {
          for (int i = 0; i < 50; i++) {
            QueueWorker worker =
                rig.worker().maxPollers(5).pollWait(Duration.ofSeconds(2)).handler(d -> {}).start();
            rig.timing.advance(Duration.ofMillis(i));
            for (int j = 0; j < 3; j++) {
              rig.timing.start(ThreadKind.PLATFORM, "closer-" + j, worker::close);
            }
            worker.close();
            worker.close();
            worker.pause();
            worker.resume();
            assertThat(worker.state()).isEqualTo(WorkerState.CLOSED);
          }
          assertThat(rig.trail.of(Closed.class)).hasSize(50).allSatisfy(c -> assertThat(c.leftOver()).isEmpty());
          rig.timing.advance(Duration.ofSeconds(1));
          assertThat(rig.threads.alive("")).isEmpty();
        });
  }

  @Seeds
  void S38_close_before_start_makes_the_worker_unusable_and_throws_nothing(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = rig.worker().handler(d -> {}).build();
          worker.close();
          worker.close();
          worker.awaitClosed();
          assertThat(worker.state()).isEqualTo(WorkerState.CLOSED);
          assertThatThrownBy(worker::start)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("worker-1 on queue orders is CLOSED");
          assertThat(rig.queue.calls()).isEmpty();
        });
  }

  @Seeds
  void S38_a_handler_may_close_its_worker(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(3);
          List<QueueWorker> self = new ArrayList<>();
          List<WorkerState> after = new ArrayList<>();
          self.add(
              rig.worker()
                  .pollWait(Duration.ofSeconds(1))
                  .handler(
                      delivery -> {
                        self.get(0).close();
                        after.add(self.get(0).state());
                      })
                  .build());
          self.get(0).start();
          self.get(0).awaitClosed();
          rig.timing.await("handlers end", () -> after.size() == 3, Duration.ofSeconds(1));
          assertThat(after).contains(WorkerState.CLOSED);
          assertThat(closed(rig).took()).isLessThanOrEqualTo(Duration.ofSeconds(25));
          assertThat(rig.trail.of(Draining.class)).hasSize(1);
        });
  }

  @Seeds
  void S38_listeners_may_close_the_worker_from_any_event(long seed) {
    for (Class<?> kind : List.of(Draining.class, Closed.class, Received.class, Committed.class, HandlerStarted.class)) {
      for (boolean inline : new boolean[]{true, false}) {
        Rig.run(
            seed,
            rig -> {
              rig.send(3);
              List<QueueWorker> self = new ArrayList<>();
              WorkerListener closes =
                  (context, event) -> {
                    if (kind.isInstance(event)) {
                      self.get(0).close();
                    }
                  };
              var builder = rig.worker().pollWait(Duration.ofSeconds(1)).handler(delivery -> {});
              self.add((inline ? builder.inlineListener(closes) : builder.listener(closes)).build());
              self.get(0).start();
              rig.timing.advance(Duration.ofSeconds(1));
              self.get(0).close();
              self.get(0).awaitClosed();
              assertThat(self.get(0).state()).isEqualTo(WorkerState.CLOSED);
              assertThat(rig.trail.of(Closed.class)).hasSize(1);
            });
      }
    }
  }

  @Seeds
  void an_interrupt_of_the_caller_does_not_cut_the_close_short_and_stays_set(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(1);
          QueueWorker worker = rig.worker().handler(delivery -> rig.timing.sleep(Duration.ofHours(1))).start();
          rig.awaitCount(HandlerStarted.class, 1);
          Thread.currentThread().interrupt();
          worker.close();
          assertThat(Thread.interrupted()).isTrue();
          assertThat(worker.state()).isEqualTo(WorkerState.CLOSED);
          assertThat(closed(rig).took()).isGreaterThan(Duration.ofSeconds(19));
          assertThat(closed(rig).leftOver()).isEmpty();
        });
  }
}
