package io.queueworker;

import io.queueworker.Health.QueueSample;
import io.queueworker.observe.Permissions;
import io.queueworker.observe.Permissions.Call;
import io.queueworker.queue.MessageCounts;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueAttributes;
import io.queueworker.queue.QueueException;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadPool;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reads the queue's settings and how many messages it has, both with one call from time to time: as often as it is to be
 * sampled, and at least every five minutes while the worker follows the queue's own visibility timeout. Thread-safe.
 */
final class QueueReading {

  private static final Duration FOLLOW_EVERY = Duration.ofMinutes(5);

  /** A sample is forgotten when so many more should have come since. */
  private static final int MISSED = 3;

  private final MessageQueue queue;
  private final Timing timing;
  private final ThreadPool control;
  private final Permissions permissions;
  private final CurrentTerms terms;
  private final Duration sampleEvery;
  private final boolean sampleDeadLetters;
  private final AtomicBoolean underWay = new AtomicBoolean();
  private volatile boolean sampling;
  private volatile boolean stopped;
  private volatile Optional<Sample> sample = Optional.empty();

  /** When to read next; used by the heartbeat's thread only. */
  private long readAt;

  private boolean scheduled;

  /** The dead-letter queue, once it is known; used by one read at a time. */
  private Optional<MessageQueue> deadLetters = Optional.empty();

  private record Sample(QueueSample counts, long takenAt) {}

  /** Reads nothing before {@link #begin}. */
  QueueReading(
      MessageQueue queue,
      WorkerSettings settings,
      Timing timing,
      ThreadPool control,
      Permissions permissions,
      CurrentTerms terms) {
    this.queue = queue;
    this.timing = timing;
    this.control = control;
    this.permissions = permissions;
    this.terms = terms;
    this.sampleEvery = settings.sampleQueue();
    this.sampleDeadLetters = settings.sampleDeadLetters();
  }

  /** Takes what the start found. Where it could not read, nothing is read later. */
  void begin(QueueCheck.Findings findings) {
    terms.begin(findings);
    sampling = !sampleEvery.isZero() && findings.attributes().isPresent();
    findings.attributes().flatMap(QueueAttributes::counts).ifPresent(counts -> keep(counts, Optional.empty()));
  }

  /** Has the queue read when it is time. Part of every heartbeat tick. */
  void tick(long now) {
    if (!scheduled) {
      scheduled = true;
      // The start has read the queue, and not its dead-letter queue.
      readAt = sampling && sampleDeadLetters ? now : now + every().toNanos();
    }
    if ((sampling || terms.followsQueue()) && now - readAt >= 0 && underWay.compareAndSet(false, true)) {
      readAt = now + every().toNanos();
      boolean queued = false;
      try {
        queued = control.execute(this::read);
      } finally {
        if (!queued) {
          underWay.set(false);
        }
      }
    }
  }

  private Duration every() {
    boolean often = sampling && (!terms.followsQueue() || sampleEvery.compareTo(FOLLOW_EVERY) < 0);
    return often ? sampleEvery : FOLLOW_EVERY;
  }

  /** Reads no more: the queue is about to be closed. */
  void stop() {
    stopped = true;
  }

  private void read() {
    try {
      // It may have waited for a thread, or stood still, until the worker had closed.
      if (!stopped) {
        readQueue();
      }
    } finally {
      underWay.set(false);
    }
  }

  private void readQueue() {
    QueueAttributes attributes;
    try {
      attributes = queue.attributes();
    } catch (QueueException e) {
      // The old values stand; of anything but a missing permission a receive will tell.
      e.deniedAction().ifPresent(action -> permissions.denied(Call.ATTRIBUTES, action));
      return;
    }
    permissions.allowed(Call.ATTRIBUTES);
    terms.read(attributes);
    if (sampling) {
      attributes.counts().ifPresent(counts -> keep(counts, deadLetters(attributes)));
    }
  }

  private Optional<MessageCounts> deadLetters(QueueAttributes attributes) {
    Optional<String> name = sampleDeadLetters ? attributes.deadLetterQueue() : Optional.empty();
    if (name.isEmpty()) {
      return Optional.empty();
    }
    try {
      if (!deadLetters.map(MessageQueue::name).equals(name)) {
        deadLetters = queue.deadLetters();
      }
      Optional<MessageCounts> counts = deadLetters.flatMap(found -> found.attributes().counts());
      permissions.allowed(Call.SAMPLE);
      return counts;
    } catch (QueueException e) {
      // It is only for people to know; the worker needs nothing of it.
      e.deniedAction().ifPresent(action -> permissions.denied(Call.SAMPLE, action + Permissions.ON_DEAD_LETTERS));
      return Optional.empty();
    }
  }

  private void keep(MessageCounts counts, Optional<MessageCounts> dead) {
    sample = Optional.of(new Sample(new QueueSample(counts, dead, timing.now()), timing.nanoTime()));
  }

  /** What was last read; empty when reads have failed since for long. */
  Optional<QueueSample> sample() {
    long now = timing.nanoTime();
    long old = every().multipliedBy(MISSED).toNanos();
    return sampling ? sample.filter(s -> now - s.takenAt < old).map(Sample::counts) : Optional.empty();
  }
}
