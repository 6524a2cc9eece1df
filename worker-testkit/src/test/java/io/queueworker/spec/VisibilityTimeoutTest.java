package io.queueworker.spec;

import static io.queueworker.spec.Specs.calls;
import static io.queueworker.spec.Specs.steps;
import static io.queueworker.spec.Specs.visibilities;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.ExtendSent;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Started;
import io.queueworker.observe.WorkerEvent.VisibilityChanged;
import io.queueworker.queue.QueueAttributes;
import io.queueworker.queue.QueueException;
import io.queueworker.spec.Specs.Connection;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedCall;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which visibility timeout a worker works with, and what it says about unwise ones. */
class VisibilityTimeoutTest {

  private static final Duration LONG = Duration.ofMinutes(30);

  private static SimulatedQueue orders(SimulatedTiming timing) {
    return SimulatedQueue.standard(timing, "orders").maxReceiveCount(5);
  }

  private static WorkerBuilder<String> worker(SimulatedTiming timing, Connection queue, Trail trail, Duration handler) {
    return QueueWorker.of(queue)
        .handler(delivery -> timing.sleep(handler))
        .inlineListener(trail)
        .timing(timing);
  }

  @ParameterizedTest(name = "visibility {0} s, seed {1}")
  @CsvSource({"1,1", "1,2", "1,3", "2,1", "2,2", "2,3", "5,1", "5,2", "5,3"})
  void S7_with_a_short_visibility_timeout_each_handler_runs_once_and_the_start_warns(int seconds, long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing).visibility(Duration.ofSeconds(seconds));
          Trail trail = Trail.in(timing);
          List<String> ids = queue.sendAll(List.of("a", "b", "c"));
          QueueWorker worker =
              worker(timing, new Connection(queue.connect(), false), trail, Duration.ofSeconds(3L * seconds)).start();
          timing.await("the queue is empty", queue::isEmpty, LONG);
          assertThat(worker.health().warnings())
              .singleElement()
              .asString()
              .contains("a visibility timeout of " + seconds + " s")
              .contains("10 s or more");
          assertThat(trail.of(Started.class).get(0).warnings()).isEqualTo(worker.health().warnings());
          worker.close();
          Invariants.check(trail, 64, queue);
          for (String id : ids) {
            assertThat(steps(trail, id))
                .containsExactly("Received", "HandlerStarted", "HandlerReturned", "Committed", "Deleted");
            assertThat(calls(queue, CallKind.EXTEND, id)).hasSizeGreaterThanOrEqualTo(4);
          }
        });
  }

  @Seeds
  void S7_a_visibility_timeout_of_ten_seconds_warns_of_nothing(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing).visibility(Duration.ofSeconds(10));
          QueueWorker worker =
              worker(timing, new Connection(queue.connect(), false), Trail.in(timing), Duration.ZERO).start();
          assertThat(worker.health().warnings()).isEmpty();
          worker.close();
        });
  }

  @Seeds
  void S7_a_visibility_timeout_of_zero_warns_and_is_not_used(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing).visibility(Duration.ofSeconds(1));
          Trail trail = Trail.in(timing);
          Connection connection = new Connection(queue.connect(), false);
          connection.attributes = a -> new QueueAttributes(Duration.ZERO, a.maxReceiveCount(), a.deadLetterQueue());
          String id = queue.send("a");
          QueueWorker worker = worker(timing, connection, trail, Duration.ofSeconds(50)).start();
          timing.await("the queue is empty", queue::isEmpty, LONG);
          assertThat(worker.health().warnings()).singleElement().asString().contains("is 0 s").contains("30 s");
          worker.close();
          Invariants.check(trail, 64, queue);
          assertThat(visibilities(queue, CallKind.RECEIVE, id)).containsExactly(Duration.ofSeconds(30));
          assertThat(visibilities(queue, CallKind.EXTEND, id)).containsOnly(Duration.ofSeconds(30));
        });
  }

  @Seeds
  void S21_receives_and_beats_use_the_queues_own_visibility_timeout(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing).visibility(Duration.ofSeconds(150));
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          QueueWorker worker =
              worker(timing, new Connection(queue.connect(), false), trail, Duration.ofMinutes(4)).start();
          timing.await("the queue is empty", queue::isEmpty, LONG);
          worker.close();
          Invariants.check(trail, 64, queue);
          assertThat(trail.of(Started.class)).extracting(Started::visibility).containsExactly(Duration.ofSeconds(150));
          assertThat(visibilities(queue, CallKind.RECEIVE, id)).containsExactly(Duration.ofSeconds(150));
          assertThat(visibilities(queue, CallKind.EXTEND, id)).hasSize(3).containsOnly(Duration.ofSeconds(150));
        });
  }

  @ParameterizedTest(name = "from {0} s to {1} s")
  @CsvSource({"150,60", "60,150", "30,600", "600,30", "30,5"})
  void S21_a_change_while_the_worker_runs_is_picked_up_without_losing_a_lease(int from, int to) {
    SimulatedTiming.run(
        from + to,
        timing -> {
          Duration before = Duration.ofSeconds(from);
          Duration after = Duration.ofSeconds(to);
          SimulatedQueue queue = orders(timing).visibility(before);
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          QueueWorker worker =
              worker(timing, new Connection(queue.connect(), false), trail, Duration.ofMinutes(25)).start();
          timing.advance(Duration.ofMinutes(1));
          queue.visibility(after);
          timing.await("it is noticed", () -> trail.count(VisibilityChanged.class) == 1, Duration.ofMinutes(6));
          assertThat(trail.of(VisibilityChanged.class)).containsExactly(new VisibilityChanged(before, after));
          timing.advance(Duration.ofSeconds(25)); // for the receive under way, which still has the old one
          int extensionsSoFar = queue.calls(CallKind.EXTEND).size();
          String later = queue.send("b");
          timing.await("the queue is empty", queue::isEmpty, Duration.ofHours(1));
          worker.close();
          Invariants.check(trail, 64, queue);
          assertThat(trail.of(LeaseLost.class)).isEmpty();
          assertThat(visibilities(queue, CallKind.RECEIVE, later)).last().isEqualTo(after);
          assertThat(queue.calls(CallKind.EXTEND).subList(extensionsSoFar, queue.calls(CallKind.EXTEND).size()))
              .isNotEmpty()
              .flatExtracting(SimulatedCall::entries)
              .extracting(SimulatedCall.Entry::visibility)
              .containsOnly(after);
          assertThat(visibilities(queue, CallKind.EXTEND, id)).contains(after);
        });
  }

  @Seeds
  void S21_a_visibility_timeout_that_is_set_is_not_replaced_by_the_queues(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing).visibility(Duration.ofSeconds(150));
          Trail trail = Trail.in(timing);
          String id = queue.send("a");
          QueueWorker worker =
              worker(timing, new Connection(queue.connect(), false), trail, Duration.ofMinutes(11))
                  .visibility(Duration.ofSeconds(40))
                  .start();
          timing.await("the queue is empty", queue::isEmpty, LONG);
          worker.close();
          Invariants.check(trail, 64, queue);
          assertThat(trail.count(VisibilityChanged.class)).isZero();
          assertThat(visibilities(queue, CallKind.RECEIVE, id)).containsExactly(Duration.ofSeconds(40));
          assertThat(trail.of(ExtendSent.class)).allMatch(sent -> sent.visibility().equals(Duration.ofSeconds(40)));
        });
  }

  @Seeds
  void S21_a_read_that_fails_leaves_the_old_value_until_the_next_one(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = orders(timing).visibility(Duration.ofSeconds(40));
          Trail trail = Trail.in(timing);
          QueueWorker worker =
              worker(timing, new Connection(queue.connect(), false), trail, Duration.ZERO).start();
          queue.nextCall(
              CallKind.ATTRIBUTES, Fault.fail(QueueException.of(QueueException.Kind.UNAVAILABLE, "no network", null)));
          queue.visibility(Duration.ofSeconds(90));
          timing.advance(Duration.ofMinutes(7));
          assertThat(trail.count(VisibilityChanged.class)).isZero();
          timing.advance(Duration.ofMinutes(5));
          assertThat(trail.of(VisibilityChanged.class))
              .containsExactly(new VisibilityChanged(Duration.ofSeconds(40), Duration.ofSeconds(90)));
          worker.close();
        });
  }

  @Seeds
  void a_visibility_timeout_of_ones_own_is_refused_where_a_receive_cannot_set_it(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.smqLike(timing, "orders");
          assertThatThrownBy(
              () -> worker(
                  timing, new Connection(queue.connect(), false), Trail.in(timing), Duration.ZERO)
                  .drainTimeout(Duration.ofSeconds(40))
                  .visibility(Duration.ofMinutes(2))
                  .build())
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("visibility is PT2M");
        });
  }
}
