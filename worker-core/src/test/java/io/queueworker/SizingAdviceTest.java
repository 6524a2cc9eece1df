package io.queueworker;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.SizingAdvice.Advice;
import io.queueworker.SizingAdvice.Verdict;
import io.queueworker.observe.Durations;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizingAdviceTest {

  private static final Durations QUICK =
      new Durations(10_000, millis(800), millis(900), millis(1000), millis(1500), millis(4000));
  private static final Durations SLOW =
      new Durations(500, seconds(45), seconds(300), seconds(600), seconds(700), seconds(900));

  @Test
  void the_advice_follows_its_formulas() {
    assertThat(SizingAdvice.of(QUICK, seconds(30), true).advice())
        .as("1.5 × 1 s + 3 s rounded up; at least 30 s; at least 1 min")
        .contains(new Advice(seconds(5), seconds(30), seconds(60)));
    assertThat(SizingAdvice.of(SLOW, seconds(30), true).advice())
        .as("1.5 × 600 s + 3 s; 2 × 45 s; 2 × 900 s")
        .contains(new Advice(seconds(903), seconds(90), seconds(1800)));
  }

  @Test
  void the_advice_stays_within_the_services_and_the_workers_limits() {
    Duration tenHours = Duration.ofHours(10);
    Durations endless = new Durations(299, tenHours, tenHours, tenHours, tenHours, tenHours);

    assertThat(SizingAdvice.of(endless, seconds(30), true).advice())
        .contains(new Advice(Duration.ofHours(12), seconds(120), Duration.ofHours(11).plusMinutes(50)));
  }

  @ParameterizedTest
  @CsvSource({
    "298, TOO_FEW_SAMPLES",
    "299, FITS",
    "0, TOO_FEW_SAMPLES",
  })
  void a_verdict_needs_299_samples(long count, Verdict expected) {
    Durations durations = new Durations(count, seconds(1), seconds(1), seconds(1), seconds(1), seconds(1));

    SizingAdvice sizing = SizingAdvice.of(durations, seconds(30), false);

    assertThat(sizing.verdict()).isEqualTo(expected);
    assertThat(sizing.advice().isPresent()).isEqualTo(count >= 299);
  }

  @ParameterizedTest
  @CsvSource({
    "4, TOO_SHORT",
    "5, FITS",
    "60, FITS",
    "61, TOO_LONG",
  })
  void a_quick_handler_without_heartbeat_is_judged_by_its_p99(long visibility, Verdict expected) {
    assertThat(SizingAdvice.of(QUICK, seconds(visibility), false).verdict()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "902, TOO_SHORT",
    "903, FITS",
    "3612, FITS",
    "3613, TOO_LONG",
  })
  void a_slow_handler_without_heartbeat_is_judged_by_its_p99(long visibility, Verdict expected) {
    assertThat(SizingAdvice.of(SLOW, seconds(visibility), false).verdict()).isEqualTo(expected);
  }

  @Test
  void the_longest_visibility_timeout_is_not_too_short_when_nothing_longer_exists() {
    Duration tenHours = Duration.ofHours(10);
    Durations endless = new Durations(299, tenHours, tenHours, tenHours, tenHours, tenHours);

    assertThat(SizingAdvice.of(endless, Duration.ofHours(12), false).verdict()).isEqualTo(Verdict.FITS);
  }

  @ParameterizedTest
  @CsvSource({
    "9, TOO_SHORT",
    "10, FITS",
    "30, FITS",
    "360, FITS",
    "361, TOO_LONG",
  })
  void with_the_heartbeat_a_short_visibility_timeout_fits_however_long_handlers_take(long visibility,
      Verdict expected) {
    assertThat(SizingAdvice.of(SLOW, seconds(visibility), true).verdict()).isEqualTo(expected);
  }

  @Test
  void the_text_tells_a_person_what_was_measured_and_what_fits() {
    SizingAdvice sizing = SizingAdvice.of(SLOW, seconds(30), false);

    assertThat(sizing.text().lines())
        .containsExactly(
            "500 messages in the last hour took p50 45 s, p90 5 min, p99 10 min, p99.9 11 min 40 s, max 15 min.",
            "Today's visibility timeout of 30 s without the heartbeat is too short:"
                + " messages can come back while they are being handled.",
            "Advice with the heartbeat: visibility timeout 1 min 30 s."
                + " Without extensions: 15 min 3 s. maxProcessingTime: 30 min.");
    assertThat(sizing).hasToString(sizing.text());
  }

  @Test
  void the_text_says_when_there_are_too_few_samples() {
    Durations few = new Durations(12, seconds(1), seconds(1), seconds(1), seconds(1), seconds(1));

    assertThat(SizingAdvice.of(few, seconds(30), true).text().lines())
        .containsExactly(
            "12 messages committed in the last hour, at least 299 are needed.",
            "Today's visibility timeout of 30 s with the heartbeat cannot be judged yet.");
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }
}
