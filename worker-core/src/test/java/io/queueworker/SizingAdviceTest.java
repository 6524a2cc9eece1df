package io.queueworker;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.SizingAdvice.Advice;
import io.queueworker.SizingAdvice.Extensions;
import io.queueworker.SizingAdvice.Verdict;
import io.queueworker.observe.DurationHistogram;
import io.queueworker.observe.Durations;
import io.queueworker.observe.Estimate;
import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Durations here are such that the upper ends of their buckets are whole, or round up to the same second. */
class SizingAdviceTest {

  /** 95 in 100 at 200 ms, 5 at 6 s. */
  private static Durations quick() {
    return durations(950, millis(200), 50, seconds(6));
  }

  /** 95 in 100 at 45 s, 5 at 600 s. */
  private static Durations slow() {
    return durations(950, seconds(45), 50, seconds(600));
  }

  @Test
  void the_advice_follows_its_formulas() {
    assertThat(SizingAdvice.of(quick(), seconds(30), true).advice())
        .as("1.5 × 6 s + 3 s and a percent, rounded up; at least 30 s; at least 1 min; at least 25 s")
        .contains(
            new Advice(exactly(13), seconds(30), new Extensions(0, 0, 0, false), exactly(60), exactly(25)));
    assertThat(SizingAdvice.of(slow(), seconds(30), true).advice())
        .as("1.5 × 602.111 s + 3 s; 2 × 45.055 s; beats every 45.5 s, 13 before 600 s; 2 × 602.111 s; 602.111 s + 3 s + 5 s")
        .contains(
            new Advice(exactly(907), seconds(91), new Extensions(50, 650, 65, false), exactly(1205), exactly(611)));
  }

  @Test
  void a_delete_takes_what_it_was_measured_to_take() {
    DurationHistogram histogram = filled(950, millis(200), 50, seconds(6));
    for (int i = 0; i < 100; i++) {
      histogram.onEvent(
          new EventContext("orders", "w1", Instant.EPOCH, 0), new WorkerEvent.Deleted("m" + i, 1, seconds(20)));
    }

    assertThat(SizingAdvice.of(histogram.snapshot(0), seconds(30), false).advice().orElseThrow())
        .returns(exactly(30), Advice::visibilityWithoutExtensions)
        .returns(exactly(32), Advice::drainTimeout);
  }

  @Test
  void the_advice_stays_within_the_services_and_the_workers_limits() {
    Duration tenHours = Duration.ofHours(10);
    Advice advice =
        SizingAdvice.of(durations(299, tenHours, 0, tenHours), seconds(30), true).advice().orElseThrow();

    assertThat(advice.visibilityWithoutExtensions()).isEqualTo(Estimate.exactly(Duration.ofHours(12)));
    assertThat(advice.visibilityWithHeartbeat()).isEqualTo(seconds(120));
    assertThat(advice.maxProcessingTime()).isEqualTo(Estimate.exactly(Duration.ofHours(11).plusMinutes(50)));
  }

  @Test
  void S20_a_long_p99_makes_budgets_longer_but_not_the_visibility_timeout_of_a_heartbeat() {
    Durations quick = durations(950, seconds(1), 50, seconds(2));
    Durations withLongTail = durations(950, seconds(1), 50, seconds(600));

    Advice before = SizingAdvice.of(quick, seconds(30), true).advice().orElseThrow();
    Advice after = SizingAdvice.of(withLongTail, seconds(30), true).advice().orElseThrow();

    assertThat(after.visibilityWithHeartbeat()).isEqualTo(before.visibilityWithHeartbeat()).isEqualTo(seconds(30));
    assertThat(after.visibilityWithoutExtensions().value()).isGreaterThan(seconds(900));
    assertThat(after.maxProcessingTime().value()).isGreaterThan(seconds(1200));
    assertThat(after.drainTimeout().value()).isGreaterThan(seconds(600));
    assertThat(SizingAdvice.of(withLongTail, seconds(30), true).verdict()).isEqualTo(Verdict.FITS);
    assertThat(SizingAdvice.of(withLongTail, seconds(900), true).verdict()).isEqualTo(Verdict.TOO_LONG);
  }

