package io.queueworker.testkit.timeline;

import io.queueworker.observe.WorkerEvent.ExtendFailed;
import io.queueworker.observe.WorkerEvent.ExtendSent;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A message's story as text: seconds since its first event at the left, then a column for each worker, or where there are
 * many, one column with the worker's name in each line. Lines of a span in which two could work on it are marked. For one
 * thread.
 */
final class TextColumns {

  private static final int COLUMN = 46;
  private static final int MOST_COLUMNS = 3;
  private static final String MARK = "##";

  private final Story story;
  private final List<String> workers;
  private final List<Moment> moments;
  private final List<Overlap> overlaps;
  private final Map<Stay, Integer> failures = new HashMap<>();
  private final List<String> lines = new ArrayList<>();

  private TextColumns(Story story) {
    this.story = story;
    this.workers = story.workers();
    this.moments = story.moments().stream().filter(moment -> !moment.is(ExtendSent.class)).toList(); // its answer follows
    this.overlaps = story.overlaps();
  }

  /** The story in lines. */
  static String of(Story story) {
    TextColumns columns = new TextColumns(story);
    columns.write();
    return String.join("\n", columns.lines);
  }

  private boolean isWide() {
    return workers.size() <= MOST_COLUMNS;
  }

  private void write() {
    lines.add(line("seconds", "", isWide() ? heads() : "worker"));
    for (int i = 0; i < moments.size(); i++) {
      write(i);
    }
  }

  private void write(int index) {
    Moment moment = moments.get(index);
    long nanos = moment.nanos();
    boolean shared = overlaps.stream().anyMatch(o -> o.from().toNanos() <= nanos && nanos <= o.to().toNanos());
    int failed = failed(moment);
    if (failed <= 1 || !isFailureNext(index)) {
      String words = EventWords.of(moment.event()) + (failed > 1 ? " (try " + failed + ")" : "");
      lines.add(line(seconds(nanos), shared ? MARK : "", cell(moment.worker(), words)));
    }
    for (Overlap overlap : overlaps) {
      if (nanos == overlap.from().toNanos() && moment.is(HandlerStarted.class)) {
        lines.add(line("", MARK, "---- two workers work on one message ----"));
      }
      boolean isLast = index + 1 == moments.size() || moments.get(index + 1).nanos() > overlap.to().toNanos();
      if (nanos <= overlap.to().toNanos() && nanos >= overlap.from().toNanos() && isLast) {
        lines.add(
            line("", MARK, "---- end of the overlap: " + Plain.seconds(overlap.to().minus(overlap.from())) + " ----"));
      }
    }
  }

  /** How many extensions in a row have failed here; 0 for anything else. */
  private int failed(Moment moment) {
    Stay stay =
        story.stays()
            .stream()
            .filter(
                one -> one.worker().equals(moment.worker()) && one.receiveCount() == moment.event().receiveCount())
            .findFirst()
            .orElseThrow();
    int count = moment.is(ExtendFailed.class) ? failures.getOrDefault(stay, 0) + 1 : 0;
    failures.put(stay, count);
    return count;
  }

  /** Of failures in a row the first and the last are shown. */
  private boolean isFailureNext(int index) {
    return moments.subList(index + 1, moments.size())
        .stream()
        .filter(next -> next.worker().equals(moments.get(index).worker()))
        .findFirst()
        .filter(next -> next.is(ExtendFailed.class))
        .isPresent();
  }

  private String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.2f", (nanos - story.start()) / 1e9);
  }

  private String cell(String worker, String words) {
    return isWide() ? " ".repeat(COLUMN * workers.indexOf(worker)) + words : worker + ": " + words;
  }

  private String heads() {
    StringBuilder row = new StringBuilder();
    workers.forEach(worker -> row.append(("%-" + COLUMN + "s").formatted(worker)));
    return row.toString();
  }

  private static String line(String seconds, String mark, String text) {
    return "%7s %2s %s".formatted(seconds, mark, text).stripTrailing();
  }
}
