package io.queueworker.observe;

import io.queueworker.Health;
import io.queueworker.Health.QueueSample;
import io.queueworker.Health.Status;
import io.queueworker.HealthReason.Kind;
import io.queueworker.queue.MessageCounts;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The meters that show a worker's health. Stateless. */
final class HealthMeters {

  private static final double NANOS_PER_SECOND = 1e9;

  private HealthMeters() {}

  /** Registers them; each reads {@code health} when it is published. */
  static void register(WorkerMeters meters, Supplier<Health> health) {
    meters.number("queueworker.health", () -> figure(health.get().status()));
    for (Kind kind : Kind.values()) {
      String reason = kind.name().toLowerCase(Locale.ROOT);
      meters.number("queueworker.health.reasons", () -> health.get().has(kind) ? 1 : 0, "reason", reason);
    }
    meters.seconds("queueworker.receives.due", () -> seconds(health.get().receiveDue().orElse(Duration.ZERO)));
    meters.seconds("queueworker.beats.late", () -> seconds(health.get().beatsLate()));
    meters.seconds("queueworker.inflight.oldest", () -> seconds(health.get().heldLongest()));
    messages(meters, health, "visible", MessageCounts::visible);
    messages(meters, health, "not_visible", MessageCounts::notVisible);
    messages(meters, health, "delayed", MessageCounts::delayed);
    meters.figure(
        "queueworker.deadletters.messages",
        () -> count(health, QueueSample::deadLetters, MessageCounts::total));
  }

  private static void messages(
      WorkerMeters meters, Supplier<Health> health, String state, ToLongFunction<MessageCounts> count) {
    meters.figure(
        "queueworker.queue.messages",
        () -> count(health, sample -> Optional.of(sample.queue()), count),
        "state",
        state);
  }

  private static double count(
      Supplier<Health> health,
      Function<QueueSample, Optional<MessageCounts>> which,
      ToLongFunction<MessageCounts> count) {
    return health.get().sample().flatMap(which).map(counts -> (double) count.applyAsLong(counts)).orElse(Double.NaN);
  }

  private static long figure(Status status) {
    return switch (status) {
      case DOWN -> 0;
      case DEGRADED -> 1;
      case UP -> 2;
    };
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / NANOS_PER_SECOND;
  }
}
