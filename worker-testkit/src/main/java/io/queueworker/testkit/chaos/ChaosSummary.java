package io.queueworker.testkit.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a number of runs came to. Immutable.
 *
 * @param runs how many runs there were
 * @param calm how many of them had no disturbance
 * @param took how long they took by the real clock
 * @param fired how often each kind of disturbance came about
 * @param taken how often each branch was taken: events, admissions, outcomes
 */
public record ChaosSummary(
    long runs, long calm, Duration took, Map<String, Long> fired, Map<String, Long> taken) {

  /** Sorts by name. */
  public ChaosSummary {
    fired = new TreeMap<>(fired);
    taken = new TreeMap<>(taken);
  }

  /** Those of these kinds of disturbances that never came about. */
  public List<String> neverFired(List<String> kinds) {
    return kinds.stream().filter(kind -> !fired.containsKey(kind)).toList();
  }

  /** Those of these branches that were never taken. */
  public List<String> neverTaken(List<String> branches) {
    return branches.stream().filter(branch -> !taken.containsKey(branch)).toList();
  }

  /** The disturbances that came about, all kinds together. */
  public long disturbances() {
    return fired.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(runs).append(" runs in ").append(took.toSeconds()).append(" s, ").append(calm).append(" of them calm; ")
        .append(disturbances()).append(" disturbances came about\n");
    fired.forEach((kind, count) -> text.append(String.format("%10d  %s%n", count, kind)));
    text.append("branches taken\n");
    taken.forEach((branch, count) -> text.append(String.format("%10d  %s%n", count, branch)));
    return text.toString();
  }
}
