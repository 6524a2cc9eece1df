package io.queueworker;

import io.queueworker.handle.InPlace;
import io.queueworker.lease.LeaseTerms;
import io.queueworker.observe.Permissions;
import io.queueworker.observe.Permissions.Call;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.VisibilityChanged;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueException;
import io.queueworker.timing.Timing.ThreadPool;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The terms that leases obey now. Follows the queue's own visibility timeout, which is read every five minutes, unless one is
 * set. Thread-safe.
 */
final class CurrentTerms implements Supplier<LeaseTerms> {

  private static final long READ_EVERY = Duration.ofMinutes(5).toNanos();
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final MessageQueue queue;
  private final ThreadPool control;
  private final Permissions permissions;
  private final Consumer<WorkerEvent> events;
  private volatile LeaseTerms terms;
  private volatile boolean follows;
  private volatile InPlace inPlace = InPlace.UNKNOWN;

  /** When to read next; used by the heartbeat's thread only. */
  private long readAt;

  private boolean scheduled;

  /** Terms of 30 s until {@link #begin}. */
  CurrentTerms(
      MessageQueue queue,
      WorkerSettings settings,
      ThreadPool control,
      Permissions permissions,
      Consumer<WorkerEvent> events) {
    this.queue = queue;
    this.control = control;
    this.permissions = permissions;
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

  /** Has the queue's setting read when it is time. Part of every heartbeat tick. */
  void tick(long now) {
    if (!scheduled) {
      scheduled = true;
      readAt = now + READ_EVERY;
    } else if (follows && now - readAt >= 0) {
      readAt = now + READ_EVERY;
      control.execute(this::read);
    }
  }

  /** Reads no more: the queue is about to be closed. */
  void stop() {
    follows = false;
  }

  private void read() {
    if (!follows) {
      // It waited for a thread, or stood still, until the worker had closed.
      return;
    }
    Duration before = terms.visibilityTimeout();
    Duration own;
    try {
      own = queue.attributes().visibility();
    } catch (QueueException e) {
      // The old value stands; of anything but a missing permission a receive will tell.
      e.deniedAction().ifPresent(action -> permissions.denied(Call.ATTRIBUTES, action));
      return;
    }
    permissions.allowed(Call.ATTRIBUTES);
    if (own.compareTo(SHORTEST) >= 0 && !own.equals(before)) {
      terms = terms.withVisibility(own);
      events.accept(new VisibilityChanged(before, own));
    }
  }
}
