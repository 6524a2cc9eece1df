package io.queueworker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.testkit.simulation.SimulatedTiming;
import io.queueworker.timing.Timing.ThreadKind;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TrailTest {

  private static final EventContext HERE = new EventContext("orders", "w1", Instant.EPOCH, 0);
  private static final WorkerEvent RECEIVED = new WorkerEvent.Received("m1", 1, Duration.ofSeconds(30));
  private static final WorkerEvent OTHER = new WorkerEvent.Received("m2", 1, Duration.ofSeconds(30));
  private static final WorkerEvent DELETED = new WorkerEvent.Deleted("m1", 1, Duration.ZERO);

  @Test
  void it_keeps_events_in_order_and_finds_them_by_message_and_kind() {
    Trail trail = Trail.create();
    trail.onEvent(HERE, RECEIVED);
    trail.onEvent(HERE, OTHER);
    trail.onEvent(HERE, DELETED);
    assertThat(trail.events()).containsExactly(RECEIVED, OTHER, DELETED);
    assertThat(trail.of("m1")).containsExactly(RECEIVED, DELETED);
    assertThat(trail.kinds("m1")).containsExactly("Received", "Deleted");
    assertThat(trail.count(WorkerEvent.Received.class)).isEqualTo(2);
    assertThat(trail.of(WorkerEvent.Received.class, "m2")).containsExactly((WorkerEvent.Received) OTHER);
    assertThat(trail.texts().get(2)).startsWith("w1 Deleted[messageId=m1");
  }

  @Test
  void it_waits_for_an_event_of_another_thread() {
    Trail trail = Trail.create();
    Thread.ofVirtual().start(() -> trail.onEvent(HERE, DELETED));
    trail.awaitCount(WorkerEvent.Deleted.class, 1, Duration.ofSeconds(30));
    assertThat(trail.of("m1")).containsExactly(DELETED);
  }

  @Test
  void a_wait_for_what_never_comes_fails_with_its_words_and_what_came() {
    Trail trail = Trail.create();
    trail.onEvent(HERE, RECEIVED);
    assertThatThrownBy(() -> trail.awaitCount(WorkerEvent.Deleted.class, 1, Duration.ofMillis(1)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("1 times Deleted")
        .hasMessageContaining("Received[messageId=m1");
  }

  @Test
  void in_a_simulation_it_ends_with_the_body() {
    Trail[] kept = new Trail[1];
    SimulatedTiming.run(
        1,
        timing -> {
          Trail trail = Trail.in(timing);
          kept[0] = trail;
          timing.start(ThreadKind.VIRTUAL, "worker", () -> {
            trail.onEvent(HERE, RECEIVED);
            try {
              timing.advance(Duration.ofHours(1));
            } finally {
              trail.onEvent(HERE, DELETED);
            }
          });
          timing.sleep(Duration.ofSeconds(1));
        });
    assertThat(kept[0].events()).containsExactly(RECEIVED);
  }
}
