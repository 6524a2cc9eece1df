package io.queueworker.testkit.timeline;

import io.queueworker.SizingAdvice;
import io.queueworker.observe.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The distribution of durations as an SVG plot, with durations marked in it. For one thread. */
final class SizingPlot {

  private static final double WIDTH = 1000;
  private static final double LEFT = 56;
  private static final double RIGHT = 24;
  private static final double HEIGHT = 220;
  private static final double ROW = 20;
  private static final double LETTER = 6.8;

  /** Bars for each tenfold of the duration. */
  private static final int STEPS = 20;

  /** Below this a share is a rounding error. */
  private static final double NOTHING = 1e-9;

  private static final double[] PERCENTS = {1, 2, 4, 8, 12, 20, 40, 60, 80, 100};

  /**
   * The share of runs that took between two durations. Immutable.
   *
   * @param fromMillis the shorter one
   * @param toMillis the longer one
   * @param share from 0 to 1
   */
  private record Bar(double fromMillis, double toMillis, double share) {}

  private final Markup page;
  private final SizingAdvice sizing;
  private final List<SizingPage.Mark> marks;
  private final List<Bar> bars;
  private final LogAxis axis;
  private final double most;
  private final double top;
  private final double bottom;

  private SizingPlot(Markup page, SizingAdvice sizing, List<SizingPage.Mark> marks) {
    this.page = page;
    this.sizing = sizing;
    this.marks = marks;
    this.bars = bars(sizing.measured());
    double longest = bars.isEmpty() ? 1 : bars.getLast().toMillis();
    double shortest = bars.isEmpty() ? longest : bars.getFirst().fromMillis();
    for (SizingPage.Mark mark : marks) {
      double millis = mark.duration().toNanos() / 1e6;
      longest = Math.max(longest, millis);
      shortest = Math.min(shortest, Math.max(1, millis));
    }
    this.axis = new LogAxis(LEFT, WIDTH - LEFT - RIGHT, shortest / 1.6, longest * 1.6);
    this.most = mostPercent();
    this.top = 8 + marks.size() * ROW;
    this.bottom = top + HEIGHT;
  }

  /** Writes the plot. */
  static void write(Markup page, SizingAdvice sizing, List<SizingPage.Mark> marks) {
    new SizingPlot(page, sizing, marks).write();
  }

  private static List<Bar> bars(Durations measured) {
    List<Bar> all = new ArrayList<>();
    double longest = measured.max().value().toNanos() / 1e6;
    double before = 1;
    double from = 0.5;
    for (int i = 0; from < longest; i++) {
      double to = Math.pow(10, (double) i / STEPS);
      double longer = measured.shareLongerThan(Duration.ofNanos(Math.round(to * 1e6)));
      if (before - longer > NOTHING) {
        all.add(new Bar(from, to, before - longer));
      }
      before = longer;
      from = to;
    }
    return all;
  }

  private double mostPercent() {
    double largest = 100 * bars.stream().mapToDouble(Bar::share).max().orElse(0.01);
    for (double percent : PERCENTS) {
      if (percent >= largest) {
        return percent;
      }
    }
    return 100;
  }

  private void write() {
    page.open(
        "svg",
        "class", "plot",
        "viewBox", String.format(Locale.ROOT, "0 0 %.0f %.0f", WIDTH, bottom + 42),
        "role", "img",
        "aria-labelledby", "plot-title plot-words")
        .line();
    page.leaf("title", "How long runs took, and which visibility timeouts fit", "id", "plot-title").line();
    page.leaf("desc", "Bars show the share of runs by their duration from lease start to commit. "
        + String.join("; ", marks.stream().map(mark -> mark.words() + " " + mark.text()).toList()) + ".", "id",
        "plot-words")
        .line();
    grid();
    bound();
    bars.forEach(this::bar);
    unknown();
    for (int i = 0; i < marks.size(); i++) {
      mark(marks.get(i), 8 + i * ROW);
    }
    page.close().line();
  }

