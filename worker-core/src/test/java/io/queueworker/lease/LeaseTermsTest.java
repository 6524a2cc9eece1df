package io.queueworker.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long an extension may be. */
class LeaseTermsTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long HOUR = 3_600 * SECOND;
  private static final LeaseTerms TERMS =
      LeaseTerms.of(
          Duration.ofSeconds(30),
          Optional.of(Duration.ofHours(12)),
          Duration.ofHours(11),
          Duration.ofHours(1),
          Optional.empty(),
          true);

  @Test
  void a_tenth_is_taken_off_up_to_two_seconds() {
    assertThat(LeaseTerms.margin(10 * SECOND)).isEqualTo(SECOND);
    assertThat(LeaseTerms.margin(60 * SECOND)).isEqualTo(2 * SECOND);
  }

  @Test
  void an_extension_asks_for_whole_seconds() {
    assertThat(TERMS.grant(30 * SECOND, 0, 0)).isEqualTo(30 * SECOND);
    assertThat(TERMS.grant(30 * SECOND + 1, 0, 0)).isEqualTo(31 * SECOND);
  }

  @Test
  void an_extension_stays_within_the_services_cap() {
    assertThat(TERMS.capLeft(0)).isEqualTo(12 * HOUR - 5 * SECOND);
    assertThat(TERMS.grant(60 * SECOND, 12 * HOUR - 25 * SECOND, 0)).isEqualTo(20 * SECOND);
    assertThat(TERMS.grant(60 * SECOND, 12 * HOUR - 4 * SECOND, 0)).isNegative();
  }

  @Test
  void an_extension_reaches_past_the_end_of_the_hold_by_its_margin_only() {
    assertThat(TERMS.grant(60 * SECOND, 0, 11 * HOUR - 4 * SECOND)).isEqualTo(5 * SECOND);
    assertThat(TERMS.grant(60 * SECOND, 0, 11 * HOUR - 9 * SECOND)).isEqualTo(11 * SECOND);
    assertThat(TERMS.grant(60 * SECOND, 0, 11 * HOUR - 36 * SECOND)).isEqualTo(38 * SECOND);
  }
}
