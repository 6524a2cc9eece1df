package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.QueueWorker;
import io.queueworker.WorkerState;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a worker does when nothing goes wrong, and what that costs in calls. */
class FirstMessagesTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void each_message_is_handled_once_and_deleted(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").maxReceiveCount(5);
          List<String> handled = new ArrayList<>();
          QueueWorker worker =
              QueueWorker.of(queue.connect())
                  .handler(delivery -> handled.add(delivery.body()))
                  .timing(timing)
                  .start();
          queue.sendAll(List.of("a", "b", "c"));
          timing.await("the queue is empty", queue::isEmpty, Duration.ofSeconds(30));
          worker.close();
          assertThat(handled).containsExactlyInAnyOrder("a", "b", "c");
          assertThat(worker.state()).isEqualTo(WorkerState.CLOSED);
          assertThat(worker.health().inFlight()).isZero();
          assertThat(queue.calls(CallKind.EXTEND)).isEmpty();
        });
  }

  @Test
  void two_thousand_short_messages_cost_at_most_210_receives_and_210_deletes_and_no_extension() {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").maxReceiveCount(5);
          queue.sendAll(IntStream.range(0, 2_000).mapToObj(Integer::toString).toList());
          QueueWorker worker =
              QueueWorker.of(queue.connect())
                  .handler(delivery -> timing.sleep(Duration.ofMillis(5)))
                  .timing(timing)
                  .start();
          timing.await("the queue is empty", queue::isEmpty, Duration.ofMinutes(2));
          System.out.println(
              "receives "
                  + queue.calls(CallKind.RECEIVE).size()
                  + " deletes "
                  + queue.calls(CallKind.DELETE).size()
                  + " elapsed "
                  + timing.elapsed());
          assertThat(queue.calls(CallKind.RECEIVE)).hasSizeLessThanOrEqualTo(210);
          assertThat(queue.calls(CallKind.DELETE)).hasSizeLessThanOrEqualTo(210);
          assertThat(queue.calls(CallKind.EXTEND)).isEmpty();
          worker.close();
        });
  }

  @Test
  void an_empty_queue_costs_at_most_four_receives_a_minute() {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").maxReceiveCount(5);
          QueueWorker worker =
              QueueWorker.of(queue.connect()).handler(delivery -> {}).timing(timing).start();
          timing.advance(Duration.ofSeconds(60));
          assertThat(queue.calls(CallKind.RECEIVE)).hasSizeBetween(1, 4);
          assertThat(worker.health().lastReceive()).as("empty ones included").isPresent();
          worker.close();
        });
  }
}
