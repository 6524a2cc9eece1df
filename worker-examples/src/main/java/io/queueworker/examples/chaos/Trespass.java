package io.queueworker.examples.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A call that changed the visibility of a message which its receipt did not hold any more when it arrived. Immutable.
 *
 * @param messageId the message
 * @param receive the receive that the receipt was from
 * @param extension whether it asked for a whole visibility timeout, else it was a release
 * @param arrivedNanos when it arrived, by the parent's monotonic clock
 * @param leaseEndedNanos when the receipt ceased to hold, or a little before
 */
record Trespass(String messageId, long receive, boolean extension, long arrivedNanos, long leaseEndedNanos) {

  /** When a call was decided, as far as that can be told from outside. */
  enum Verdict {
    /** While the message was held: the worker reported then that it sends the call, which nobody can recall. */
    DECIDED_WHILE_HELD("decidedWhileHeld"),
    /** The worker stood still between, and the call came as it went on: decided before, unless it did not look. */
    AROUND_A_FREEZE("aroundAFreeze"),
    /** Neither: the worker decided to extend or release what it did not hold. */
    UNEXPLAINED("unexplained");

    private final String word;

    Verdict(String word) {
      this.word = word;
    }

    /** Its word in the result. */
    String word() {
      return word;
    }
  }

  /** How long after a freeze a call that was decided before can arrive: it gives up after 3 s, and machines are busy. */
  private static final long LONGEST_CALL_NANOS = 4_000_000_000L;

  /** How long after a call's arrival its report may be read: they go different ways. */
  private static final long LONGEST_READ_NANOS = 500_000_000;

  /** Reads what a {@link TrespassLog} wrote a moment ago. */
  static List<Trespass> read(JsonNode log, long nowNanos) {
    List<Trespass> all = new ArrayList<>();
    for (JsonNode entry : log) {
      all.add(
          new Trespass(
              entry.get("messageId").asText(),
              entry.get("receive").asLong(),
              entry.get("visibilitySeconds").asLong() >= ChaosOptions.VISIBILITY.toSeconds(),
              nowNanos - entry.get("nanosAgo").asLong(),
              nowNanos - entry.get("leaseEndedNanosAgo").asLong()));
    }
    return all;
  }

  /** Judges by what the worker reported and what was done to it. */
  Verdict verdict(List<Report> reports, List<Freeze> freezes) {
    List<Report> own = reports.stream().filter(report -> report.messageId().equals(messageId)).toList();
    List<String> holders =
        own.stream()
            .filter(report -> report.step() == Step.RECEIVED && report.number() == receive)
            .map(Report::worker)
            .toList();
    Optional<Report> sending =
        own.stream()
            .filter(report -> report.step() == Step.EXTENDING && holders.contains(report.worker()))
            .filter(report -> report.atNanos() - arrivedNanos < LONGEST_READ_NANOS)
            .max((one, other) -> Long.signum(one.atNanos() - other.atNanos()));
    if (extension && sending.isPresent() && sending.get().atNanos() - leaseEndedNanos < 0) {
      return Verdict.DECIDED_WHILE_HELD;
    }
    return freezes.stream().anyMatch(freeze -> holders.contains(freeze.worker()) && isAround(freeze))
        ? Verdict.AROUND_A_FREEZE
        : Verdict.UNEXPLAINED;
  }

  private boolean isAround(Freeze freeze) {
    return freeze.fromNanos() - leaseEndedNanos < 0
        && arrivedNanos - freeze.toNanos() < LONGEST_CALL_NANOS
        && arrivedNanos - freeze.fromNanos() > 0;
  }
}
