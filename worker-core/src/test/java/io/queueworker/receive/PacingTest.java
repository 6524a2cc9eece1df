package io.queueworker.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.PauseReason;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.Paused;
import io.queueworker.observe.WorkerEvent.Resumed;
import io.queueworker.timing.SetClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacingTest {

  private static final long START = Long.MAX_VALUE - 5;

  private final List<WorkerEvent> events = new ArrayList<>();
  private final Pauses pauses = new Pauses(new SetClock(), events::add);
  private int room;
  private final Pacing pacing = new Pacing(pauses, () -> room, () -> 7, "ten per second");

  @Test
  void a_receive_asks_for_what_there_is_room_for_less_what_others_have_asked_for() {
    room = 25;
    assertThat(pacing.most(10, 0, START)).isEqualTo(10);
    assertThat(pacing.most(10, 20, START)).isEqualTo(5);
    assertThat(pacing.most(10, 25, START)).isZero();
    room = Integer.MIN_VALUE;
    assertThat(pacing.most(10, Integer.MAX_VALUE, START)).isZero();
    assertThat(pacing.pause()).isEqualTo(7);
  }

  @Test
  void it_is_told_of_once_and_until_nothing_was_paced_for_thirty_seconds() {
    room = 1;
    pacing.most(10, 0, START);
    pacing.tick(START);
    assertThat(events).as("a smaller receive is no pause").isEmpty();
    room = 0;
    for (int second = 0; second < 100; second++) {
      pacing.most(10, 0, at(second));
      pacing.tick(at(second));
    }
    assertThat(events).containsExactly(new Paused(PauseReason.RATE_LIMITED, "ten per second"));
    room = 1;
    pacing.most(10, 0, at(100));
    pacing.tick(at(128));
    assertThat(pauses.reasons()).containsOnlyKeys(PauseReason.RATE_LIMITED);
    pacing.tick(at(129));
    pacing.tick(at(130));
    assertThat(events).endsWith(new Resumed(PauseReason.RATE_LIMITED)).hasSize(2);
  }

  @Test
  void without_a_rate_a_receive_asks_for_a_full_batch() {
    Pacing none = Pacing.none(pauses);
    assertThat(none.most(10, 1_000, START)).isEqualTo(10);
    none.tick(START);
    assertThat(events).isEmpty();
  }

  private static long at(int second) {
    return START + Duration.ofSeconds(second).toNanos();
  }
}
