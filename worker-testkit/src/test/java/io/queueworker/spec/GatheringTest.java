package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.QueueWorker;
import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.ReceiveCompleted;
import io.queueworker.observe.WorkerListener;
import io.queueworker.testkit.simulation.CallKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What messages that come singly cost: how many pollers, receives and deletes, with a linger and without. */
class GatheringTest {

  private static final Duration LINGER = Duration.ofMillis(100);
  private static final Duration ROUND_TRIP = Duration.ofMillis(10);
  private static final Duration BETWEEN = Duration.ofMillis(10);

  /** Hears when each receive began and ended, by the worker's clock. For simulations. */
  private static final class Receives implements WorkerListener {
    private final List<Receive> all = new ArrayList<>();

    private record Receive(long beganAt, long endedAt, int asked, int received) {}

    @Override
    public void onEvent(EventContext context, WorkerEvent event) {
      if (event instanceof ReceiveCompleted e) {
        all.add(new Receive(context.nanoTime() - e.took().toNanos(), context.nanoTime(), e.asked(), e.received()));
      }
    }
  }

  private static void trickle(Rig rig, int messages) {
    for (int i = 0; i < messages; i++) {
      rig.send(1);
      rig.timing.advance(BETWEEN);
    }
  }

  /** A worker that has just worked off a backlog with several pollers. */
  private static QueueWorker afterBacklog(Rig rig, Duration linger, Receives receives) {
    rig.queue.latency(ROUND_TRIP, ROUND_TRIP);
    rig.send(400);
    QueueWorker worker =
        rig.worker()
            .receiveLinger(linger)
            .inlineListener(receives)
            .handler(delivery -> rig.timing.sleep(Duration.ofMillis(20)))
            .start();
    rig.timing.await("several pollers", () -> rig.threads.alive("poll-").size() > 2, Duration.ofMinutes(1));
    rig.awaitEmpty();
    return worker;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void messages_that_come_singly_after_a_backlog_cost_one_receive_each_and_their_deletes_gather(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = afterBacklog(rig, Duration.ZERO, new Receives());
          trickle(rig, 100);
          assertThat(rig.threads.alive("poll-")).hasSize(1);
          int receives = rig.queue.calls(CallKind.RECEIVE).size();
          int deletes = rig.queue.calls(CallKind.DELETE).size();
          trickle(rig, 500);
          assertThat(rig.queue.calls(CallKind.RECEIVE).size() - receives).isBetween(100, 501);
          assertThat(rig.queue.calls(CallKind.DELETE).size() - deletes).isBetween(49, 56);
          worker.close();
          rig.checkRules();
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void with_a_linger_the_receive_after_a_part_full_one_is_sent_that_long_after_it_and_deletes_gather(long seed) {
    Rig.run(
        seed,
        rig -> {
          Receives receives = new Receives();
          QueueWorker worker = afterBacklog(rig, LINGER, receives);
          trickle(rig, 100);
          assertThat(rig.threads.alive("poll-")).hasSize(1);
          receives.all.clear();
          int deletes = rig.queue.calls(CallKind.DELETE).size();
          trickle(rig, 500);
          for (int i = 1; i < receives.all.size(); i++) {
            Receives.Receive before = receives.all.get(i - 1);
            Receives.Receive next = receives.all.get(i);
            if (before.received() < before.asked()) {
              assertThat(next.beganAt() - before.beganAt()).isGreaterThanOrEqualTo(LINGER.toNanos());
            } else {
              assertThat(next.beganAt() - before.endedAt()).isLessThan(LINGER.toNanos());
            }
          }
          assertThat(receives.all).hasSizeBetween(40, 2 * 500 / 11 + 1);
          assertThat(rig.queue.calls(CallKind.DELETE).size() - deletes).isBetween(45, 62);
          worker.close();
          rig.checkRules();
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void with_a_linger_a_receive_that_came_back_full_is_followed_at_once(long seed) {
    Rig.run(
        seed,
        rig -> {
          Receives receives = new Receives();
          rig.queue.latency(ROUND_TRIP, ROUND_TRIP);
          rig.send(1_000);
          QueueWorker worker =
              rig.worker()
                  .maxPollers(1)
                  .receiveLinger(Duration.ofSeconds(10))
                  .inlineListener(receives)
                  .handler(delivery -> {})
                  .start();
          rig.awaitEmpty();
          List<Receives.Receive> full =
              receives.all.stream().filter(receive -> receive.received() == receive.asked()).toList();
          assertThat(full).hasSizeGreaterThanOrEqualTo(100);
          for (int i = 1; i < full.size(); i++) {
            assertThat(full.get(i).beganAt() - full.get(i - 1).endedAt()).isLessThan(Duration.ofSeconds(1).toNanos());
          }
          worker.close();
          rig.checkRules();
        });
  }
}
