package io.queueworker.testkit.timeline;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * What a time line is drawn from. Immutable.
 *
 * @param start the first event, by its worker's wall clock
 * @param shown the messages to draw, in the order of their first events
 * @param messages how many messages there are
 * @param workers the workers' ids, in the order in which they were first heard of
 * @param notKept how many events came when there was no room for them
 */
record Recorded(Instant start, List<Story> shown, int messages, List<String> workers, long notKept) {

  Recorded {
    shown = List.copyOf(shown);
    workers = List.copyOf(workers);
  }

  /** At most so many of them: the most interesting ones, in their own order. */
  static List<Story> mostInteresting(List<Story> stories, int most) {
    return stories.size() <= most
        ? stories
        : stories.stream()
            .sorted(Comparator.comparingInt(Story::interest).reversed())
            .limit(most)
            .sorted(Comparator.comparingLong(Story::start))
            .toList();
  }

  /** How much is here, and how much of it is shown. */
  String summary() {
    String words = Plain.count(messages, "message") + " in " + Plain.count(workers.size(), "worker") + ".";
    if (shown.size() < messages) {
      words += " Shown: " + shown.size() + ", those first on which two could work, that lost a lease or came again.";
    }
    if (notKept > 0) {
      words += " " + Plain.count(notKept, "later event") + " had no room here.";
    }
    return words;
  }
}
