package io.queueworker.testkit.timeline;

import io.queueworker.observe.WorkerEvent.Deleted;
import java.util.List;
import java.util.Locale;

/** A message's story as an SVG picture. For one thread. */
final class StoryPicture {

  private static final double WIDTH = 1000;
  private static final double LEFT = 120;
  private static final double RIGHT = 24;
  private static final double HEAD = 8;
  private static final double HEAD_WITH_WORDS = 30;
  private static final double ROW = 58;
  private static final double FOOT = 26;
  private static final double LEASE_Y = 15;
  private static final double LEASE_HEIGHT = 12;
  private static final double RUN_Y = 40;
  private static final double RUN_HEIGHT = 16;
  private static final double LETTER = 6.6;

  private final Markup page;
  private final Story story;
  private final String id;
  private final List<List<Stay>> lanes;
  private final Axis axis;
  private final double top;
  private final double bottom;

  private StoryPicture(Markup page, Story story, String id) {
    this.page = page;
    this.story = story;
    this.id = id;
    this.lanes = Lanes.of(story);
    long length = Math.max(1_000_000, Math.round((shownEnd(story) - story.start()) * 1.02));
    this.axis = new Axis(LEFT, WIDTH - LEFT - RIGHT, length);
    this.top = story.overlaps().isEmpty() ? HEAD : HEAD_WITH_WORDS;
    this.bottom = top + lanes.size() * ROW;
  }

  /** Writes the picture; {@code id} is unique in the page. */
  static void write(Markup page, Story story, String id) {
    new StoryPicture(page, story, id).write();
  }

  /** Deadlines long after the last event would leave no room for what happened. */
  private static long shownEnd(Story story) {
    long last = story.moments().getLast().nanos();
    boolean settled = story.moments().stream().anyMatch(moment -> moment.is(Deleted.class));
    return settled ? last : Math.min(story.end(), last + Math.max(1, last - story.start()));
  }

  private double x(long nanos) {
    return axis.x(nanos - story.start());
  }

  private String seconds(long nanos) {
    return Plain.seconds(nanos - story.start());
  }

  private static String plain(double seconds) {
    return String.format(Locale.ROOT, "%.2f", seconds);
  }

  private void write() {
    page.open(
        "svg",
        "class", "timeline",
        "viewBox", String.format(Locale.ROOT, "0 0 %.0f %.0f", WIDTH, bottom + FOOT),
        "role", "img",
        "aria-labelledby", id + "-title " + id + "-words")
        .line();
    page.leaf("title", "Message " + story.messageId(), "id", id + "-title").line();
    page.leaf("desc", story.summary() + " The same as text is below.", "id", id + "-words").line();
    grid();
    story.overlaps().forEach(this::overlap);
    for (int i = 0; i < lanes.size(); i++) {
      row(lanes.get(i), top + i * ROW);
    }
    story.overlaps().forEach(this::edge);
    for (int i = 0; i < lanes.size(); i++) {
      for (Stay stay : lanes.get(i)) {
        signs(stay, top + i * ROW);
      }
    }
    page.close().line();
  }

  private void grid() {
    for (Axis.Tick tick : axis.ticks()) {
      page.empty("line", "class", "grid", "x1", tick.x(), "x2", tick.x(), "y1", top, "y2", bottom);
      page.leaf("text", tick.words(), "class", "tick", "x", tick.x(), "y", bottom + 17, "text-anchor", "middle").line();
    }
  }

  private void row(List<Stay> stays, double y) {
    String worker = stays.getFirst().worker();
    page.empty("line", "class", "between", "x1", 0, "x2", WIDTH - RIGHT, "y1", y, "y2", y);
    page.open("text", "class", "worker", "x", 0, "y", y + 26).leaf("title", worker);
    page.text(shortened(worker)).close();
    page.leaf(
        "text",
        (stays.size() == 1 ? "receive " : "receives ")
            + String.join(", ", stays.stream().map(stay -> Integer.toString(stay.receiveCount())).toList()),
        "class", "tick",
        "x", 0,
        "y", y + 43)
        .line();
    for (Stay stay : stays) {
      lease(stay, y);
      stay.runs().forEach(run -> run(run, y));
    }
  }

  /** The end of a name tells more than its beginning. */
  private static String shortened(String worker) {
    int most = (int) ((LEFT - 18) / LETTER);
    return worker.length() <= most ? worker : "…" + worker.substring(worker.length() - most + 1);
  }

