package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.KeyFunction;
import io.queueworker.QueueWorker;
import io.queueworker.patched.PatchedCore;
import io.queueworker.spec.FifoScenes.Scene;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What waits in a message group takes no room from other groups, so that order costs no throughput. */
class FifoRoomTest {

  private static final int GROUPS = 60;
  private static final int MESSAGES = 20;
  private static final Duration WORK = Duration.ofMillis(20);

  /** Two groups of ten and two permits: the first four starts, and how many messages were in flight then. */
  public static final class TwoGroups implements Callable<String> {
    @Override
    public String call() throws Exception {
      String[] seen = new String[1];
      SimulatedTiming.run(
          1,
          timing -> {
            Scene scene = new Scene(timing, 5);
            for (int i = 0; i < 10; i++) {
              scene.send("g", "g" + i);
            }
            for (int i = 0; i < 10; i++) {
              scene.send("h", "h" + i);
            }
            QueueWorker worker =
                scene.worker(new MemoryGate(true), delivery -> timing.sleep(Duration.ofSeconds(1)))
                    .maxConcurrency(2)
                    .start();
            timing.await("four starts", () -> scene.starts.size() == 4, Duration.ofMinutes(2));
            seen[0] = scene.starts.stream().sorted().toList() + " of " + worker.health().inFlight();
            scene.finish(worker);
            Invariants.check(scene.trail, 2, scene.queue);
          });
      return seen[0];
    }
  }

  @Test
  void groups_run_side_by_side_although_one_of_them_has_more_messages_in_hand_than_there_are_permits()
      throws Exception {
    assertThat(new TwoGroups().call()).startsWith("[g0, g1, h0, h1] of");
  }

  @Test
  void a_worker_whose_waiting_messages_keep_their_permits_has_room_for_one_group_only() throws Exception {
    PatchedCore crowded =
        PatchedCore.with(
            "io.queueworker.handle.Lines",
            "if (ordered && !line.isEmpty()) {",
            "if (ordered && line.size() > 100) {");
    assertThat(crowded.create(TwoGroups.class, Callable.class).call()).asString().doesNotStartWith("[g0, g1, h0, h1]");
  }

  @Seeds
  void the_same_messages_take_no_quarter_longer_from_a_fifo_queue_than_from_a_standard_one(long seed) {
    Duration standard = timeFor(seed, false);
    Duration fifo = timeFor(seed, true);
    assertThat(fifo.multipliedBy(4)).as("%s from a standard queue", standard).isLessThan(standard.multipliedBy(5));
  }

  /** Virtual time from the start to the last effect; asserts the order inside groups. */
  private static Duration timeFor(long seed, boolean fifo) {
    Duration[] took = new Duration[1];
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue =
              fifo ? SimulatedQueue.fifo(timing, "steps.fifo") : SimulatedQueue.standard(timing, "steps");
          for (int number = 0; number < MESSAGES; number++) {
            for (int group = 0; group < GROUPS; group++) {
              String body = group + "/" + number;
              if (fifo) {
                queue.send(body, "group-" + group, body);
              } else {
                queue.send(body);
              }
            }
          }
          Trail trail = Trail.in(timing);
          Map<String, List<Integer>> orders = new HashMap<>();
          int[] effects = {0};
          Duration begun = timing.elapsed();
          QueueWorker worker =
              QueueWorker.of(queue.connect())
                  .once(
                      new MemoryGate(true),
                      KeyFunction.messageId(),
                      (delivery, words) -> {
                        timing.sleep(WORK);
                        String[] step = delivery.body().split("/", -1);
                        orders.computeIfAbsent(step[0], any -> new ArrayList<>()).add(Integer.valueOf(step[1]));
                        effects[0]++;
                      })
                  .maxConcurrency(16)
                  .inlineListener(trail)
                  .timing(timing)
                  .start();
          timing.await("all effects", () -> effects[0] == GROUPS * MESSAGES, Duration.ofMinutes(30));
          took[0] = timing.elapsed().minus(begun);
          timing.await("the queue is empty", queue::isEmpty, Duration.ofHours(1));
          worker.close();
          Invariants.check(trail, 16, queue);
          if (fifo) {
            assertThat(orders.values()).allMatch(IntStream.range(0, MESSAGES).boxed().toList()::equals);
          }
        });
    return took[0];
  }
}
