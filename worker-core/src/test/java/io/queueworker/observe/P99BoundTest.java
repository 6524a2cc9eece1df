package io.queueworker.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class P99BoundTest {

  /** The sample sizes at which the next lower sample takes over, as tables of tolerance limits for 99 % and 95 % give them. */
  @ParameterizedTest
  @CsvSource({
    "299, 1",
    "472, 1",
    "473, 2",
    "627, 2",
    "628, 3",
    "772, 3",
    "773, 4",
    "912, 4",
    "913, 5",
  })
  void the_rank_is_the_one_of_the_tables(long samples, long rank) {
    assertThat(P99Bound.rankFromTop(samples)).isEqualTo(rank);
  }

  @Test
  void above_50_000_samples_the_normal_distribution_goes_on_where_the_sum_ends() {
    long summed = P99Bound.rankFromTop(50_000);

    assertThat(P99Bound.rankFromTop(50_001)).isBetween(summed - 1, summed + 1);
    assertThat(P99Bound.rankFromTop(1_000_000)).isBetween(9_800L, 9_850L);
  }
}
