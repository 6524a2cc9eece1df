package io.queueworker.examples;

import io.queueworker.examples.EventTrail.Heard;
import io.queueworker.observe.WorkerEvent.ExtendFailed;
import io.queueworker.observe.WorkerEvent.ExtendSent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A trail as text: seconds since the first event at the left, then a column for each worker. The lines of the span in which
 * both handlers run are marked. Immutable.
 */
final class TwoWorkerTimeline {

  private static final int COLUMN = 46;
  private static final String MARK = "##";

  private final List<Heard> trail;
  private final List<String> workers;
  private final Optional<Overlap> overlap;

  /** The time line of a trail in order. */
  TwoWorkerTimeline(List<Heard> inOrder) {
    this.trail = inOrder.stream().filter(heard -> !heard.is(ExtendSent.class)).toList(); // its answer follows
    this.workers = inOrder.stream().map(Heard::worker).distinct().toList();
    this.overlap = Overlap.of(inOrder);
  }

  /** Its lines, without line ends. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(line("seconds", "", cells(workers)));
    for (int i = 0; i < trail.size(); i++) {
      Heard heard = trail.get(i);
      boolean shared = overlap.filter(span -> span.contains(heard)).isPresent();
      if (isShown(i)) {
        lines.add(line(seconds(heard.nanoTime()), shared ? MARK : "", cell(heard, words(i))));
      }
      overlap.filter(span -> span.second().equals(heard)).ifPresent(
          span -> lines.add(line("", MARK, "---- two workers work on one event ----")));
      overlap.filter(span -> span.firstEnd().equals(heard)).ifPresent(
          span -> lines.add(
              line("", MARK, String.format(Locale.ROOT, "---- end of the overlap: %.2f s ----", span.seconds()))));
    }
    return lines;
  }

  /** Of failures in a row the first and the last are shown. */
  private boolean isShown(int index) {
    return failures(index) <= 1
        || trail.subList(index + 1, trail.size())
            .stream()
            .filter(next -> next.worker().equals(trail.get(index).worker()))
            .findFirst()
            .filter(next -> next.is(ExtendFailed.class))
            .isEmpty();
  }

  /** How many extensions in a row have failed here; 0 for anything else. */
  private int failures(int index) {
    int count = 0;
    for (Heard heard : trail.subList(0, index + 1)) {
      if (heard.worker().equals(trail.get(index).worker())) {
        count = heard.is(ExtendFailed.class) ? count + 1 : 0;
      }
    }
    return count;
  }

  private String words(int index) {
    int failures = failures(index);
    return TimelineWords.of(trail.get(index).event()) + (failures > 1 ? " (try " + failures + ")" : "");
  }

  private String seconds(long nanoTime) {
    return String.format(Locale.ROOT, "%.2f", (nanoTime - trail.getFirst().nanoTime()) / 1e9);
  }

  private String cell(Heard heard, String words) {
    return " ".repeat(COLUMN * workers.indexOf(heard.worker())) + words;
  }

  private static String cells(List<String> texts) {
    StringBuilder row = new StringBuilder();
    texts.forEach(text -> row.append(("%-" + COLUMN + "s").formatted(text)));
    return row.toString();
  }

  private static String line(String seconds, String mark, String text) {
    return "%7s %2s %s".formatted(seconds, mark, text).stripTrailing();
  }
}
