package io.queueworker.receive;

import io.queueworker.PauseReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether receives complete when they are due. One is due while a worker runs, nothing stops it from receiving, and either a
 * receive is under way or there is a permit for one. Thread-safe; all times are lease time in nanoseconds.
 */
public final class ReceiveWatch {

  /** Looks further apart than this tell nothing of what was between them: the process stood still. */
  private static final long STILL = Duration.ofSeconds(10).toNanos();

  private final Pauses pauses;
  private final Permits permits;
  private final Pollers pollers;
  private volatile boolean begun;
  private volatile Optional<Instant> last = Optional.empty();
  private volatile long completedAt;

  /** When a look last found that none was due. */
  private volatile long notDueAt;

  private volatile long lookedAt;

  ReceiveWatch(Pauses pauses, Permits permits, Pollers pollers) {
    this.pauses = pauses;
    this.permits = permits;
    this.pollers = pollers;
  }

  /** The worker begins to receive. */
  void begin(long now) {
    completedAt = now;
    notDueAt = now;
    lookedAt = now;
    begun = true;
  }

  /** A receive ended well. */
  void completed(long now, Instant at) {
    completedAt = now;
    last = Optional.of(at);
  }

  /** Looks whether one is due. Part of every heartbeat tick. */
  public void tick(long now) {
    if (isStill(now) || !isDue()) {
      notDueAt = now;
    }
    lookedAt = now;
  }

  private boolean isStill(long now) {
    return now - lookedAt >= STILL;
  }

  private boolean isDue() {
    if (!pauses.letReceive()) {
      return false;
    }
    // While the rate limiter paces it, none is due before handlers may start.
    return pollers.held() > 0 || (permits.free() > 0 && !pauses.reasons().containsKey(PauseReason.RATE_LIMITED));
  }

  /** How long one has been due without any that completed; empty when none is due, or when nobody looked for long. */
  public Optional<Duration> due(long now) {
    if (!begun || isStill(now) || !isDue()) {
      return Optional.empty();
    }
    long completed = completedAt;
    long notDue = notDueAt;
    return Optional.of(Duration.ofNanos(Math.max(0, now - (completed - notDue > 0 ? completed : notDue))));
  }

  /** When one last completed, empty ones included. */
  Optional<Instant> last() {
    return last;
  }
}
