package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.jsoup.nodes.Element;

/** What must hold for the page of a time line that a browser has opened. Stateless. */
final class TimelinePageCheck {

  private TimelinePageCheck() {}

  /** The page marks one overlap of this length, is silent and loads nothing. */
  static void check(Browser.Visit visit, double overlapSeconds) {
    assertThat(visit.console()).as("what the page wrote to the console").isEmpty();
    assertThat(visit.loaded()).as("what the page tried to load").isEmpty();
    assertThat(visit.dom().select("svg.timeline")).as("pictures").isNotEmpty();
    assertThat(visit.dom().select("section [data-overlap-seconds]")).as("marked overlaps").hasSize(1);
    Element overlap = visit.dom().select("section [data-overlap-seconds]").getFirst();
    assertThat(Double.parseDouble(overlap.attr("data-overlap-seconds"))).as("the overlap").isEqualTo(overlapSeconds);
    double from = Double.parseDouble(overlap.attr("data-overlap-from-seconds"));
    double to = Double.parseDouble(overlap.attr("data-overlap-to-seconds"));
    assertThat(to - from).as("its end less its start").isCloseTo(overlapSeconds, within());
    assertThat(Double.parseDouble(overlap.select("rect").attr("width"))).as("how wide it is drawn").isPositive();
  }

  /** Start and end are rounded to hundredths each. */
  private static Offset<Double> within() {
    return Offset.offset(0.011);
  }
}
