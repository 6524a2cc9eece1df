package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.SizingAdvice;
import io.queueworker.observe.DurationHistogram;
import io.queueworker.testkit.timeline.SizingPage;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of the sizing advice in headless Chromium. */
@Tag("browser")
class SizingPageInBrowserTest {

  @TempDir private Path directory;

  @Test
  void a_browser_shows_the_plot_and_has_nothing_to_complain_of() throws Exception {
    DurationHistogram histogram = new DurationHistogram(0);
    for (int i = 0; i < 1_000; i++) {
      histogram.record(Duration.ofMillis(i).toNanos(), 0);
    }
    SizingAdvice sizing = SizingAdvice.of(histogram.snapshot(0), Duration.ofSeconds(30), false);

    Browser.Visit visit = new Browser(directory).open(SizingPage.of(sizing).writeTo(directory.resolve("sizing.html")));

    assertThat(visit.console()).isEmpty();
    assertThat(visit.loaded()).isEmpty();
    assertThat(visit.dom().select("svg.plot .bar")).hasSizeGreaterThan(10);
    assertThat(visit.dom().select("[data-mark=today]").attr("data-seconds")).isEqualTo("30.000");
  }
}
