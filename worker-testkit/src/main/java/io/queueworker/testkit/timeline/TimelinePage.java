package io.queueworker.testkit.timeline;

import io.queueworker.observe.WorkerEvent;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/** A time line as an HTML page. Stateless. */
final class TimelinePage {

  private TimelinePage() {}

  /** The page. */
  static String of(Recorded recorded) {
    return Page.of("Time line of " + Plain.count(recorded.messages(), "message"), page -> write(page, recorded));
  }

  private static void write(Markup page, Recorded recorded) {
    long overlaps = recorded.shown().stream().mapToLong(story -> story.overlaps().size()).sum();
    page.open(
        "main",
        "data-messages", recorded.messages(),
        "data-messages-shown", recorded.shown().size(),
        "data-overlaps", overlaps)
        .line();
    page.leaf("h1", "Time line").line();
    page.leaf(
        "p",
        recorded.summary() + (recorded.messages() == 0
            ? ""
            : " Recorded from " + recorded.start().truncatedTo(ChronoUnit.MILLIS) + " on."))
        .line();
    legend(page, recorded);
    for (int i = 0; i < recorded.shown().size(); i++) {
      story(page, recorded.shown().get(i), "message-" + (i + 1));
    }
    page.close().line();
  }

  private static void story(Markup page, Story story, String id) {
    page.open("section", "id", id).line();
    page.open("h2").text("Message ").leaf("code", story.messageId()).close().line();
    page.leaf("p", story.summary() + " It begins " + Plain.seconds(story.start()) + " into the recording.").line();
    story.moments()
        .forEach(
            moment -> {
              if (moment.event() instanceof WorkerEvent.Suppressed again) {
                page.leaf("p", "Why it came again: " + again.diagnosis().text(), "class", "why").line();
              }
            });
    page.open("div", "class", "wide", "tabindex", 0, "role", "group", "aria-label", "picture of " + story.messageId());
    page.line();
    StoryPicture.write(page, story, id);
    page.close().line();
    page.open("details").leaf("summary", "As text");
    page.leaf("pre", TextColumns.of(story)).close().line();
    page.close().line();
  }

  private static void legend(Markup page, Recorded recorded) {
    page.open("ul", "class", "legend", "aria-label", "Legend").line();
    entry(page, "lease: hidden from others",
        swatch -> swatch.empty("rect", "class", "lease", "x", 2, "y", 4, "width", 20, "height", 12, "rx", 2));
    entry(page, "a lease's deadline",
        swatch -> swatch.empty("line", "class", "deadline", "x1", 12, "x2", 12, "y1", 0, "y2", 20));
    entry(page, "handler",
        swatch -> swatch.empty("rect", "class", "run", "x", 2, "y", 3, "width", 20, "height", 14, "rx", 2));
    if (recorded.shown().stream().anyMatch(story -> story.runs().stream().anyMatch(run -> !run.endSeen()))) {
      entry(page, "handler whose end was not heard of",
          swatch -> swatch.empty("rect", "class", "run unended", "x", 2, "y", 3, "width", 20, "height", 14, "rx", 2));
    }
    if (recorded.shown().stream().anyMatch(story -> !story.overlaps().isEmpty())) {
      entry(page, "two could work on it", TimelinePage::overlap);
    }
    for (Sign sign : signs(recorded)) {
      entry(
          page,
          sign.words(),
          swatch -> swatch.empty(
              "path", "class", "sign " + sign.cssClass(), "transform", "translate(12 10)", "d", sign.path()));
    }
    page.close().line();
  }

  private static void overlap(Markup swatch) {
    swatch.open("g", "class", "overlap").empty("rect", "x", 2, "y", 0, "width", 20, "height", 20).close();
    swatch.empty("rect", "class", "overlap-edge", "x", 2, "y", 0.5, "width", 20, "height", 19);
  }

  private static void entry(Markup page, String words, Consumer<Markup> swatch) {
    page.open("li").open("svg", "class", "swatch", "viewBox", "0 0 24 20", "aria-hidden", "true");
    swatch.accept(page);
    page.close().text(words).close().line();
  }

  /** Those that are on the page. */
  private static Set<Sign> signs(Recorded recorded) {
    Set<Sign> all = EnumSet.noneOf(Sign.class);
    for (Story story : recorded.shown()) {
      story.moments().forEach(moment -> Sign.of(moment.event()).ifPresent(all::add));
    }
    return all;
  }
}
