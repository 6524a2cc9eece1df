package io.queueworker.handle;

import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run's wait, under lease, for something to pass that is no failure of its message: after half a second it is tried again,
 * then later and later up to every fifteen seconds, or when what it waits for is known to be over. For the run's own thread.
 */
final class Holding {

  /** How long a message that could not be done here stays away: long enough for an unknown commit to show. */
  static final Duration GIVE_UP_DELAY = Duration.ofSeconds(10);

  private static final Duration FIRST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofSeconds(15);

  private final RunParts parts;
  private final HandlerRun<?, ?> run;
  private final @Nullable StartPermission start;
  private int holds;

  /**
   * @param start what the run needs before an attempt beside its lease, if it needs anything
   */
  Holding(RunParts parts, HandlerRun<?, ?> run, @Nullable StartPermission start) {
    this.parts = parts;
    this.run = run;
    this.start = start;
  }

  /** Holds the message for a while; the ending when it cannot be held longer. */
  Optional<Ending> hold(Try.Hold hold) {
    HoldReason reason = hold.reason();
    long pause = reason == HoldReason.BREAKER_OPEN ? permission().longestWait() : pause();
    holds++;
    long now = parts.clock().now();
    if (!run.lease().isHeld(now)) {
      return Optional.of(new Ending.Lost());
    }
    if (run.isDraining() || pause <= 0 || run.lease().holdLeft(now) <= pause) {
      return Optional.of(giveUp(reason));
    }
    parts
        .events()
        .accept(new HeldBack(run.messageId(), run.receiveCount(), reason, hold.why(), Duration.ofNanos(pause)));
    if (reason == HoldReason.GATE_UNAVAILABLE) {
      parts.threads().gateUnavailable(run, hold.why());
    }
    if (reason == HoldReason.BREAKER_OPEN) {
      permission().await(pause);
    } else {
      run.thread().sleep(pause, () -> isOver(reason));
    }
    return run.isDraining() ? Optional.of(giveUp(reason)) : Optional.empty();
  }

  /** What a message waits for that is held since the breaker is open. */
  private StartPermission permission() {
    return Objects.requireNonNull(start, "only a permission tells of an open breaker");
  }

  private long pause() {
    long longest = Math.min(LONGEST.toNanos(), FIRST.toNanos() << Math.min(holds, 10));
    return (long) (longest * (0.5 + parts.timing().random() / 2));
  }

  private boolean isOver(HoldReason reason) {
    return run.mustEnd() || (reason == HoldReason.EARLIER_RUN && !parts.threads().lines().hasToWait(run));
  }

  private Ending giveUp(HoldReason reason) {
    if (reason == HoldReason.BREAKER_OPEN) {
      return new Ending.Release(permission().releaseAfter().orElse(GIVE_UP_DELAY));
    }
    // A message whose earlier run still lives here is not released: it would start a second time beside it.
    return parts.threads().lines().isBesideEarlierRun(run)
        ? new Ending.Leave()
        : new Ending.Release(GIVE_UP_DELAY);
  }
}
