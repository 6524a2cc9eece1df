package io.queueworker.testkit.engine;

import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a queue, and how badly its service behaves. They may be changed at any time and hold at once; a real service takes up
 * to a minute (docs/queue-facts.md A5).
 *
 * <p>Not thread-safe: belongs to its engine. Its methods do not wait.
 */
public final class QueueSettings {

  private final Manner manner;
  private Duration visibility = Duration.ofSeconds(30);
  private Duration delay = Duration.ZERO;
  private Duration retention = Duration.ofDays(4);
  private OptionalInt maxReceiveCount = OptionalInt.empty();
  private @Nullable QueueEngine deadLetters;
  private int inFlightLimit = 120_000;
  private boolean contentBasedDeduplication;
  private boolean deduplicationPerGroup;
  private boolean anyOrder;
  private double partial;
  private double duplicate;
  private double redelivery;

  QueueSettings(Manner manner) {
    this.manner = manner;
  }

  /** Sets the visibility timeout of receives that give none, 0 to 12 hours; 30 seconds unless set. */
  public QueueSettings visibility(Duration timeout) {
    this.visibility = within("visibility", timeout, Duration.ZERO, Duration.ofHours(12));
    return this;
  }

  /** Sets how long a message that gives no delay is hidden at first, 0 to 15 minutes; zero unless set. */
  public QueueSettings delay(Duration length) {
    this.delay = within("delay", length, Duration.ZERO, Duration.ofMinutes(15));
    return this;
  }

  /** Sets after how long a message disappears, also while it is in flight, 60 seconds to 14 days; 4 days unless set. */
  public QueueSettings retention(Duration length) {
    this.retention = within("retention", length, Duration.ofSeconds(60), Duration.ofDays(14));
    return this;
  }

  /**
   * Sets the redrive policy: the receive after {@code maxReceiveCount} ones moves the message to {@code target}; none unless set.
   *
   * @param maxReceiveCount 1 to 1,000
   * @param target a queue of the same kind
   */
  public QueueSettings redrive(int maxReceiveCount, QueueEngine target) {
    if (maxReceiveCount < 1 || maxReceiveCount > 1000) {
      throw new IllegalArgumentException("maxReceiveCount = " + maxReceiveCount + ": give 1 to 1000");
    }
    if (target.manner() != manner) {
      throw new IllegalArgumentException(
          "dead-letter queue " + target.name() + " is of another kind: give one of the same kind as its source");
    }
    this.maxReceiveCount = OptionalInt.of(maxReceiveCount);
    this.deadLetters = target;
    return this;
  }

  /** Takes the redrive policy away. */
  public QueueSettings noRedrive() {
    this.maxReceiveCount = OptionalInt.empty();
    this.deadLetters = null;
    return this;
  }

  /** Sets how many messages may be in flight before receives bring none; 120,000 unless set. */
  public QueueSettings inFlightLimit(int messages) {
    this.inFlightLimit = messages;
    return this;
  }

  /** Makes a FIFO queue use the SHA-256 of the body as deduplication id when the sender gives none; off unless set. */
  public QueueSettings contentBasedDeduplication(boolean on) {
    this.contentBasedDeduplication = on;
    return this;
  }

  /** Makes a FIFO queue recognise a message only within its group, as high throughput does; off unless set. */
  public QueueSettings deduplicationPerGroup(boolean on) {
    this.deduplicationPerGroup = on;
    return this;
  }

  /** Makes receives bring messages, or groups on a FIFO queue, in an order drawn from the seed; the order of sending unless set. */
  public QueueSettings anyOrder(boolean on) {
    this.anyOrder = on;
    return this;
  }

  /** Sets the share of receives, 0 to 1, that bring fewer messages than they could; zero unless set. */
  public QueueSettings partialReceives(double share) {
    this.partial = share("partialReceives", share);
    return this;
  }

  /**
   * Sets the share of receives of a message, 0 to 1, after which the message may be handed out once more while it is in flight; zero
   * unless set. A FIFO queue never does.
   */
  public QueueSettings duplicates(double share) {
    this.duplicate = share("duplicates", share);
    return this;
  }

  /**
   * Sets the share of deletes, 0 to 1, after which the message comes once more although the delete was answered well; zero unless set. A
   * FIFO queue never does.
   */
  public QueueSettings redeliveriesAfterDelete(double share) {
    this.redelivery = share("redeliveriesAfterDelete", share);
    return this;
  }

  /** The visibility timeout of receives that give none. */
  public Duration visibility() {
    return visibility;
  }

  /** How long a message that gives no delay is hidden at first. */
  public Duration delay() {
    return delay;
  }

  /** After how long a message disappears. */
  public Duration retention() {
    return retention;
  }

  /** After how many receives a message is moved to the dead-letter queue, if it is. */
  public OptionalInt maxReceiveCount() {
    return maxReceiveCount;
  }

  /** Where messages go that were received too often; null when nowhere. */
  public @Nullable QueueEngine deadLetters() {
    return deadLetters;
  }

  /** How many messages may be in flight. */
  public int inFlightLimit() {
    return inFlightLimit;
  }

  /** Whether the body stands in for a deduplication id. */
  public boolean isContentBasedDeduplication() {
    return contentBasedDeduplication;
  }

  /** Whether a message is recognised only within its group. */
  public boolean isDeduplicationPerGroup() {
    return deduplicationPerGroup;
  }

  boolean isAnyOrder() {
    return anyOrder;
  }

  double partialShare() {
    return partial;
  }

  double duplicateShare() {
    return manner == Manner.FIFO ? 0 : duplicate;
  }

  double redeliveryShare() {
    return manner == Manner.FIFO ? 0 : redelivery;
  }

  private static double share(String setting, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(setting + " = " + value + ": give a share from 0 to 1");
    }
    return value;
  }

  private static Duration within(String setting, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(setting + " = " + value + ": give " + least + " to " + most);
    }
    return value;
  }
}
