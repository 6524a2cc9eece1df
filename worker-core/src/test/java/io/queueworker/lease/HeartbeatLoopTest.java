package io.queueworker.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.observe.Permissions;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.ClockGap;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.queue.ScriptedQueue;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** How the heartbeat waits between its ticks, what it tells of time, and what does not end it. */
class HeartbeatLoopTest {

  private final Waits timing = new Waits();
  private final List<WorkerEvent> events = new ArrayList<>();
  private final List<Long> ticks = new ArrayList<>();
  private Consumer<WorkerEvent> listener = events::add;

  private Heartbeat heartbeat(Duration visibility) {
    LeaseTerms terms =
        LeaseTerms.of(visibility, Optional.empty(), Duration.ofHours(11), Duration.ofHours(1), Optional.empty(), true);
    LeaseClock clock = new LeaseClock(timing);
    LeaseRegistry registry = new LeaseRegistry();
    Consumer<WorkerEvent> told = event -> listener.accept(event);
    Losses losses = new Losses(registry, told);
    BeatsRig.SteppedPool pool = new BeatsRig.SteppedPool();
    Extender extender =
        new Extender(new ScriptedQueue(ScriptedQueue.SQS), clock, registry, pool, pool, pool, BeatsRig.TIMEOUT,
            new Permissions(told), losses, told);
    Heartbeat heartbeat = new Heartbeat(timing, clock, registry, extender, () -> terms, losses, pool, 1, told);
    heartbeat.everyTick(ticks::add);
    timing.afterTheLast = heartbeat::stop;
    return heartbeat;
  }

  /** Runs the loop here until it has waited for all that is to happen. */
  private void run(Heartbeat heartbeat) {
    heartbeat.start("beats");
    timing.body.run();
  }

  @Test
  void it_waits_for_an_eighth_of_the_visibility_timeout_within_its_bounds() {
    for (long[] visibilityAndWait : new long[][]{{100, 50}, {1_000, 125}, {30_000, 250}}) {
      timing.waited.clear();
      run(heartbeat(Duration.ofMillis(visibilityAndWait[0])));
      assertThat(timing.waited).containsExactly(Duration.ofMillis(visibilityAndWait[1]).toNanos());
    }
  }

  @Test
  void its_time_begins_with_the_start_and_each_wait_is_followed_by_a_tick() {
    Heartbeat heartbeat = heartbeat(BeatsRig.VISIBILITY);
    timing.pass(Duration.ofHours(1));
    timing.happens(() -> timing.pass(Duration.ofMillis(250)));
    timing.happens(() -> timing.pass(Duration.ofMillis(250)));

    run(heartbeat);

    assertThat(events).isEmpty();
    assertThat(ticks).hasSize(2);
    assertThat(ticks.get(1) - ticks.get(0)).isEqualTo(Duration.ofMillis(250).toNanos());
    assertThat(timing.started).isEqualTo("PLATFORM beats");
  }

  @Test
  void a_stop_wakes_it() {
    run(heartbeat(BeatsRig.VISIBILITY));
    assertThat(timing.signals).isEqualTo(1);
    assertThat(ticks).as("it stops without another tick").isEmpty();
  }

  @Test
  void a_stop_before_it_waits_ends_it_without_a_wait() {
    Heartbeat heartbeat = heartbeat(BeatsRig.VISIBILITY);
    heartbeat.stop();
    run(heartbeat);
    assertThat(timing.waited).isEmpty();
    assertThat(ticks).isEmpty();
  }

  @Test
  void a_standstill_is_told_with_what_the_clocks_say_of_it() {
    timing.happens(() -> timing.pass(Duration.ofSeconds(10)));
    timing.happens(() -> timing.wall = timing.wall.plusSeconds(60));
    run(heartbeat(BeatsRig.VISIBILITY));
    assertThat(events)
        .containsExactly(
            new ClockGap(Duration.ofSeconds(10), "the process did not run"),
            new ClockGap(Duration.ofSeconds(60), "the wall clock leapt ahead"));
    assertThat(ticks).hasSize(2);
  }

  @Test
  void what_fails_beside_the_leases_is_told_and_does_not_end_it() {
    IllegalStateException broken = new IllegalStateException("broken");
    listener =
        event -> {
          if (event instanceof ClockGap) {
            throw broken;
          }
          events.add(event);
        };
    timing.happens(() -> timing.pass(Duration.ofSeconds(10)));
    timing.happens(() -> timing.pass(Duration.ofMillis(250)));
    run(heartbeat(BeatsRig.VISIBILITY));
    assertThat(events).containsExactly(new InternalError("heartbeat", broken));
    assertThat(ticks).hasSize(1);
  }

  @Test
  void a_failure_that_cannot_even_be_told_does_not_end_it() {
    listener =
        event -> {
          throw new StackOverflowError();
        };
    timing.happens(() -> timing.pass(Duration.ofSeconds(10)));
    timing.happens(() -> timing.pass(Duration.ofMillis(250)));
    run(heartbeat(BeatsRig.VISIBILITY));
    assertThat(ticks).hasSize(1);
  }

  @Test
  void an_interrupt_does_not_end_it() {
    timing.happens(
        () -> {
          throw new InterruptedException();
        });
    run(heartbeat(BeatsRig.VISIBILITY));
    assertThat(ticks).hasSize(1);
    assertThat(timing.waited).hasSize(2);
  }

  /** What happens while the heartbeat waits. */
  @FunctionalInterface
  private interface Event {
    void happen() throws InterruptedException;
  }

  /** Clocks that a test moves, and waits in which happens what it says. For one thread. */
  private static final class Waits implements Timing {
    final Queue<Event> events = new ArrayDeque<>();
    final List<Long> waited = new ArrayList<>();
    Runnable afterTheLast = () -> {};
    Runnable body = () -> {};
    String started = "";
    int signals;
    long nanos = Long.MAX_VALUE - 1_000_000;
    Instant wall = Instant.parse("2030-01-01T00:00:00Z");

    void happens(Event event) {
      events.add(event);
    }

    void pass(Duration time) {
      nanos += time.toNanos();
      wall = wall.plus(time);
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public Instant now() {
      return wall;
    }

    @Override
    public double random() {
      throw new UnsupportedOperationException();
    }

    @Override
    public WaitPoint waitPoint(ReentrantLock lock) {
      return new WaitPoint() {
        @Override
        public boolean await(long atMost) throws InterruptedException {
          waited.add(atMost);
          Event event = events.poll();
          if (event == null) {
            afterTheLast.run();
          } else {
            event.happen();
          }
          return event == null;
        }

        @Override
        public void signalAll() {
          signals++;
        }
      };
    }

    @Override
    public WorkerThread start(ThreadKind kind, String name, Runnable run) {
      started = kind + " " + name;
      body = run;
      return new WorkerThread() {
        @Override
        public String name() {
          return name;
        }

        @Override
        public boolean isAlive() {
          return true;
        }

        @Override
        public boolean isCurrent() {
          return true;
        }

        @Override
        public void interrupt() {}
      };
    }

    @Override
    public ThreadPool pool(String name, int threads) {
      throw new UnsupportedOperationException();
    }
  }
}
