package io.queueworker.benchmarks;

import java.util.List;
import java.util.Locale;

/** A {@link Summary} as text for a terminal. Stateless. */
final class Table {

  private Table() {}

  /** All figures of it. */
  static String of(Summary summary) {
    StringBuilder text = new StringBuilder("\n").append(summary.part().title()).append('\n');
    for (Figure figure : summary.part().figures()) {
      text.append('\n').append(heading(figure, summary.part().reference()));
      for (String contender : summary.part().contenders()) {
        text.append(line(summary, contender, figure));
      }
    }
    for (String contender : summary.part().contenders()) {
      for (String doubt : summary.doubts(contender)) {
        text.append("VOID ").append(contender).append(", ").append(doubt).append('\n');
      }
    }
    return text.toString();
  }

  private static String heading(Figure figure, String reference) {
    String compared = reference.endsWith("-") ? "of the best " + reference + "…" : "of " + reference;
    return String.format(
        Locale.ROOT, "%-34s %12s %12s %12s   %s%n", figure.words(), "median", "least", "most",
        "times that " + compared);
  }

  private static String line(Summary summary, String contender, Figure figure) {
    List<Double> values = summary.values(contender, figure).stream().sorted().toList();
    if (values.isEmpty()) {
      return String.format(Locale.ROOT, "  %-32s %12s%n", contender, "void");
    }
    String ratio = figure == Figure.DUPLICATES ? "" : ratios(summary, contender, figure);
    return String.format(
        Locale.ROOT,
        "  %-32s %12s %12s %12s   %s%n",
        contender,
        number(median(values)),
        number(values.getFirst()),
        number(values.getLast()),
        ratio);
  }

  private static String ratios(Summary summary, String contender, Figure figure) {
    String reference = summary.ratio(contender, figure).map(Ratio::toString).orElse("");
    return summary.peerRatio(contender, figure)
        .map(peers -> String.format(Locale.ROOT, "%-24s %s of the best peer", reference, peers))
        .orElse(reference);
  }

  /** The middle one of sorted values, or the mean of the two in the middle. */
  static double median(List<Double> sorted) {
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value >= 1_000 ? "%,.0f" : value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f",
        value);
  }
}
