package io.queueworker.handle;

import io.queueworker.Delivery;
import io.queueworker.LeaseLostException;
import io.queueworker.LossReason;
import io.queueworker.lease.Heartbeat;
import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseClock;
import io.queueworker.queue.ReceivedMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A delivery under a real lease. Thread-safe. */
record LiveDelivery<T>(
    T body, Lease lease, LeaseClock clock, Heartbeat heartbeat, LossActions lossActions) implements Delivery<T> {

  /** The longest visibility timeout of any service; the lease clamps further. */
  private static final Duration LONGEST_WISH = Duration.ofHours(12);

  private ReceivedMessage message() {
    return lease.message();
  }

  @Override
  public String id() {
    return message().id();
  }

  @Override
  public Map<String, String> attributes() {
    return message().attributes();
  }

  @Override
  public int receiveCount() {
    return message().receiveCount();
  }

  @Override
  public Optional<Instant> sentAt() {
    return message().sentAt();
  }

  @Override
  public Optional<String> group() {
    return message().group();
  }

  @Override
  public Duration remaining() {
    return Duration.ofNanos(lease.remaining(clock.now()));
  }

  @Override
  public boolean isHeld() {
    return lease.isHeld(clock.now());
  }

  @Override
  public void checkHeld() {
    if (!isHeld()) {
      String why = lease.lossReason().orElse(LossReason.EXPIRED).words();
      throw new LeaseLostException(
          "message " + id() + " is not held any more: " + why + "; stop working on it, it comes again");
    }
  }

  @Override
  public void onLost(Consumer<LossReason> action) {
    lossActions.add(action);
  }

  @Override
  public void extendTo(Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(
          "extendTo(" + duration + "): the duration counts from now and must be above zero");
    }
    long now = clock.now();
    Duration clamped = duration.compareTo(LONGEST_WISH) > 0 ? LONGEST_WISH : duration;
    heartbeat.extendTo(lease, now + clamped.toNanos(), now);
  }

  @Override
  public void progress() {
    lease.watch().progressed(clock.now());
  }

  /** Names the delivery without its body. */
  @Override
  public String toString() {
    return "Delivery[id=" + id() + ", receiveCount=" + receiveCount() + "]";
  }
}
