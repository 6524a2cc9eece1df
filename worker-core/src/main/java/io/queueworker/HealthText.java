package io.queueworker;

import static io.queueworker.timing.PlainDuration.text;

import io.queueworker.queue.MessageCounts;
import java.util.ArrayList;
import java.util.List;

/** A worker's health as lines for a person. Stateless. */
final class HealthText {

  private HealthText() {}

  /** One line for the whole, one for each reason, and one for each thing that there is something to say about. */
  static String of(Health health) {
    List<String> lines = new ArrayList<>();
    lines.add(health.status() + ": the worker is " + health.state() + ", " + receiving(health) + ".");
    health.reasons().forEach(reason -> lines.add(reason.status() + " " + reason.kind() + ": " + reason.words()));
    lines.add(
        health.inFlight() + " in flight" + held(health) + health.oldest().map(HealthText::oldest).orElse("")
            + beats(health) + ".");
    health.breaker().ifPresent(words -> lines.add("The " + words + "."));
    health.pauses().forEach((reason, why) -> lines.add("Paused, " + reason + ": " + why + "."));
    health.drain()
        .ifPresent(
            drain -> lines.add(
                "Drain: " + drain.left() + " of " + drain.inFlight() + " left, and " + text(drain.budgetLeft())
                    + " of the budget."));
    health.sample()
        .ifPresent(
            sample -> lines.add(
                "The queue had " + counts(sample.queue())
                    + sample.deadLetters().map(dead -> ", its dead-letter queue " + counts(dead)).orElse("")
                    + ", at " + sample.at() + "."));
    health.warnings().forEach(warning -> lines.add("From the start: " + warning + "."));
    return String.join("\n", lines);
  }

  private static String receiving(Health health) {
    return health.lastReceive().map(at -> "a receive last completed at " + at).orElse("no receive has completed")
        + health.receiveDue().map(due -> ", one has been due for " + text(due)).orElse(", none is due");
  }

  private static String held(Health health) {
    return health.heldLongest().isZero() ? "" : ", the longest for " + text(health.heldLongest());
  }

  private static String oldest(Health.Oldest oldest) {
    return ", the oldest handler runs for " + text(oldest.running()) + " on message " + oldest.messageId()
        + ", receive "
        + oldest.receiveCount();
  }

  private static String beats(Health health) {
    return health.beatsLate().isZero() ? "" : ", the latest beat is due for " + text(health.beatsLate());
  }

  private static String counts(MessageCounts counts) {
    return counts.visible() + " visible, " + counts.notVisible() + " hidden and " + counts.delayed() + " delayed";
  }
}
