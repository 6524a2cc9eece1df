package io.queueworker.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.MessageHandler;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.testkit.simulation.SimulatedMachine;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole workers on simulated machines: what the simulation is for. */
class WholeWorkerTest {

  private static final int PERMITS = 4;

  private static QueueWorker start(
      SimulatedQueue queue, SimulatedMachine machine, Trail trail, MessageHandler<String> handler) {
    return QueueWorker.of(queue.connect(machine))
        .handler(handler)
        .workerId(machine.name())
        .maxConcurrency(PERMITS)
        .inlineListener(trail)
        .timing(machine)
        .start();
  }

  @Test
  void the_same_seed_gives_the_same_trail_and_others_give_others() {
    assertThat(trailOf(5)).isEqualTo(trailOf(5));
    Set<List<String>> different = new HashSet<>();
    for (int seed = 0; seed < 10; seed++) {
      different.add(trailOf(seed));
    }
    assertThat(different).hasSizeGreaterThan(5);
  }

  private static List<String> trailOf(long seed) {
    List<String> texts = new ArrayList<>();
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").maxReceiveCount(5);
          queue.sendAll(Collections.nCopies(20, "x"));
          Trail trail = Trail.in(timing);
          QueueWorker worker =
              start(
                  queue,
                  timing.home(),
                  trail,
                  delivery -> timing.sleep(Duration.ofMillis((long) (timing.random() * 100_000))));
          timing.await("all are deleted", queue::isEmpty, Duration.ofHours(1));
          worker.close();
          Invariants.check(trail, PERMITS, queue);
          assertThat(trail.count(WorkerEvent.Extended.class)).isPositive();
          texts.addAll(trail.texts());
        });
    return texts;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void what_a_killed_machine_held_is_handled_by_another(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").maxReceiveCount(5);
          List<String> ids = queue.sendAll(Collections.nCopies(12, "x"));
          Trail trail = Trail.in(timing);
          SimulatedMachine first = timing.machine("first", Duration.ZERO);
          SimulatedMachine second = timing.machine("second", Duration.ofMinutes(-3));
          start(queue, first, trail, delivery -> timing.sleep(Duration.ofSeconds(40)));
          timing.await(() -> trail.count(WorkerEvent.Extended.class) > 0, Duration.ofMinutes(1));
          first.kill();
          QueueWorker worker = start(queue, second, trail, delivery -> timing.sleep(Duration.ofSeconds(1)));
          timing.await("all are deleted", queue::isEmpty, Duration.ofMinutes(5));
          worker.close();
          assertThat(queue.deleted()).containsExactlyInAnyOrderElementsOf(ids);
          Invariants.check(trail, PERMITS, queue);
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void a_machine_that_stood_still_beyond_its_leases_sends_nothing_for_them(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").maxReceiveCount(5);
          queue.sendAll(Collections.nCopies(4, "x"));
          Trail trail = Trail.in(timing);
          SimulatedMachine machine = timing.machine("worker", Duration.ZERO);
          QueueWorker worker = start(queue, machine, trail, delivery -> timing.sleep(Duration.ofSeconds(20)));
          timing.await(() -> trail.count(WorkerEvent.HandlerStarted.class) == 4, Duration.ofMinutes(1));
          timing.sleep(Duration.ofSeconds(1));
          machine.freeze(Duration.ofMinutes(1));
          timing.await("all are deleted", queue::isEmpty, Duration.ofMinutes(10));
          worker.close();
          assertThat(trail.count(WorkerEvent.ClockGap.class)).isPositive();
          Invariants.check(trail, PERMITS, queue);
        });
  }
}