  private void grid() {
    for (int i = 0; i <= 4; i++) {
      double y = bottom - HEIGHT * i / 4;
      page.empty("line", "class", "grid", "x1", LEFT, "x2", WIDTH - RIGHT, "y1", y, "y2", y);
      page.leaf("text", Plain.percent(most * i / 400), "class", "tick", "x", LEFT - 8, "y", y + 4, "text-anchor", "end")
          .line();
    }
    for (Axis.Tick tick : axis.ticks()) {
      page.empty("line", "class", "grid", "x1", tick.x(), "x2", tick.x(), "y1", bottom, "y2", bottom + 5);
      page.leaf("text", tick.words(), "class", "tick", "x", tick.x(), "y", bottom + 19, "text-anchor", "middle").line();
    }
    page.leaf(
        "text",
        "from lease start to commit; each bar is the share of runs",
        "class", "tick",
        "x", (LEFT + WIDTH - RIGHT) / 2,
        "y", bottom + 37,
        "text-anchor", "middle")
        .line();
  }

  /** Where the true p99 may be. */
  private void bound() {
    sizing.measured()
        .p99Bound()
        .filter(bound -> !bound.atLeast())
        .ifPresent(
            bound -> {
              double from = axis.x(sizing.p99().value());
              double width = Math.max(2, axis.x(bound.value()) - from);
              page.empty("rect", "class", "bound", "x", from, "y", top, "width", width, "height", HEIGHT).line();
            });
  }

  private void bar(Bar bar) {
    double from = axis.x(bar.fromMillis());
    double height = Math.max(1.5, HEIGHT * bar.share() * 100 / most);
    page.open(
        "rect",
        "class", "bar",
        "data-to-millis", Math.round(bar.toMillis()),
        "data-percent", String.format(Locale.ROOT, "%.2f", bar.share() * 100),
        "x", from,
        "y", bottom - height,
        "width", Math.max(1, axis.x(bar.toMillis()) - from - 1),
        "height", height)
        .leaf(
            "title",
            String.format(
                Locale.ROOT,
                "%s of the runs took %.0f to %.0f ms",
                Plain.percent(bar.share()),
                bar.fromMillis(),
                bar.toMillis()))
        .close()
        .line();
  }

  /** The share of runs of which nobody knows how long they take, since those that would tell did not finish. */
  private void unknown() {
    double share = sizing.measured().shareLongerThan(sizing.max().value());
    if (share > NOTHING) {
      double from = axis.x(sizing.max().value());
      double height = Math.max(4, Math.min(HEIGHT, HEIGHT * share * 100 / most));
      page.open(
          "rect",
          "class", "unknown",
          "data-percent", String.format(Locale.ROOT, "%.2f", share * 100),
          "x", from,
          "y", bottom - height,
          "width", WIDTH - RIGHT - from,
          "height", height)
          .leaf("title",
              Plain.percent(share) + " of the runs take longer; how long is not known, since they did not finish")
          .close()
          .line();
    }
  }

  private void mark(SizingPage.Mark mark, double y) {
    double x = axis.x(mark.duration());
    String words = mark.words() + " " + mark.text();
    boolean toTheLeft = x + 8 + words.length() * LETTER > WIDTH;
    page.open(
        "g",
        "class", "mark " + mark.name(),
        "data-mark", mark.name(),
        "data-seconds", String.format(Locale.ROOT, "%.3f", mark.duration().toNanos() / 1e9),
        "data-at-least", mark.atLeast());
    page.empty("line", "x1", x, "x2", x, "y1", y + 2, "y2", bottom);
    page.leaf(
        "text",
        words,
        "x", toTheLeft ? x - 6 : x + 6,
        "y", y + 13,
        "text-anchor", toTheLeft ? "end" : "start");
    page.close().line();
  }
}
