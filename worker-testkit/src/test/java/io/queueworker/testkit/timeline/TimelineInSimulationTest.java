package io.queueworker.testkit.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.HandlerReturned;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerListener;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.simulation.SimulatedMachine;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;

/** Time lines of whole workers in virtual time, on machines whose clocks have nothing in common. */
class TimelineInSimulationTest {

  private static final Duration WORK = Duration.ofSeconds(20);

  /** What was heard of a handler of 20 s whose machine stands still for a minute, and of the worker that took over. */
  private record Heard(Timeline timeline, Timeline byOwnClocks, String messageId, List<Long> startsAndEnds) {}

  private static Heard oneFreezes(boolean dies) {
    List<Heard> heard = new ArrayList<>();
    SimulatedTiming.run(
        7,
        timing -> {
          Timeline timeline = Timeline.in(timing);
          Timeline byOwnClocks = Timeline.create();
          Trail trail = Trail.in(timing);
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders");
          SimulatedMachine first = timing.machine("first", Duration.ofHours(2));
          SimulatedMachine second = timing.machine("second", Duration.ofHours(-3));
          List<Long> times = new ArrayList<>();
          WorkerListener all =
              (context, event) -> {
                trail.onEvent(context, event);
                timeline.onEvent(context, event);
                byOwnClocks.onEvent(context, event);
                if (event instanceof HandlerStarted || event instanceof HandlerReturned) {
                  times.add(timing.elapsed().toNanos());
                }
              };
          String id = queue.send("a");
          QueueWorker one = worker(timing, first, queue, all).start();
          timing.await("the first starts", () -> trail.count(HandlerStarted.class) == 1, Duration.ofMinutes(1));
          timing.sleep(Duration.ofSeconds(5));
          if (dies) {
            first.kill();
          } else {
            first.freeze(Duration.ofSeconds(40));
          }
          QueueWorker two = worker(timing, second, queue, all).start();
          timing.await(
              "all committed", () -> trail.count(Committed.class) == (dies ? 1 : 2), Duration.ofMinutes(10));
          timing.await("nothing is left", queue::isEmpty, Duration.ofMinutes(10));
          if (!dies) {
            one.close();
          }
          two.close();
          heard.add(new Heard(timeline, byOwnClocks, id, times));
        });
    return heard.getFirst();
  }

  private static WorkerBuilder<String> worker(SimulatedTiming timing, SimulatedMachine machine, SimulatedQueue queue,
      WorkerListener all) {
    return QueueWorker.of(queue.connect(machine))
        .workerId(machine.name())
        .handler(delivery -> timing.sleep(WORK))
        .inlineListener(all)
        .timing(machine);
  }

  @Test
  void a_frozen_worker_and_its_successor_overlap_from_the_second_start_to_the_first_end() {
    Heard heard = oneFreezes(false);

    List<Overlap> overlaps = heard.timeline().overlaps(heard.messageId());

    assertThat(overlaps).hasSize(1);
    assertThat(overlaps.getFirst().workers()).containsExactly("first", "second");
    List<Long> times = heard.startsAndEnds(); // first starts, second starts, first ends, second ends
    assertThat(overlaps.getFirst().to().minus(overlaps.getFirst().from()).toNanos())
        .isEqualTo(times.get(2) - times.get(1));
    Document page = Jsoup.parse(heard.timeline().html());
    assertThat(page.select("section [data-overlap-seconds]")).hasSize(1);
    assertThat(page.select("rect.lease").eachAttr("data-worker")).contains("first", "second");
  }

  /** The control: what each machine calls its own time does not compare. */
  @Test
  void by_the_machines_own_clocks_the_overlap_would_be_another() {
    Heard heard = oneFreezes(false);

    assertThat(heard.byOwnClocks().overlaps()).isNotEqualTo(heard.timeline().overlaps());
  }

  @Test
  void a_killed_workers_handler_is_drawn_until_its_last_sign_of_life_and_overlaps_nothing() {
    Heard heard = oneFreezes(true);

    assertThat(heard.timeline().overlaps()).isEmpty();
    Document page = Jsoup.parse(heard.timeline().html());
    assertThat(page.select("section rect.run")).hasSize(2);
    assertThat(page.select("section rect.run.unended")).hasSize(1);
    assertThat(page.select("section .sign.commit")).hasSize(1);
    assertThat(heard.timeline().text()).contains("first", "second", "COMMITS");
  }
}
