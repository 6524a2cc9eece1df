package io.queueworker.testkit.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.SizingAdvice;
import io.queueworker.observe.DurationHistogram;
import io.queueworker.observe.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plots of durations that are given. */
class SizingPageTest {

  private final DurationHistogram histogram = new DurationHistogram(0);

  @Test
  void the_marked_durations_are_those_of_the_advice() {
    SizingAdvice sizing = sizing(oneInTwentySlow(1_000), Duration.ofSeconds(2), false);

    Document page = page(sizing);

    assertThat(seconds(page, "today")).isEqualTo(2.0);
    assertThat(seconds(page, "p99")).isEqualTo(sizing.p99().value().toMillis() / 1e3);
    assertThat(seconds(page, "p99-bound"))
        .isEqualTo(sizing.measured().p99Bound().orElseThrow().value().toMillis() / 1e3);
    SizingAdvice.Advice advice = sizing.advice().orElseThrow();
    assertThat(seconds(page, "without-extensions"))
        .isEqualTo((double) advice.visibilityWithoutExtensions().value().toSeconds());
    assertThat(seconds(page, "with-heartbeat")).isEqualTo((double) advice.visibilityWithHeartbeat().toSeconds());
    assertThat(page.selectFirst("main").attr("data-verdict")).isEqualTo("TOO_SHORT");
    assertThat(page.text()).contains("is too short", "visibility timeout today 2 s");
  }

  @Test
  void marks_stand_in_the_order_of_their_durations_and_within_the_plot() {
    Document page = page(sizing(oneInTwentySlow(1_000), Duration.ofMinutes(30), false));

    assertThat(x(page, "p50")).isLessThan(x(page, "p99"));
    assertThat(x(page, "p99")).isLessThan(x(page, "without-extensions"));
    assertThat(x(page, "without-extensions")).isLessThan(x(page, "today"));
    assertThat(page.select(".mark line").eachAttr("x1")).allSatisfy(
        x -> assertThat(Double.parseDouble(x)).isBetween(56.0, 976.0));
  }

  @Test
  void the_bars_add_up_to_all_runs() {
    Document page = page(sizing(oneInTwentySlow(1_000), Duration.ofSeconds(30), true));

    assertThat(percents(page, ".bar").sum()).isBetween(99.0, 101.0);
    assertThat(page.select(".unknown")).isEmpty();
    double slow =
        page.select(".bar")
            .stream()
            .filter(bar -> Long.parseLong(bar.attr("data-to-millis")) > 1_000)
            .mapToDouble(bar -> Double.parseDouble(bar.attr("data-percent")))
            .sum();
    assertThat(slow).isBetween(4.9, 5.1);
  }

  @Test
  void runs_that_did_not_finish_are_drawn_as_not_known() {
    oneInTwentySlow(900);
    for (int i = 0; i < 100; i++) {
      histogram.cutOff(Duration.ofSeconds(20).toNanos(), 0);
    }
    SizingAdvice sizing = sizing(histogram.snapshot(0), Duration.ofSeconds(30), false);

    Document page = page(sizing);

    assertThat(percents(page, ".unknown").sum()).isBetween(9.9, 10.1);
    assertThat(page.select("[data-mark=p99-bound], .bound")).isEmpty();
    assertThat(page.selectFirst("[data-mark=p99]").attr("data-at-least")).isEqualTo("true");
    assertThat(page.text()).contains("p99 at least");
  }

  @Test
  void without_runs_the_page_has_words_and_no_plot(@TempDir Path directory) throws IOException {
    SizingAdvice sizing = sizing(histogram.snapshot(0), Duration.ofSeconds(30), true);
    Path file = SizingPage.of(sizing).writeTo(directory.resolve("new/sizing.html"));

    Document page = Jsoup.parse(Files.readString(file));

    assertThat(page.select("svg")).isEmpty();
    assertThat(page.text()).contains("cannot be judged yet");
  }

  @Test
  void a_few_runs_are_drawn_without_advice() {
    histogram.record(Duration.ofMillis(20).toNanos(), 0);

    Document page = page(sizing(histogram.snapshot(0), Duration.ofSeconds(30), true));

    assertThat(page.select(".bar")).hasSize(1);
    assertThat(page.select("[data-mark]").eachAttr("data-mark")).containsExactly("p50", "p99", "today");
  }

  @Test
  void the_page_is_whole_by_itself() {
    Document page = page(sizing(oneInTwentySlow(1_000), Duration.ofSeconds(30), true));

    assertThat(page.select("[src], [href], script")).isEmpty();
    for (String label : page.selectFirst("svg.plot").attr("aria-labelledby").split(" ", -1)) {
      assertThat(page.getElementById(label).text()).as(label).isNotBlank();
    }
    assertThat(page.select("tbody tr")).hasSize(6);
  }

  /** As in the sizing example: most take about 200 ms, one in twenty about 6 s. */
  private Durations oneInTwentySlow(int runs) {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < runs; i++) {
      long millis = i % 20 == 0 ? random.nextLong(5_500, 6_500) : random.nextLong(150, 250);
      histogram.record(Duration.ofMillis(millis).toNanos(), 0);
    }
    return histogram.snapshot(0);
  }

  private static SizingAdvice sizing(Durations durations, Duration visibility, boolean heartbeat) {
    return SizingAdvice.of(durations, visibility, heartbeat);
  }

  private static Document page(SizingAdvice sizing) {
    return Jsoup.parse(SizingPage.of(sizing).html());
  }

  private static Element mark(Document page, String name) {
    return page.selectFirst("[data-mark=" + name + "]");
  }

  private static double seconds(Document page, String name) {
    return Double.parseDouble(mark(page, name).attr("data-seconds"));
  }

  private static double x(Document page, String name) {
    return Double.parseDouble(mark(page, name).selectFirst("line").attr("x1"));
  }

  private static DoubleStream percents(Document page, String selector) {
    return page.select(selector).stream().mapToDouble(bar -> Double.parseDouble(bar.attr("data-percent")));
  }
}
