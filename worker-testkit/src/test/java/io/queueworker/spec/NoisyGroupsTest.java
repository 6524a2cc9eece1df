package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.patched.PatchedCore;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.engine.NewMessage;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** One group with a backlog on a standard queue, and the others beside it. */
class NoisyGroupsTest {

  private static final Duration LONG = Duration.ofHours(2);

  /** The most handlers of one group at once, when the quiet groups started, and the most receives of one message. */
  record Seen(int most, Duration quietBy, int receives) {}

  private static Seen run(long seed, int noisy, int concurrency, int perGroup) {
    Seen[] seen = new Seen[1];
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").maxReceiveCount(100);
          Trail trail = Trail.in(timing);
          for (int i = 0; i < noisy; i++) {
            queue.send(NewMessage.of("noisy").inGroup("noisy"));
          }
          Map<String, Integer> running = new HashMap<>();
          Map<String, Duration> started = new HashMap<>();
          int[] most = new int[1];
          WorkerBuilder<String> builder =
              QueueWorker.of(queue.connect())
                  .handler(
                      delivery -> {
                        String group = delivery.group().orElseThrow();
                        started.putIfAbsent(group, timing.elapsed());
                        most[0] = Math.max(most[0], running.merge(group, 1, Integer::sum));
                        timing.sleep(Duration.ofSeconds(2));
                        running.merge(group, -1, Integer::sum);
                      })
                  .maxConcurrency(concurrency)
                  .inlineListener(trail)
                  .timing(timing);
          QueueWorker worker = (perGroup > 0 ? builder.maxConcurrencyPerGroup(perGroup) : builder).start();
          timing.advance(Duration.ofSeconds(5));
          Duration sentAt = timing.elapsed();
          for (String quiet : new String[]{"a", "b", "c"}) {
            queue.send(NewMessage.of(quiet).inGroup(quiet));
          }
          timing.await("the queue is empty", queue::isEmpty, LONG);
          worker.close();
          Invariants.check(trail, 2 * concurrency, queue);
          Duration last = Duration.ZERO;
          for (String quiet : new String[]{"a", "b", "c"}) {
            Duration after = started.get(quiet).minus(sentAt);
            last = after.compareTo(last) > 0 ? after : last;
          }
          int receives = trail.of(Received.class).stream().mapToInt(Received::receiveCount).max().orElse(0);
          seen[0] = new Seen(most[0], last, receives);
        });
    return seen[0];
  }

  @Seeds
  void quiet_groups_start_at_once_beside_a_noisy_one_whose_messages_are_received_once(long seed) {
    Seen seen = run(seed, 500, 500, 5);
    assertThat(seen.quietBy()).isLessThan(Duration.ofSeconds(2));
    assertThat(seen.most()).isEqualTo(5);
    assertThat(seen.receives()).isEqualTo(1);
  }

  @Seeds
  void beyond_what_may_wait_messages_go_back_and_quiet_groups_still_start_soon(long seed) {
    Seen seen = run(seed, 100, 10, 2);
    assertThat(seen.quietBy()).isLessThan(Duration.ofSeconds(20));
    assertThat(seen.most()).isEqualTo(2);
    assertThat(seen.receives()).isGreaterThan(1);
  }

  /** How long the quiet groups wait beside a noisy one. */
  public static final class Noise implements Callable<Duration> {
    @Override
    public Duration call() {
      return run(1, 100, 60, 5).quietBy();
    }
  }

  @Test
  void a_worker_whose_waiting_messages_keep_their_permits_makes_quiet_groups_wait() throws Exception {
    PatchedCore keeping =
        PatchedCore.with(
            "io.queueworker.handle.GroupPlaces", "permit.park();", "");
    assertThat((Duration) keeping.create(Noise.class, Callable.class).call()).isGreaterThan(Duration.ofSeconds(3));
    assertThat(new Noise().call()).isLessThan(Duration.ofSeconds(3));
  }

  @Test
  void on_a_fifo_queue_the_setting_is_refused() {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.fifo(timing, "orders.fifo");
          assertThatThrownBy(
              () -> QueueWorker.of(queue.connect()).handler(delivery -> {}).maxConcurrencyPerGroup(2).build())
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("maxConcurrencyPerGroup is 2");
        });
  }
}
