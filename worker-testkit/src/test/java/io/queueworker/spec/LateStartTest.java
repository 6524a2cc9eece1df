package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker that starts long after it was built, as in a container that builds first and starts all later. */
class LateStartTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void a_worker_that_starts_long_after_it_was_built_has_not_stood_still(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").maxReceiveCount(5);
          queue.sendAll(List.of("a", "b", "c"));
          List<WorkerEvent> events = new ArrayList<>();
          List<String> handled = new ArrayList<>();
          QueueWorker worker =
              QueueWorker.of(queue.connect())
                  .handler(delivery -> handled.add(delivery.body()))
                  .inlineListener((context, event) -> events.add(event))
                  .timing(timing)
                  .build();
          timing.advance(Duration.ofMinutes(10));
          worker.start();
          timing.await("the queue is empty", queue::isEmpty, Duration.ofSeconds(5));
          worker.close();
          assertThat(handled).containsExactlyInAnyOrder("a", "b", "c");
          assertThat(events)
              .doesNotHaveAnyElementsOfTypes(WorkerEvent.ClockGap.class, WorkerEvent.NotStarted.class);
          assertThat(queue.calls(CallKind.EXTEND)).isEmpty();
        });
  }
}