  @ParameterizedTest
  @CsvSource({
    "298, TOO_FEW_SAMPLES",
    "299, FITS",
    "0, TOO_FEW_SAMPLES",
  })
  void a_verdict_needs_299_samples(int count, Verdict expected) {
    SizingAdvice sizing = SizingAdvice.of(durations(count, seconds(1), 0, seconds(1)), seconds(30), false);

    assertThat(sizing.verdict()).isEqualTo(expected);
    assertThat(sizing.advice().isPresent()).isEqualTo(count >= 299);
  }

  @ParameterizedTest
  @CsvSource({
    "12, TOO_SHORT",
    "13, FITS",
    "60, FITS",
    "61, TOO_LONG",
  })
  void a_quick_handler_without_heartbeat_is_judged_by_its_p99(long visibility, Verdict expected) {
    assertThat(SizingAdvice.of(quick(), seconds(visibility), false).verdict()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "906, TOO_SHORT",
    "907, FITS",
    "3628, FITS",
    "3629, TOO_LONG",
  })
  void a_slow_handler_without_heartbeat_is_judged_by_its_p99(long visibility, Verdict expected) {
    assertThat(SizingAdvice.of(slow(), seconds(visibility), false).verdict()).isEqualTo(expected);
  }

  @Test
  void the_longest_visibility_timeout_is_not_too_short_when_nothing_longer_exists() {
    Durations endless = durations(299, Duration.ofHours(10), 0, seconds(1));

    assertThat(SizingAdvice.of(endless, Duration.ofHours(12), false).verdict()).isEqualTo(Verdict.FITS);
  }

  @ParameterizedTest
  @CsvSource({
    "9, TOO_SHORT",
    "10, FITS",
    "30, FITS",
    "364, FITS",
    "365, TOO_LONG",
  })
  void with_the_heartbeat_a_short_visibility_timeout_fits_however_long_handlers_take(long visibility,
      Verdict expected) {
    assertThat(SizingAdvice.of(slow(), seconds(visibility), true).verdict()).isEqualTo(expected);
  }

  @Test
  void advice_that_rests_on_unfinished_runs_is_a_lower_limit() {
    DurationHistogram histogram = filled(400, seconds(1), 0, seconds(1));
    for (int i = 0; i < 20; i++) {
      histogram.cutOff(seconds(600).toNanos(), 0);
    }
    Durations measured = histogram.snapshot(0);

    SizingAdvice short30 = SizingAdvice.of(measured, seconds(30), false);

    Advice advice = short30.advice().orElseThrow();
    assertThat(short30.verdict()).isEqualTo(Verdict.TOO_SHORT);
    assertThat(advice.visibilityWithoutExtensions().atLeast()).isTrue();
    assertThat(advice.visibilityWithoutExtensions().value()).isBetween(seconds(890), seconds(903));
    assertThat(advice.maxProcessingTime().atLeast()).isTrue();
    assertThat(advice.drainTimeout().atLeast()).isTrue();
    assertThat(advice.extensions().atLeast()).isTrue();
    assertThat(advice.extensions().messages()).isEqualTo(48);
    assertThat(SizingAdvice.of(measured, Duration.ofHours(5), false).verdict())
        .as("who knows how long they would have taken")
        .isEqualTo(Verdict.UNDECIDED);
    assertThat(short30.text())
        .contains("p99 at least 9 min 5", "(no upper bound: too many of the slowest did not finish)")
        .contains("Advice without extensions: visibility timeout at least ")
        .contains("; at least 48 of 1,000 messages need extensions");
    assertThat(SizingAdvice.of(measured, Duration.ofHours(5), false).text())
        .contains("without the heartbeat is enough for the runs that finished; what the slowest need is not known");
  }

