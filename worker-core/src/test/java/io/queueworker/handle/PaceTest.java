package io.queueworker.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.UserCodeFailed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaceTest {

  private final List<WorkerEvent> events = new ArrayList<>();
  private long now;

  private RateLimiter limiter(int permissions, Duration period, Duration timeout) {
    return RateLimiter.of(
        "calls",
        RateLimiterConfig.custom()
            .limitForPeriod(permissions)
            .limitRefreshPeriod(period)
            .timeoutDuration(timeout)
            .drainPermissionsOnResult(
                result -> result.isLeft() && result.getLeft() instanceof IOException)
            .build(),
        () -> now);
  }

  private Pace pace(int permissions, Duration period, Duration timeout) {
    return new Pace(limiter(permissions, period, timeout), events::add);
  }

  @Test
  void there_is_room_for_what_can_start_within_a_second_less_what_waits() {
    Pace pace = pace(10, Duration.ofMillis(100), Duration.ofMinutes(1));
    assertThat(pace.room()).isEqualTo(10 + 100);
    for (int i = 0; i < 30; i++) {
      assertThat(pace.take()).isEqualTo(Duration.ofMillis(i / 10 * 100L).toNanos());
    }
    assertThat(pace.room()).isEqualTo(100 - 20);
    now = Duration.ofMillis(100).toNanos();
    assertThat(pace.room()).isEqualTo(100 - 10);
  }

  @Test
  void a_slow_rate_leaves_room_only_for_what_can_start_now() {
    Pace pace = pace(2, Duration.ofMinutes(1), Duration.ofMinutes(10));
    assertThat(pace.room()).isEqualTo(2);
    pace.take();
    pace.take();
    assertThat(pace.room()).isZero();
    assertThat(pace.pause()).isEqualTo(Duration.ofMillis(250).toNanos());
  }

  @Test
  void nothing_is_received_for_what_the_limiter_would_not_wait_for() {
    Pace pace = pace(1, Duration.ofMillis(100), Duration.ZERO);
    assertThat(pace.room()).isEqualTo(1);
    assertThat(pace.take()).isZero();
    assertThat(pace.take()).isNegative();
    assertThat(pace.room()).isZero();
    assertThat(pace.pause()).isEqualTo(Duration.ofMillis(10).toNanos());
  }

  @Test
  void a_rate_without_end_leaves_room_for_all() {
    assertThat(pace(Integer.MAX_VALUE, Duration.ofNanos(1), Duration.ofMinutes(1)).room())
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void the_limiter_hears_of_outcomes_and_may_take_its_permissions() {
    RateLimiter limiter = limiter(10, Duration.ofMinutes(1), Duration.ZERO);
    Pace pace = new Pace(limiter, events::add);
    pace.succeeded();
    pace.failed(new IllegalStateException("no reason"));
    assertThat(limiter.getMetrics().getAvailablePermissions()).isEqualTo(10);
    pace.failed(new IOException("429 from the service"));
    assertThat(limiter.getMetrics().getAvailablePermissions()).isZero();
    assertThat(pace.words()).isEqualTo("rate limiter calls: 10 per PT1M");
  }

  @Test
  void a_listener_of_the_limiter_that_throws_is_told_of_and_the_permission_counts() {
    RateLimiter limiter = limiter(10, Duration.ofMinutes(1), Duration.ZERO);
    limiter.getEventPublisher().onSuccess(
        event -> {
          throw new IllegalStateException("broken listener");
        });
    Pace pace = new Pace(limiter, events::add);
    assertThat(pace.take()).isZero();
    assertThat(limiter.getMetrics().getAvailablePermissions()).isEqualTo(9);
    assertThat(events).singleElement().isInstanceOfSatisfying(
        UserCodeFailed.class, failed -> assertThat(failed.where()).contains("rate limiter"));
  }
}
