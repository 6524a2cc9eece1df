package io.queueworker.settle;

import io.queueworker.lease.LeaseClock;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The dead-letter queue that rejected messages are sent to. It is looked for when the first is rejected, and again after five
 * minutes or a send that failed: the redrive policy may have changed. Thread-safe.
 */
final class DeadLetterTarget {

  private static final long GOOD_FOR = Duration.ofMinutes(5).toNanos();

  private final MessageQueue source;
  private final LeaseClock clock;
  private volatile @Nullable Found found;

  /** When a send to it was denied last; null when the latest was not. */
  private volatile @Nullable Long deniedAt;

  /** The target of what is rejected from {@code source}. */
  DeadLetterTarget(MessageQueue source, LeaseClock clock) {
    this.source = source;
    this.clock = clock;
  }

  private record Found(Optional<MessageQueue> queue, long at) {}

  /**
   * The queue; empty when the redrive policy names none. May block on I/O.
   *
   * @throws QueueException when the policy cannot be read
   */
  Optional<MessageQueue> get() {
    Found known = found;
    if (known == null || isOld(known.at())) {
      known = new Found(source.deadLetters(), clock.now());
      found = known;
    }
    return known.queue();
  }

  /** Has it looked for again next time. */
  void forget() {
    found = null;
  }

  /** Notes whether the latest send was denied. */
  void denied(boolean denied) {
    deniedAt = denied ? clock.now() : null;
  }

  /**
   * Whether nothing is known that would keep a message from being sent to it. What was found out five minutes ago may have
   * changed, and only another try can tell.
   */
  boolean isReachable() {
    Found known = found;
    boolean missing = known != null && known.queue().isEmpty() && !isOld(known.at());
    Long denied = deniedAt;
    return !missing && (denied == null || isOld(denied));
  }

  private boolean isOld(long at) {
    return clock.now() - at >= GOOD_FOR;
  }
}
