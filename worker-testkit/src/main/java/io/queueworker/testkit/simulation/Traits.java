package io.queueworker.testkit.simulation;

import io.queueworker.queue.QueueTraits;
import java.time.Duration;
import java.util.Optional;

/** What the kinds of simulated queues can do. Stateless, so thread-safe. */
final class Traits {

  private static final Duration TWELVE_HOURS = Duration.ofHours(12);

  static final QueueTraits STANDARD = sqs(false);
  static final QueueTraits FIFO = sqs(true);
  static final QueueTraits SMQ =
      new QueueTraits(
          16,
          Duration.ofSeconds(30),
          Duration.ofSeconds(1),
          TWELVE_HOURS,
          Optional.empty(),
          false,
          true,
          false,
          true,
          false);

  private Traits() {}

  private static QueueTraits sqs(boolean fifo) {
    return new QueueTraits(
        10,
        Duration.ofSeconds(20),
        Duration.ZERO,
        TWELVE_HOURS,
        Optional.of(TWELVE_HOURS),
        true,
        false,
        true,
        fifo,
        fifo);
  }

  /** Refuses the value of a setting outside its range. */
  static void requireRange(String setting, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(setting + " = " + value + ": give " + least + " to " + most);
    }
  }
}
