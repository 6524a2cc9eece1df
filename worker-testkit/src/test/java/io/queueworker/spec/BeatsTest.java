package io.queueworker.spec;

import static io.queueworker.spec.Specs.calls;
import static io.queueworker.spec.Specs.steps;
import static io.queueworker.spec.Specs.visibilities;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.LossReason;
import io.queueworker.MessageHandler;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.ExtendFailed;
import io.queueworker.observe.WorkerEvent.ExtendSent;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.queue.EntryResult;
import io.queueworker.spec.Specs.Connection;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedCall;
import io.queueworker.testkit.simulation.SimulatedMachine;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the heartbeat keeps leases: with which calls, of which length, and what failing calls do. */
class BeatsTest {

  private static final Duration VISIBILITY = Duration.ofSeconds(30);
  private static final Duration LONG = Duration.ofMinutes(10);

  private static WorkerBuilder<String> worker(
      SimulatedTiming timing, SimulatedQueue queue, Trail trail, MessageHandler<String> handler) {
    return QueueWorker.of(queue.connect()).handler(handler).inlineListener(trail).timing(timing);
  }

  private static SimulatedQueue orders(SimulatedTiming timing) {
    return SimulatedQueue.standard(timing, "orders").maxReceiveCount(5).visibility(VISIBILITY);
  }

  private static void finish(SimulatedTiming timing, SimulatedQueue queue, Trail trail, QueueWorker worker) {
    timing.await("the queue is empty", queue::isEmpty, Duration.ofHours(2));
    worker.close();
    Invariants.check(trail, 100, queue);
  }

