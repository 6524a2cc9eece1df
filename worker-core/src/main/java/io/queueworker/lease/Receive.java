package io.queueworker.lease;

import io.queueworker.queue.ReceivedMessage;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * One receive that was answered. What it brought is one slice of the queue; two receives are never the same slice, whatever
 * their times, so compare with {@code ==}. Its times are immutable; {@link #breakOff} and {@link #isBrokenOff} are guarded by
 * the lock of the lines that its messages join.
 */
public final class Receive {

  private final Duration visibility;
  private final long sentAt;
  private final long hiddenAt;

  /** The groups of which a message was not done. */
  private final Set<Optional<String>> brokenOff = new HashSet<>();

  /**
   * @param visibility how long it hides what it brought
   * @param sentAt when it was sent, by the lease clock
   * @param hiddenAt when the service answered at the latest, by the lease clock
   */
  public Receive(Duration visibility, long sentAt, long hiddenAt) {
    this.visibility = visibility;
    this.sentAt = sentAt;
    this.hiddenAt = hiddenAt;
  }

  /** How long it hides what it brought. */
  public Duration visibility() {
    return visibility;
  }

  /** When it was sent, by the lease clock. */
  public long sentAt() {
    return sentAt;
  }

  /** When the service answered at the latest, by the lease clock. */
  public long hiddenAt() {
    return hiddenAt;
  }

  /** Notes that a message was not done: those of its group that this receive brought later must not start. */
  public void breakOff(ReceivedMessage message) {
    brokenOff.add(message.group());
  }

  /** Whether a message of the same group was not done. */
  public boolean isBrokenOff(ReceivedMessage message) {
    return brokenOff.contains(message.group());
  }
}
