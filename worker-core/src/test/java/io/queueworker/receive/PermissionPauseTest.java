package io.queueworker.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.observe.Permissions;
import io.queueworker.observe.Permissions.Call;
import io.queueworker.timing.SetClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PermissionPauseTest {

  private final Permissions permissions = new Permissions(event -> {});
  private final Pauses pauses = new Pauses(new SetClock(), event -> {});
  private final PermissionPause pause = new PermissionPause(permissions, pauses);
  private long now = Long.MAX_VALUE - 5;

  @Test
  void each_probe_that_is_denied_again_doubles_the_pause_up_to_five_minutes() {
    deny();
    tick(0);
    for (int seconds : new int[]{30, 60, 120, 240, 300, 300}) {
      deny();
      assertThat(pausedAfter(seconds - 1)).isTrue();
      assertThat(pausedAfter(1)).isFalse();
      assertThat(pausedAfter(3_600)).as("nothing was denied since").isFalse();
      deny();
      assertThat(pausedAfter(0)).isTrue();
    }
  }

  @Test
  void an_allowed_call_ends_it_and_the_next_denial_starts_anew() {
    deny();
    assertThat(pausedAfter(0)).isTrue();
    permissions.allowed(Call.EXTEND);
    assertThat(pausedAfter(0)).as("another kind of call").isTrue();
    permissions.allowed(Call.DELETE);
    assertThat(pausedAfter(0)).isFalse();
    deny();
    assertThat(pausedAfter(0)).isTrue();
    assertThat(pausedAfter(30)).isFalse();
  }

  private void deny() {
    permissions.denied(Call.DELETE, "sqs:DeleteMessage");
  }

  private void tick(int seconds) {
    now += Duration.ofSeconds(seconds).toNanos();
    pause.tick(now);
  }

  private boolean pausedAfter(int seconds) {
    tick(seconds);
    return !pauses.reasons().isEmpty();
  }
}
