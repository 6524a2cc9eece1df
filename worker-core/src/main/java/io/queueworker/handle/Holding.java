package io.queueworker.handle;

import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import java.time.Duration;
import java.util.Optional;

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
  private final StartPermission start;
  private int holds;

  Holding(RunParts parts, HandlerRun<?, ?> run, StartPermission start) {
    this.parts = parts;
    this.run = run;
    this.start = start;
  }

  /** Whether the message has been held at all. */
  boolean hasHeld() {
    return holds > 0;
  }

  /** Holds the message for a while; the ending when it cannot be held longer. */
  Optional<Ending> hold(Try.Hold hold) {
    HoldReason reason = hold.reason();
    long pause = reason == HoldReason.BREAKER_OPEN ? start.longestWait() : pause();
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
      start.await(pause);
    } else {
      run.thread().sleep(pause, () -> isOver(reason));
    }
    return run.isDraining() ? Optional.of(giveUp(reason)) : Optional.empty();
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
      return new Ending.Release(start.releaseAfter().orElse(GIVE_UP_DELAY));
    }
    // A message whose earlier run still lives here is not released: it would start a second time beside it.
    return parts.threads().lines().isBesideEarlierRun(run)
        ? new Ending.Leave()
        : new Ending.Release(GIVE_UP_DELAY);
  }
}
