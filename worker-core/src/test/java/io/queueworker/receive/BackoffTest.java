package io.queueworker.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.timing.SetClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {

  private final SetClock clock = new SetClock();
  private final Backoff backoff = new Backoff(clock);

  @Test
  void the_pause_doubles_from_200_ms_to_30_s_and_stays_there() {
    assertThat(backoff.left()).isZero();
    assertThat(fail().length()).isEqualTo(Duration.ofMillis(150));
    assertThat(backoff.left()).isEqualTo(Duration.ofMillis(150).toNanos());
    assertThat(fail().length()).isEqualTo(Duration.ofMillis(300));
    assertThat(fail()).isEqualTo(new Backoff.Pause(3, Duration.ofMillis(600)));
    for (int i = 4; i < 10_000; i++) {
      fail();
    }
    assertThat(fail()).isEqualTo(new Backoff.Pause(10_000, Duration.ofMillis(22_500)));
    clock.now += Duration.ofMillis(22_500).toNanos();
    assertThat(backoff.left()).isZero();
  }

  @Test
  void the_first_success_ends_it() {
    fail();
    fail();
    backoff.succeeded();
    assertThat(backoff.left()).isZero();
    assertThat(fail().inARow()).isEqualTo(1);
  }

  @Test
  void calls_that_were_under_way_together_count_once() {
    int known = backoff.inARow();
    assertThat(backoff.failed(known).inARow()).isEqualTo(1);
    assertThat(backoff.failed(known).inARow()).isEqualTo(1);
    int later = backoff.inARow();
    assertThat(backoff.failed(later).inARow()).isEqualTo(2);
    // One that was sent before the others failed, and answered after a success.
    backoff.succeeded();
    assertThat(backoff.failed(later).inARow()).isEqualTo(1);
  }

  private Backoff.Pause fail() {
    return backoff.failed(backoff.inARow());
  }
}
