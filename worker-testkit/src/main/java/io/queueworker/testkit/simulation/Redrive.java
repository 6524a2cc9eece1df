package io.queueworker.testkit.simulation;

import io.queueworker.queue.QueueTraits;
import io.queueworker.testkit.engine.QueueEngine;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a simulated queue's messages go that were received too often, as its settings say now. Not thread-safe: belongs to the
 * thread that holds the baton.
 */
final class Redrive {

  private final SimulatedTiming timing;
  private final QueueEngine source;
  private final QueueTraits traits;
  private @Nullable SimulatedQueue known;

  Redrive(SimulatedTiming timing, QueueEngine source, QueueTraits traits) {
    this.timing = timing;
    this.source = source;
    this.traits = traits;
  }

  /** The dead-letter queue, if there is one. */
  Optional<SimulatedQueue> target() {
    QueueEngine target = source.settings().deadLetters();
    if (target == null) {
      return Optional.empty();
    }
    SimulatedQueue queue = known;
    if (queue == null || queue.engine() != target) {
      queue = new SimulatedQueue(timing, target, traits);
      known = queue;
    }
    return Optional.of(queue);
  }

  /** Sets the redrive policy. */
  void set(int receives, SimulatedQueue target) {
    source.settings().redrive(receives, target.engine());
    known = target;
  }

  /** Sets the receives of the redrive policy; a queue without one gets a dead-letter queue of its own. */
  void set(int receives) {
    set(receives, target().orElseGet(this::ownTarget));
  }

  private SimulatedQueue ownTarget() {
    QueueEngine target = source.sibling("dead-letters");
    target.settings().retention(Duration.ofDays(14));
    return new SimulatedQueue(timing, target, traits);
  }
}