  private void lease(Stay stay, double y) {
    Stay.Held held = stay.held();
    page.open(
        "rect",
        "class", "lease",
        "data-worker", stay.worker(),
        "data-receive-count", stay.receiveCount(),
        "data-from-seconds", plain((held.from() - story.start()) / 1e9),
        "data-to-seconds", plain((held.to() - story.start()) / 1e9),
        "x", x(held.from()),
        "y", y + LEASE_Y - LEASE_HEIGHT / 2,
        "width", Math.max(1, x(held.to()) - x(held.from())),
        "height", LEASE_HEIGHT,
        "rx", 2)
        .leaf(
            "title",
            stay.worker() + ", receive " + stay.receiveCount() + ": lease from " + seconds(held.from()) + " to "
                + seconds(held.to()))
        .close()
        .line();
    for (Stay.Deadline deadline : stay.deadlines()) {
      if (deadline.at() <= held.to()) {
        page.open(
            "line",
            "class", "deadline",
            "data-at-seconds", plain((deadline.at() - story.start()) / 1e9),
            "x1", x(deadline.at()),
            "x2", x(deadline.at()),
            "y1", y + LEASE_Y - 11,
            "y2", y + LEASE_Y + 11)
            .leaf(
                "title",
                "deadline at " + seconds(deadline.at()) + ", given at " + seconds(deadline.givenAt()))
            .close()
            .line();
      }
    }
  }

  private void run(Run run, double y) {
    double from = x(run.from());
    double width = Math.max(1.5, x(run.to()) - from);
    String took = Plain.seconds(run.to() - run.from());
    String words = "handler " + (run.endSeen() ? "" : "at least ") + took;
    page.open(
        "rect",
        "class", run.endSeen() ? "run" : "run unended",
        "data-worker", run.worker(),
        "data-receive-count", run.receiveCount(),
        "data-seconds", plain((run.to() - run.from()) / 1e9),
        "x", from,
        "y", y + RUN_Y - RUN_HEIGHT / 2,
        "width", width,
        "height", RUN_HEIGHT,
        "rx", 2)
        .leaf(
            "title",
            run.worker() + ", receive " + run.receiveCount() + ": " + words + ", from " + seconds(run.from())
                + (run.endSeen() ? "" : ", its end was not heard of"))
        .close();
    if (width > words.length() * LETTER + 16) {
      page.leaf("text", words, "class", "in-run", "x", from + 8, "y", y + RUN_Y + 4.3);
    }
    page.line();
  }

  private void overlap(Overlap overlap) {
    double from = x(overlap.from().toNanos());
    double to = x(overlap.to().toNanos());
    String words =
        String.join(" and ", overlap.workers()) + " could work on it for "
            + Plain.seconds(overlap.to().minus(overlap.from()));
    page.open(
        "g",
        "class", "overlap",
        "data-message", overlap.messageId(),
        "data-workers", String.join(" ", overlap.workers()),
        "data-overlap-from-seconds", plain((overlap.from().toNanos() - story.start()) / 1e9),
        "data-overlap-to-seconds", plain((overlap.to().toNanos() - story.start()) / 1e9),
        "data-overlap-seconds", plain(overlap.seconds()))
        .leaf("title", words);
    page.empty("rect", "x", from, "y", top - 4, "width", Math.max(1.5, to - from), "height", bottom - top + 4);
    String label = "two at once: " + Plain.seconds(overlap.to().minus(overlap.from()));
    double half = label.length() * 7.0 / 2;
    double middle = Math.clamp((from + to) / 2, LEFT + half, WIDTH - half);
    page.leaf("text", label, "x", middle, "y", top - 10, "text-anchor", "middle");
    page.close().line();
  }

  /** The span's limits, which go over the bars, as its color must not: it would cover their words. */
  private void edge(Overlap overlap) {
    double from = x(overlap.from().toNanos());
    double width = Math.max(1.5, x(overlap.to().toNanos()) - from);
    page.empty("rect", "class", "overlap-edge", "x", from, "y", top - 4, "width", width, "height", bottom - top + 4)
        .line();
  }

  private void signs(Stay stay, double y) {
    for (Moment moment : stay.moments()) {
      Sign.of(moment.event()).ifPresent(sign -> sign(sign, moment, y));
    }
  }

  private void sign(Sign sign, Moment moment, double y) {
    page.open(
        "path",
        "class", "sign " + sign.cssClass(),
        "data-at-seconds", plain((moment.nanos() - story.start()) / 1e9),
        "transform",
        String.format(
            Locale.ROOT, "translate(%.1f %.1f)", x(moment.nanos()), y + (sign.isOnLease() ? LEASE_Y : RUN_Y)),
        "d", sign.path())
        .leaf("title", seconds(moment.nanos()) + " " + moment.worker() + ": " + EventWords.of(moment.event()))
        .close()
        .line();
  }
}
