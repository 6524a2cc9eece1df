package io.queueworker;

import io.queueworker.queue.MessageQueue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The settings that a {@link WorkerBuilder} was given so far, with the defaults of the others. Not thread-safe. */
final class SettingsDraft {

  String workerId = "worker-" + UUID.randomUUID().toString().substring(0, 8);
  int maxConcurrency = 64;
  Optional<Integer> maxConcurrencyPerGroup = Optional.empty();
  Optional<Integer> maxPollers = Optional.empty();
  Optional<Duration> pollWait = Optional.empty();
  Duration receiveLinger = Duration.ZERO;
  Optional<Duration> visibility = Optional.empty();
  Duration controlTimeout = Duration.ofSeconds(3);
  Duration maxProcessingTime = Duration.ofHours(1);
  Optional<Duration> stallTimeout = Optional.empty();
  Optional<Duration> maxHold = Optional.empty();
  Duration drainTimeout = Duration.ofSeconds(25);
  Duration deleteLinger = Duration.ofMillis(100);
  boolean heartbeat = true;
  Optional<String> gateScope = Optional.empty();
  Duration healthDownAfter = Duration.ofMinutes(2);
  Duration sampleQueue = Duration.ofMinutes(5);
  boolean sampleDeadLetters;

  /** The settings for a worker on this queue, which has a say in some defaults. */
  WorkerSettings of(MessageQueue queue) {
    Duration longestHold = queue.traits().totalCap().orElse(Duration.ofHours(12)).minusMinutes(5);
    return new WorkerSettings(
        workerId,
        maxConcurrency,
        maxConcurrencyPerGroup,
        maxPollers.orElse(Math.clamp(Math.ceilDiv(maxConcurrency, 10), 1, 8)),
        pollWait.orElse(queue.traits().maxWait()),
        receiveLinger,
        visibility,
        controlTimeout,
        maxProcessingTime,
        stallTimeout,
        maxHold.orElse(longestHold),
        drainTimeout,
        deleteLinger,
        heartbeat,
        gateScope.orElse(queue.name()),
        healthDownAfter,
        sampleQueue,
        sampleDeadLetters);
  }

  /**
   * The settings, if nothing speaks against them.
   *
   * @param releaseAfter the delay with which messages that the circuit breaker stops are released
   * @throws IllegalArgumentException that lists all that does
   */
  WorkerSettings checked(MessageQueue queue, Optional<Duration> releaseAfter, boolean hasHandler) {
    WorkerSettings chosen = of(queue);
    List<String> problems = chosen.problems(queue.traits());
    releaseAfter.filter(delay -> delay.isNegative() || delay.compareTo(Duration.ofHours(12)) > 0)
        .ifPresent(delay -> problems.add("circuitBreaker's delay is " + delay + ": it must be PT0S to PT12H"));
    if (!hasHandler) {
      problems.add("there is no handler: call handler(…) or once(…)");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "the worker for queue " + queue.name() + " cannot be built:\n - " + String.join("\n - ", problems));
    }
    return chosen;
  }

  /** A value that was given for a setting; null is refused by the setting's name. */
  static <V> V given(String setting, V value) {
    return Objects.requireNonNull(
        value, () -> setting + " is null: give a value, or leave the call out for the default");
  }
}