  @Seeds
  void S5_each_beat_sets_the_same_visibility_timeout_from_now(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          QueueWorker worker =
              worker(timing, queue, trail, delivery -> timing.sleep(Duration.ofSeconds(80))).start();
          finish(timing, queue, trail, worker);
          assertThat(visibilities(queue, CallKind.EXTEND, id)).hasSize(5).containsOnly(VISIBILITY);
          assertThat(steps(trail, id))
              .containsExactly("Received", "HandlerStarted", "HandlerReturned", "Committed", "Deleted");
          assertThat(queue.calls(CallKind.RELEASE)).isEmpty();
        });
  }

  @Seeds
  void S5_without_the_heartbeat_the_same_handler_loses_its_message(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          QueueWorker worker =
              worker(timing, queue, trail, delivery -> timing.sleep(Duration.ofSeconds(80)))
                  .heartbeat(false)
                  .start();
          finish(timing, queue, trail, worker);
          assertThat(queue.calls(CallKind.EXTEND)).isEmpty();
          assertThat(trail.of(LeaseLost.class, id).get(0).reason()).isEqualTo(LossReason.EXPIRED);
          assertThat(calls(queue, CallKind.RECEIVE, id)).hasSizeGreaterThan(1);
        });
  }

  @Seeds
  void S6_what_a_killed_worker_held_comes_back_within_one_visibility_timeout_however_long_it_was_held(
      long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          SimulatedMachine first = timing.machine("first", Duration.ZERO);
          QueueWorker.of(queue.connect(first))
              .handler(delivery -> timing.sleep(LONG))
              .inlineListener(trail)
              .timing(first)
              .start();
          timing.await("four beats", () -> trail.count(Extended.class) == 4, LONG);
          Duration killedAt = timing.elapsed();
          first.kill();
          QueueWorker second = worker(timing, queue, trail, delivery -> {}).start();
          finish(timing, queue, trail, second);
          List<SimulatedCall> receives = calls(queue, CallKind.RECEIVE, id);
          assertThat(receives).hasSize(2);
          Deleted deleted = trail.of(Deleted.class, id).get(0);
          assertThat(trail.of(Deleted.class)).containsExactly(deleted);
          assertThat(timing.elapsed().minus(killedAt)).isLessThan(VISIBILITY.plusSeconds(21));
          assertThat(visibilities(queue, CallKind.EXTEND, id)).hasSize(4).containsOnly(VISIBILITY);
        });
  }

  @Seeds
  void S8_a_beat_never_shortens_what_the_handler_asked_for(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          QueueWorker worker =
              worker(
                  timing,
                  queue,
                  trail,
                  delivery -> {
                    timing.sleep(Duration.ofSeconds(5));
                    delivery.extendTo(Duration.ofMinutes(2));
                    timing.sleep(Duration.ofSeconds(1));
                    assertThat(delivery.remaining()).isGreaterThan(Duration.ofSeconds(110));
                    delivery.extendTo(Duration.ofSeconds(50)); // less than is left: changes nothing
                    timing.sleep(Duration.ofSeconds(200));
                  })
                  .start();
          finish(timing, queue, trail, worker);
          List<SimulatedCall> extensions = queue.calls(CallKind.EXTEND);
          assertThat(visibilities(queue, CallKind.EXTEND, id).get(0)).isEqualTo(Duration.ofMinutes(2));
          assertThat(visibilities(queue, CallKind.EXTEND, id).stream().skip(1)).isNotEmpty().containsOnly(VISIBILITY);
          assertNeverShortened(extensions);
          // It was quiet for as long as the wish reached: no call until then, less one beat.
          Duration quiet = extensions.get(1).sentAt().minus(extensions.get(0).sentAt());
          assertThat(quiet).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(118));
          assertThat(calls(queue, CallKind.RECEIVE, id)).hasSize(1);
        });
  }

  private static void assertNeverShortened(List<SimulatedCall> extensions) {
    Duration end = Duration.ZERO;
    for (SimulatedCall call : extensions) {
      Duration next = call.arrivedAt().orElseThrow().plus(call.entries().get(0).visibility());
      assertThat(next).as("the end set by %s", call).isGreaterThan(end);
      end = next;
    }
  }

  @Seeds
  void S8_a_wish_that_comes_while_a_beat_is_under_way_is_sent_right_after_it(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          queue.nextCall(CallKind.EXTEND, Fault.delayReply(Duration.ofSeconds(1)));
          QueueWorker worker =
              worker(
                  timing,
                  queue,
                  trail,
                  delivery -> {
                    timing.await("a beat is sent", () -> trail.count(ExtendSent.class) == 1, LONG);
                    delivery.extendTo(Duration.ofMinutes(2));
                    timing.sleep(Duration.ofSeconds(3));
                    assertThat(delivery.remaining()).isGreaterThan(Duration.ofSeconds(100));
                  })
                  .start();
          finish(timing, queue, trail, worker);
          // 120 s from the wish, of which the answer to the first beat took one.
          assertThat(visibilities(queue, CallKind.EXTEND, id)).containsExactly(VISIBILITY, Duration.ofSeconds(119));
        });
  }

  @Seeds
  void S10_a_hundred_in_flight_cost_ten_calls_per_beat_interval(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          List<String> ids = queue.sendAll(Collections.nCopies(100, "a"));
          QueueWorker worker =
              worker(timing, queue, trail, delivery -> timing.sleep(Duration.ofSeconds(200)))
                  .maxConcurrency(100)
                  .start();
          finish(timing, queue, trail, worker);
          Map<Long, Integer> perInterval = new TreeMap<>();
          for (SimulatedCall call : queue.calls(CallKind.EXTEND)) {
            perInterval.merge(call.sentAt().toSeconds() / 15, 1, Integer::sum);
            assertThat(call.entries()).allMatch(SimulatedCall.Entry::held);
          }
          assertThat(perInterval).hasSizeGreaterThanOrEqualTo(12);
          assertThat(perInterval.values()).allMatch(calls -> calls <= 10);
          assertThat(queue.entries(CallKind.RECEIVE)).isEqualTo(100);
          assertThat(queue.deleted()).containsExactlyInAnyOrderElementsOf(ids);
          assertThat(trail.of(LeaseLost.class)).isEmpty();
        });
  }

  @ParameterizedTest(name = "seed {0}, {1}")
  @CsvSource({"1,LOST", "2,LOST", "3,LOST", "1,GONE", "2,GONE", "3,GONE"})
  void S10_one_refused_entry_of_a_batch_costs_only_that_lease(long seed, String answer) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          List<String> ids = queue.sendAll(Collections.nCopies(100, "a"));
          String refused = ids.get(42);
          EntryResult result =
              answer.equals("LOST") ? new EntryResult.Lost("ReceiptHandleIsInvalid") : new EntryResult.Gone();
          queue.onCall(
              CallKind.EXTEND,
              call -> Fault.entries(id -> id.equals(refused) ? Optional.of(result) : Optional.empty()));
          QueueWorker worker =
              worker(timing, queue, trail, delivery -> timing.sleep(Duration.ofSeconds(100)))
                  .maxConcurrency(100)
                  .start();
          timing.await("100 handlers", () -> trail.count(HandlerStarted.class) == 100, LONG);
          timing.advance(Duration.ofMinutes(1));
          assertThat(trail.of(LeaseLost.class))
              .singleElement()
              .satisfies(
                  lost -> {
                    assertThat(lost.messageId()).isEqualTo(refused);
                    assertThat(lost.reason()).isEqualTo(LossReason.REFUSED);
                  });
          assertThat(calls(queue, CallKind.EXTEND, refused)).hasSize(1);
          finish(timing, queue, trail, worker);
          assertThat(trail.of(LeaseLost.class)).hasSize(1);
        });
  }

  @ParameterizedTest(name = "seed {0}, {1}")
  @CsvSource({
    "1,LOSE_REPLY", "2,LOSE_REPLY", "3,LOSE_REPLY", "1,TIME_OUT", "2,TIME_OUT", "3,TIME_OUT",
    "1,LOSE_REQUEST", "2,LOSE_REQUEST", "1,THROTTLED", "2,THROTTLED"
  })
  void S16_a_beat_without_an_answer_is_sent_again_and_the_handler_goes_on(long seed, String kind) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          Fault fault =
              switch (kind) {
                case "LOSE_REPLY" -> Fault.loseReply();
                case "TIME_OUT" -> Fault.delayReply(Duration.ofSeconds(5));
                case "LOSE_REQUEST" -> Fault.loseRequest();
                default -> Fault.throttled();
              };
          queue.nextCall(CallKind.EXTEND, fault);
          queue.nextCall(CallKind.EXTEND, fault);
          Connection connection = new Connection(queue.connect(), false);
          QueueWorker worker =
              QueueWorker.of(connection)
                  .handler(delivery -> {
                    timing.sleep(Duration.ofSeconds(50));
                    delivery.checkHeld();
                  })
                  .inlineListener(trail)
                  .timing(timing)
                  .start();
          finish(timing, queue, trail, worker);
          assertThat(trail.of(ExtendFailed.class)).hasSize(2);
          assertThat(steps(trail, id))
              .containsExactly("Received", "HandlerStarted", "HandlerReturned", "Committed", "Deleted");
          assertThat(calls(queue, CallKind.RECEIVE, id)).hasSize(1);
          assertThat(connection.overlaps).isEmpty();
        });
  }

  @Seeds
  void S16_when_no_beat_succeeds_the_lease_is_lost_at_its_own_deadline_and_not_before(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          queue.onCall(CallKind.EXTEND, call -> Fault.unavailable());
          String id = queue.send("a");
          QueueWorker worker =
              worker(timing, queue, trail, delivery -> timing.sleep(Duration.ofSeconds(29))).start();
          timing.await("the loss", () -> trail.count(LeaseLost.class) == 1, LONG);
          SimulatedCall receive = calls(queue, CallKind.RECEIVE, id).get(0);
          Duration held = timing.elapsed().minus(receive.arrivedAt().orElseThrow());
          assertThat(held).isBetween(VISIBILITY.minusSeconds(3), VISIBILITY);
          finish(timing, queue, trail, worker);
          assertThat(trail.of(LeaseLost.class).get(0).reason()).isEqualTo(LossReason.EXPIRED);
          assertThat(trail.of(ExtendFailed.class)).hasSizeGreaterThan(5);
        });
  }

  @Seeds
  void S20_slow_messages_do_not_lengthen_what_a_beat_asks_for(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          queue.sendAll(Collections.nCopies(60, "a"));
          QueueWorker worker =
              worker(timing, queue, trail, delivery -> timing.sleep(LONG)).maxConcurrency(20).start();
          finish(timing, queue, trail, worker);
          assertThat(trail.of(ExtendSent.class)).allMatch(sent -> sent.visibility().equals(VISIBILITY));
          assertThat(queue.calls(CallKind.RECEIVE))
              .allSatisfy(
                  call -> assertThat(call.entries()).allMatch(entry -> entry.visibility().equals(VISIBILITY)));
          assertThat(worker.sizing().p99().value()).isGreaterThan(Duration.ofSeconds(590));
        });
  }

  @Seeds
  void leases_near_their_end_get_calls_of_their_own_when_batches_fail(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          queue.onCall(CallKind.EXTEND, call -> call.asked() > 1 ? Fault.unavailable() : Fault.none());
          queue.sendAll(Collections.nCopies(20, "a"));
          QueueWorker worker =
              worker(timing, queue, trail, delivery -> timing.sleep(Duration.ofSeconds(40))).start();
          finish(timing, queue, trail, worker);
          assertThat(trail.of(LeaseLost.class)).isEmpty();
          assertThat(queue.calls(CallKind.EXTEND).stream().filter(call -> call.asked() == 1)).hasSize(20);
          assertThat(trail.of(ExtendSent.class).stream().filter(ExtendSent::urgent)).hasSizeGreaterThanOrEqualTo(20);
        });
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void leases_survive_batches_that_are_never_answered(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          queue.onCall(CallKind.EXTEND, call -> call.asked() > 1 ? Fault.loseRequest() : Fault.none());
          queue.sendAll(Collections.nCopies(30, "a"));
          QueueWorker worker =
              worker(timing, queue, trail, delivery -> timing.sleep(Duration.ofSeconds(40))).start();
          finish(timing, queue, trail, worker);
          assertThat(trail.of(LeaseLost.class)).isEmpty();
        });
  }

  @Seeds
  void a_release_waits_for_the_beat_that_is_under_way(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          queue.nextCall(CallKind.EXTEND, Fault.delayReply(Duration.ofSeconds(2)));
          Connection connection = new Connection(queue.connect(), false);
          QueueWorker worker =
              QueueWorker.of(connection)
                  .handler(
                      delivery -> {
                        if (delivery.receiveCount() == 1) {
                          timing.await("a beat is sent", () -> trail.count(ExtendSent.class) == 1, LONG);
                          throw new IllegalStateException("not today");
                        }
                      })
                  .inlineListener(trail)
                  .timing(timing)
                  .start();
          finish(timing, queue, trail, worker);
          SimulatedCall extension = queue.calls(CallKind.EXTEND).get(0);
          SimulatedCall release = queue.calls(CallKind.RELEASE).get(0);
          assertThat(release.sentAt().minus(extension.sentAt())).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
          assertThat(connection.overlaps).isEmpty();
          assertThat(steps(trail, id))
              .containsExactly(
                  "Received", "HandlerStarted", "Failed", "Released",
                  "Received", "HandlerStarted", "HandlerReturned", "Committed", "Deleted");
        });
  }

  @Seeds
  void a_beat_that_hangs_without_end_costs_its_lease_by_local_time_and_no_second_call(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          queue.nextCall(CallKind.EXTEND, Fault.hang(Duration.ofSeconds(100)));
          QueueWorker worker =
              worker(timing, queue, trail, delivery -> timing.sleep(Duration.ofSeconds(40))).start();
          timing.await("the loss", () -> trail.count(LeaseLost.class) == 1, LONG);
          assertThat(calls(queue, CallKind.EXTEND, id)).hasSize(1);
          finish(timing, queue, trail, worker);
          assertThat(trail.of(LeaseLost.class, id).get(0).reason()).isEqualTo(LossReason.EXPIRED);
        });
  }

  @Seeds
  void a_message_under_frequent_faults_never_has_two_visibility_calls_at_once(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing);
          Trail trail = Trail.in(timing);
          queue.onCall(CallKind.EXTEND, call -> mixed(call, timing));
          queue.onCall(CallKind.RELEASE, call -> mixed(call, timing));
          queue.sendAll(Collections.nCopies(40, "a"));
          Connection connection = new Connection(queue.connect(), false);
          QueueWorker worker =
              QueueWorker.of(connection)
                  .handler(
                      delivery -> {
                        timing.sleep(Duration.ofMillis((long) (timing.random() * 90_000)));
                        if (timing.random() < 0.3 && delivery.receiveCount() < 4) {
                          throw new IllegalStateException("not today");
                        }
                      })
                  .inlineListener(trail)
                  .timing(timing)
                  .start();
          timing.await("the queue is empty", queue::isEmpty, Duration.ofHours(5));
          worker.close();
          assertThat(connection.overlaps).isEmpty();
          assertThat(queue.violations()).isEmpty();
          assertThat(trail.count(ExtendFailed.class)).isPositive();
        });
  }

  private static Fault mixed(SimulatedCall call, SimulatedTiming timing) {
    return switch ((int) (timing.random() * 6)) {
      case 0 -> Fault.loseReply();
      case 1 -> Fault.delayReply(Duration.ofMillis(call.number() * 37L % 4_000));
      case 2 -> Fault
          .entries(id -> id.hashCode() % 3 == 0 ? Optional.of(new EntryResult.Retryable("busy")) : Optional.empty());
      default -> Fault.none();
    };
  }
}
