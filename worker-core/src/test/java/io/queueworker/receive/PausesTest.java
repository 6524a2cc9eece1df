package io.queueworker.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.PauseReason;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.Paused;
import io.queueworker.observe.WorkerEvent.Resumed;
import io.queueworker.timing.SetClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PausesTest {

  private final List<WorkerEvent> events = new ArrayList<>();
  private final Pauses pauses = new Pauses(new SetClock(), events::add);

  @Test
  void a_receive_starts_only_while_no_reason_holds() {
    assertThat(starts()).isTrue();
    pauses.add(PauseReason.BY_HAND, "pause() was called");
    pauses.add(PauseReason.GATE_UNAVAILABLE, "no connection");
    assertThat(starts()).isFalse();
    pauses.remove(PauseReason.BY_HAND);
    assertThat(starts()).isFalse();
    assertThat(pauses.reasons()).containsOnlyKeys(PauseReason.GATE_UNAVAILABLE);
    pauses.remove(PauseReason.GATE_UNAVAILABLE);
    assertThat(starts()).isTrue();
    pauses.close();
    assertThat(starts()).isFalse();
    assertThat(pauses.awaitNone()).isFalse();
  }

  @Test
  void each_reason_is_told_once_however_often_it_is_added_or_removed() {
    pauses.add(PauseReason.BY_HAND, "first");
    pauses.add(PauseReason.BY_HAND, "second");
    pauses.remove(PauseReason.BY_HAND);
    pauses.remove(PauseReason.BY_HAND);
    assertThat(events).containsExactly(new Paused(PauseReason.BY_HAND, "first"), new Resumed(PauseReason.BY_HAND));
  }

  @Test
  void a_sleep_ends_at_its_time_and_none_begins_once_closed() {
    SetClock clock = new SetClock();
    pauses.sleep(0, clock);
    pauses.sleep(-1, clock);
    pauses.close();
    // The clock stands: a sleep that waited for it would not end.
    pauses.sleep(Long.MAX_VALUE / 2, clock);
    assertThat(starts()).isFalse();
  }

  @Test
  void what_waits_for_the_last_reason_to_go_goes_on_at_once_when_there_is_none() {
    assertThat(pauses.awaitNone()).isTrue();
    pauses.add(PauseReason.BY_HAND, "pause() was called");
    Thread.currentThread().interrupt();
    assertThat(pauses.awaitNone()).as("the caller asks again").isTrue();
    assertThat(Thread.interrupted()).as("a poll thread goes on after an interrupt").isFalse();
  }

  @Test
  void an_open_breaker_lets_one_receive_through_for_as_many_messages_as_it_permits() {
    pauses.add(PauseReason.BREAKER_OPEN, "open");
    assertThat(pauses.most()).isZero();
    pauses.allowProbes(3);
    assertThat(pauses.most()).isEqualTo(3);
    assertThat(pauses.awaitNone()).isTrue();
    assertThat(pauses.tryStart(4, () -> {})).as("more than it permits").isFalse();
    assertThat(pauses.tryStart(3, () -> {})).isTrue();
    assertThat(pauses.tryStart(1, () -> {})).as("a second receive").isFalse();
  }

  @Test
  void an_open_breaker_lets_nothing_through_while_there_is_another_reason() {
    pauses.add(PauseReason.BREAKER_OPEN, "open");
    pauses.add(PauseReason.BY_HAND, "pause() was called");
    pauses.allowProbes(3);
    assertThat(pauses.most()).isZero();
    assertThat(starts()).isFalse();
    pauses.remove(PauseReason.BY_HAND);
    assertThat(starts()).isTrue();
  }

  @Test
  void what_a_breaker_permitted_is_void_when_it_has_closed_or_takes_it_back() {
    pauses.allowProbes(3);
    pauses.add(PauseReason.BREAKER_OPEN, "open");
    assertThat(pauses.most()).as("permitted before it opened").isZero();
    pauses.allowProbes(3);
    pauses.allowProbes(0);
    assertThat(starts()).isFalse();
    pauses.allowProbes(3);
    pauses.remove(PauseReason.BREAKER_OPEN);
    pauses.add(PauseReason.BREAKER_OPEN, "open again");
    assertThat(starts()).isFalse();
  }

  @Test
  void a_rate_that_paces_receiving_does_not_stop_it() {
    pauses.add(PauseReason.RATE_LIMITED, "ten per second");
    assertThat(pauses.reasons()).containsOnlyKeys(PauseReason.RATE_LIMITED);
    assertThat(pauses.awaitNone()).isTrue();
    assertThat(pauses.most()).isEqualTo(Integer.MAX_VALUE);
    assertThat(starts()).isTrue();
  }

  private boolean starts() {
    int[] started = new int[1];
    boolean answer = pauses.tryStart(1, () -> started[0]++);
    assertThat(started[0]).isEqualTo(answer ? 1 : 0);
    return answer;
  }
}
