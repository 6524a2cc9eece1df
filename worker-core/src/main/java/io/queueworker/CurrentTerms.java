package io.queueworker;

import io.queueworker.handle.InPlace;
import io.queueworker.lease.LeaseTerms;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.VisibilityChanged;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueAttributes;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The terms that leases obey now. Follows the queue's own visibility timeout unless one is set. Thread-safe.
 */
final class CurrentTerms implements Supplier<LeaseTerms> {

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final Consumer<WorkerEvent> events;
  private volatile LeaseTerms terms;
  private volatile boolean follows;
  private volatile InPlace inPlace = InPlace.UNKNOWN;

  /** Terms of 30 s until {@link #begin}. */
  CurrentTerms(MessageQueue queue, WorkerSettings settings, Consumer<WorkerEvent> events) {
    this.events = events;
    this.terms =
        LeaseTerms.of(
            settings.visibility().orElse(Duration.ofSeconds(30)),
            queue.traits().totalCap(),
            settings.maxHold(),
            settings.maxProcessingTime(),
            settings.stallTimeout(),
            settings.heartbeat());
  }

  @Override
  public LeaseTerms get() {
    return terms;
  }

  /** How a failed message of a FIFO queue is tried again while its group waits behind it. */
  InPlace inPlace() {
    return inPlace;
  }

  /** Takes what the start found. */
  void begin(QueueCheck.Findings findings) {
    terms = terms.withVisibility(findings.visibility());
    follows = findings.followsQueue();
    inPlace = findings.inPlace();
  }

  /** Whether the queue's own visibility timeout is the one to use. */
  boolean followsQueue() {
    return follows;
  }

  /** Takes what the queue's settings are now, if they count here. */
  void read(QueueAttributes attributes) {
    Duration before = terms.visibilityTimeout();
    Duration own = attributes.visibility();
    if (follows && own.compareTo(SHORTEST) >= 0 && !own.equals(before)) {
      terms = terms.withVisibility(own);
      events.accept(new VisibilityChanged(before, own));
    }
  }
}
