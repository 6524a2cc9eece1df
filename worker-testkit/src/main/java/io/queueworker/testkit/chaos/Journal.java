package io.queueworker.testkit.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What happened in a run, line by line, for people. Not thread-safe: simulated threads run one at a time. */
final class Journal {

  private static final Pattern ISO_DURATION = Pattern.compile("PT[0-9HMS.-]+");

  private final List<Entry> entries = new ArrayList<>();

  /**
   * One line.
   *
   * @param what its text is taken only when it is printed
   */
  private record Entry(Duration at, String where, Object what) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%10.3f %-8s %s", at.toMillis() / 1000.0, where, what);
    }
  }

  /** Adds a line. */
  void add(Duration at, String where, Object what) {
    entries.add(new Entry(at, where, what));
  }

  /** The whole run, as text that is the same for the same run. */
  String all() {
    return lines(line -> true).stream().collect(Collectors.joining("\n"));
  }

  /** The lines about these messages, with every disturbance, the last {@code most} of them; without messages, what broke. */
  List<String> about(List<String> ids, int most) {
    List<String> about =
        lines(
            line -> line.contains("***") || (ids.isEmpty() && line.contains(" broken: "))
                || ids.stream().anyMatch(id -> isAbout(line, id)));
    return about.subList(Math.max(0, about.size() - most), about.size()).stream().map(Journal::rounded).toList();
  }

  /** With durations to the millisecond. */
  private static String rounded(String line) {
    return ISO_DURATION.matcher(line).replaceAll(found -> Text.of(Duration.parse(found.group())));
  }

  /** Whether it names the message, and not only one whose id goes on. */
  private static boolean isAbout(String line, String id) {
    return line.contains(id + ",") || line.contains(id + "]");
  }

  private List<String> lines(Predicate<String> wanted) {
    return entries.stream().map(Entry::toString).filter(wanted).toList();
  }
}
