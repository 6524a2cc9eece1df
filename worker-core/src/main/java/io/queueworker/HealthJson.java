package io.queueworker;

import static io.queueworker.JsonFields.array;
import static io.queueworker.JsonFields.text;

import io.queueworker.queue.MessageCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** A worker's health as one line of JSON: durations in milliseconds, and null for what there is not. Stateless. */
final class HealthJson {

  private HealthJson() {}

  /** One object. */
  static String of(Health health) {
    return new JsonFields()
        .put("status", text(health.status().name()))
        .put("reasons", array(health.reasons().stream().map(HealthJson::reason).toList()))
        .put("state", text(health.state().name()))
        .put("lastReceive", health.lastReceive().map(HealthJson::time).orElse(null))
        .put("receiveDueMillis", health.receiveDue().map(Duration::toMillis).orElse(null))
        .put("beatsLateMillis", health.beatsLate().toMillis())
        .put("inFlight", health.inFlight())
        .put("heldLongestMillis", health.heldLongest().toMillis())
        .put("oldest", health.oldest().map(HealthJson::oldest).orElse(null))
        .put("stuck", array(health.stuck().stream().map(JsonFields::text).toList()))
        .put("breaker", health.breaker().map(JsonFields::text).orElse(null))
        .put("pauses", pauses(health.pauses()))
        .put("denied", array(health.denied().stream().map(JsonFields::text).toList()))
        .put("drain", health.drain().map(HealthJson::drain).orElse(null))
        .put("sample", health.sample().map(HealthJson::sample).orElse(null))
        .put("warnings", array(health.warnings().stream().map(JsonFields::text).toList()))
        .end();
  }

  private static String reason(HealthReason reason) {
    return new JsonFields()
        .put("kind", text(reason.kind().name()))
        .put("status", text(reason.status().name()))
        .put("words", text(reason.words()))
        .put("anchor", text(reason.kind().anchor()))
        .end();
  }

  private static String oldest(Health.Oldest oldest) {
    return new JsonFields()
        .put("messageId", text(oldest.messageId()))
        .put("receiveCount", oldest.receiveCount())
        .put("runningMillis", oldest.running().toMillis())
        .end();
  }

  private static String pauses(Map<PauseReason, String> pauses) {
    JsonFields fields = new JsonFields();
    pauses.forEach((reason, why) -> fields.put(reason.name(), text(why)));
    return fields.end();
  }

  private static String drain(Health.DrainProgress drain) {
    return new JsonFields()
        .put("inFlight", drain.inFlight())
        .put("left", drain.left())
        .put("budgetLeftMillis", drain.budgetLeft().toMillis())
        .end();
  }

  private static String sample(Health.QueueSample sample) {
    return new JsonFields()
        .put("queue", counts(sample.queue()))
        .put("deadLetters", sample.deadLetters().map(HealthJson::counts).orElse(null))
        .put("at", time(sample.at()))
        .end();
  }

  private static String counts(MessageCounts counts) {
    return new JsonFields()
        .put("visible", counts.visible())
        .put("notVisible", counts.notVisible())
        .put("delayed", counts.delayed())
        .end();
  }

  private static String time(Instant at) {
    return text(at.toString());
  }
}
