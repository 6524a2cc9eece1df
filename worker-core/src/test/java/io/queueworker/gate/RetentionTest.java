package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetentionTest {
  private static final Duration DAY = Duration.ofDays(1);

  @Test
  void forty_five_days_are_safe_for_every_queue_and_less_is_refused_with_a_way_out() {
    assertThat(Retention.of(Duration.ofDays(45)).kept()).isEqualTo(Duration.ofDays(45));
    assertThat(Retention.of(Duration.ofDays(400)).kept()).isEqualTo(Duration.ofDays(400));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retention.of(Duration.ofDays(45).minusNanos(1)))
        .withMessageContaining("PT1079H59M59.999999999S")
        .withMessageContaining("PT1080H")
        .withMessageContaining("Retention.forQueue(queue, deadLetters, maxHold)");
  }

  @Test
  void a_queues_own_settings_give_the_floor() {
    Retention fourDays = Retention.forQueue(DAY.multipliedBy(4), DAY.multipliedBy(14), Duration.ofHours(12));
    assertThat(fourDays.kept()).isEqualTo(Duration.ofDays(22).plusHours(12));
    assertThat(fourDays.keep(Duration.ofDays(30)).kept()).isEqualTo(Duration.ofDays(30));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> fourDays.keep(Duration.ofDays(22)))
        .withMessageContaining("PT528H")
        .withMessageContaining("PT540H");
  }

  @Test
  void the_default_floor_is_above_that_of_the_longest_settings() {
    Retention longest = Retention.forQueue(DAY.multipliedBy(14), DAY.multipliedBy(14), Duration.ofHours(12));
    assertThat(longest.kept()).isLessThan(Duration.ofDays(45));
  }

  @Test
  void settings_that_no_queue_has_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retention.forQueue(Duration.ofSeconds(59), Duration.ZERO, Duration.ZERO))
        .withMessageContaining("queue's retention is PT59S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retention.forQueue(DAY, Duration.ofDays(15), Duration.ZERO))
        .withMessageContaining("dead-letter queue's retention is PT360H");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retention.forQueue(DAY, DAY, Duration.ofHours(-1)))
        .withMessageContaining("maxHold is PT-1H");
  }
}
