package io.queueworker.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreakTest {

  private final Streak streak = new Streak();

  @Test
  void powers_of_two_are_told() {
    List<Long> told = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      long count = streak.failed("a");
      if (count > 0) {
        told.add(count);
      }
    }
    assertThat(told).containsExactly(1L, 2L, 4L, 8L, 16L);
    assertThat(streak.worked()).isEqualTo(20);
    assertThat(streak.worked()).isZero();
    assertThat(streak.failed("a")).isEqualTo(1);
  }

  @Test
  void kinds_without_end_are_counted_as_one() {
    int told = 0;
    for (int i = 0; i < 100_000; i++) {
      told += streak.failed("kind " + i) > 0 ? 1 : 0;
    }
    assertThat(told).as("20 kinds, then 1, 2, 4 … 65,536 of the rest").isEqualTo(20 + 17);
    assertThat(streak.worked()).isEqualTo(100_000);
  }

  @Test
  void one_kind_can_be_over_alone() {
    streak.failed("a");
    streak.failed("b");
    streak.worked("a");

    assertThat(streak.failed("a")).isEqualTo(1);
    assertThat(streak.failed("b")).isEqualTo(2);
  }
}