  @Test
  void the_text_tells_a_person_what_was_measured_and_what_fits() {
    SizingAdvice sizing = SizingAdvice.of(slow(), seconds(30), false);

    assertThat(sizing.text().lines())
        .containsExactly(
            "1,000 runs committed in the last hour; 0 were cut off, 0 still run, 0 failed, 0 were suppressed.",
            "From lease start to commit: p50 45.1 s, p90 45.1 s, p99 10 min 2 s (with 95 % confidence at most 10 min 2 s),"
                + " p99.9 10 min 2 s, max 10 min 2 s.",
            "Today's visibility timeout of 30 s without the heartbeat is too short:"
                + " messages can come back while they are being handled.",
            "Advice without extensions: visibility timeout 15 min 7 s.",
            "Advice with the heartbeat: visibility timeout 1 min 31 s; 50 of 1,000 messages need extensions, 650 all"
                + " together: 65 to 650 requests more per 1,000 messages.",
            "Advice for both: maxProcessingTime 20 min 5 s, drainTimeout 10 min 11 s.");
    assertThat(sizing).hasToString(sizing.text());
  }

  @Test
  void the_text_says_when_there_are_too_few_samples() {
    assertThat(SizingAdvice.of(durations(12, seconds(1), 0, seconds(1)), seconds(30), true).text().lines())
        .containsExactly(
            "12 runs committed in the last hour; 0 were cut off, 0 still run, 0 failed, 0 were suppressed.",
            "From lease start to commit: p50 1 s, p90 1 s, p99 1 s, p99.9 1 s, max 1 s.",
            "Advice needs 299 samples, of which runs that did not finish are a part at most; there are 12.",
            "Today's visibility timeout of 30 s with the heartbeat cannot be judged yet.");
  }

  @Test
  void the_JSON_carries_everything() {
    assertThat(SizingAdvice.of(quick(), seconds(30), false).json())
        .isEqualTo(
            """
                {"measured":{"committed":1000,"cutOff":0,"running":0,"failed":0,"suppressed":0,"samples":1000,\
                "p50":{"millis":200,"atLeast":false},"p90":{"millis":200,"atLeast":false},\
                "p99":{"millis":6015,"atLeast":false},"p99Bound":{"millis":6015,"atLeast":false},\
                "p999":{"millis":6015,"atLeast":false},"max":{"millis":6015,"atLeast":false},"deleteMillis":null},\
                "today":{"visibilityMillis":30000,"heartbeat":false,"verdict":"FITS"},\
                "advice":{"visibilityWithoutExtensions":{"millis":13000,"atLeast":false},\
                "visibilityWithHeartbeatMillis":30000,\
                "extensionsPer1000":{"messages":0,"extensions":0,"fewestRequests":0,"atLeast":false},\
                "maxProcessingTime":{"millis":60000,"atLeast":false},"drainTimeout":{"millis":25000,"atLeast":false}}}""");
    assertThat(SizingAdvice.of(durations(0, seconds(1), 0, seconds(1)), seconds(30), true).json())
        .contains("\"p99Bound\":null", "\"verdict\":\"TOO_FEW_SAMPLES\"")
        .endsWith(",\"advice\":null}");
  }

  private static Durations durations(int many, Duration usual, int few, Duration rare) {
    return filled(many, usual, few, rare).snapshot(0);
  }

  private static DurationHistogram filled(int many, Duration usual, int few, Duration rare) {
    DurationHistogram histogram = new DurationHistogram(0);
    for (int i = 0; i < many + few; i++) {
      histogram.record((i < many ? usual : rare).toNanos(), 0);
    }
    return histogram;
  }

  private static Estimate exactly(long seconds) {
    return Estimate.exactly(seconds(seconds));
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }
}
