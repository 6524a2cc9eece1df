package io.queueworker.testkit.timeline;

import io.queueworker.SizingAdvice;
import io.queueworker.observe.Estimate;
import io.queueworker.timing.PlainDuration;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sizing advice as one HTML page that needs nothing else: how long runs took, the p99 with its bound, and today's and the
 * advised visibility timeouts on the same scale.
 *
 * <p>Immutable and thread-safe.
 */
public final class SizingPage {

  /**
   * A duration that is marked in the plot.
   *
   * @param name what it is called by programs
   * @param words what it is called by people
   * @param duration the duration
   * @param atLeast whether the true one may be longer
   */
  record Mark(String name, String words, Duration duration, boolean atLeast) {

    /** The duration in words. */
    String text() {
      return (atLeast ? "at least " : "") + PlainDuration.text(duration);
    }
  }

  private final SizingAdvice sizing;

  private SizingPage(SizingAdvice sizing) {
    this.sizing = sizing;
  }

  /** The page of this advice. */
  public static SizingPage of(SizingAdvice sizing) {
    return new SizingPage(sizing);
  }

  /** The page. */
  public String html() {
    return Page.of("Sizing", this::write);
  }

  /** Writes {@link #html()} to a file, whose directory is made where it is missing; gives back the file. */
  public Path writeTo(Path file) throws IOException {
    return Page.write(html(), file);
  }

  private void write(Markup page) {
    page.open("main", "data-verdict", sizing.verdict().name()).line();
    page.leaf("h1", "Sizing").line();
    for (String line : sizing.text().lines().toList()) {
      page.leaf("p", line).line();
    }
    if (sizing.measured().samples() > 0) {
      page.open("div", "class", "wide", "tabindex", 0, "role", "group", "aria-label", "plot of durations").line();
      SizingPlot.write(page, sizing, marks());
      page.close().line();
      table(page);
    }
    page.close().line();
  }

  /** What is marked, in the order of the rows of words above the plot. */
  private List<Mark> marks() {
    List<Mark> marks = new ArrayList<>();
    marks.add(mark("p50", "p50", sizing.p50()));
    marks.add(mark("p99", "p99", sizing.p99()));
    sizing.measured()
        .p99Bound()
        .filter(bound -> !bound.atLeast())
        .ifPresent(bound -> marks.add(mark("p99-bound", "p99 with 95 % confidence at most", bound)));
    marks.add(mark("today", "visibility timeout today", Estimate.exactly(sizing.visibility())));
    sizing.advice()
        .ifPresent(
            advice -> {
              marks.add(mark("without-extensions", "advised without extensions", advice.visibilityWithoutExtensions()));
              marks.add(
                  mark(
                      "with-heartbeat",
                      "advised with the heartbeat",
                      Estimate.exactly(advice.visibilityWithHeartbeat())));
            });
    return marks;
  }

  private static Mark mark(String name, String words, Estimate estimate) {
    return new Mark(name, words, estimate.value(), estimate.atLeast());
  }

  private void table(Markup page) {
    page.open("table").line();
    page.open("thead").open("tr");
    page.leaf("th", "marked", "scope", "col").leaf("th", "duration", "scope", "col");
    page.leaf("th", "runs that take longer", "scope", "col").close().close().line();
    page.open("tbody").line();
    for (Mark mark : marks()) {
      page.open("tr").leaf("th", mark.words(), "scope", "row").leaf("td", mark.text());
      page.leaf("td", Plain.percent(sizing.measured().shareLongerThan(mark.duration()))).close().line();
    }
    page.close().line();
    page.close().line();
  }
}
