package io.queueworker.timing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlainDurationTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 ms",
    "PT0.35S, 350 ms",
    "PT1S, 1 s",
    "PT1.25S, 1.3 s",
    "PT10S, 10 s",
    "PT59.94S, 59.9 s",
    "PT59.96S, 1 min",
    "PT4M10S, 4 min 10 s",
    "PT15M, 15 min",
    "PT59M59.9S, 1 h",
    "PT11H55M, 11 h 55 min",
    "PT12H, 12 h",
    "PT-2S, -2 s"
  })
  void a_duration_reads_as_people_write_it(Duration duration, String expected) {
    assertThat(PlainDuration.text(duration)).isEqualTo(expected);
  }
}
