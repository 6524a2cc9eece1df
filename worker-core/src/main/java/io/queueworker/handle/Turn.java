package io.queueworker.handle;

import io.queueworker.lease.Lease;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import java.time.Duration;
import java.util.Optional;

/**
 * A run's wait, under lease, for those before it in its message group; on a queue without order, for a place in its group.
 *
 * <p>Thread-safe: {@link #await()} is for the run's own thread.
 */
final class Turn {

  /** How long a message stays away whose group has as many at work and waiting as may be, half more or less. */
  private static final Duration REFUSED_DELAY = Duration.ofSeconds(30);

  private final RunParts parts;
  private final HandlerRun<?, ?> run;
  private final Lease lease;
  private volatile boolean givenUp;

  Turn(RunParts parts, HandlerRun<?, ?> run) {
    this.parts = parts;
    this.run = run;
    this.lease = run.lease();
  }

  /** Waits; gives the ending when the run is not to start. Also returns when the lease is no longer held. */
  Optional<Ending> await() {
    if (!parts.fifo()) {
      return awaitPlace();
    }
    boolean waited = false;
    while (isHeld()) {
      boolean first = !hasToWait();
      if (givenUp || goesBack(waited, first)) {
        return Optional.of(back());
      }
      if (first) {
        break;
      }
      if (!waited && parts.threads().lines().waitsForEarlierReceive(run)) {
        tell();
      }
      waited = true;
      run.thread().sleep(startsWithin(parts.clock().now()), this::isOver);
    }
    return Optional.empty();
  }

  /** Waits for a place among those of its group. */
  private Optional<Ending> awaitPlace() {
    Place place = run.place();
    if (place.isRefused()) {
      return Optional.of(away());
    }
    if (!place.isWaiting()) {
      return Optional.empty();
    }
    long now = parts.clock().now();
    // With a hold that is hardly longer than a run, a part of it is still worth the wait: going back costs a receive.
    long longest = Math.max(startsWithin(now), lease.holdLeft(now) / 2);
    parts
        .events()
        .accept(
            new HeldBack(
                run.messageId(),
                run.receiveCount(),
                HoldReason.GROUP_FULL,
                "its group has maxConcurrencyPerGroup messages at work",
                Duration.ofNanos(longest)));
    run.thread().sleep(longest, () -> !place.isWaiting() || run.mustEnd());
    if (!place.isWaiting() || !isHeld()) {
      return Optional.empty();
    }
    return Optional.of(run.isDraining() ? new Ending.Release(Duration.ZERO) : away());
  }

  private Ending away() {
    return new Ending.Release(
        Duration.ofNanos((long) (REFUSED_DELAY.toNanos() * (0.5 + parts.timing().random()))));
  }

  private boolean goesBack(boolean waited, boolean first) {
    boolean waits = waited || !first;
    return waits && (run.isDraining() || !fits(0, parts.clock().now()));
  }

  /** One whose earlier run still lives here is not released: it would start a second time beside it. */
  private Ending back() {
    return parts.threads().lines().isBesideEarlierRun(run)
        ? new Ending.Leave()
        : new Ending.Release(Duration.ZERO);
  }

  private void tell() {
    String why = "a message of its group that came by an earlier receive is still worked on in this process";
    Duration longest = Duration.ofNanos(startsWithin(parts.clock().now()));
    parts.events()
        .accept(new HeldBack(run.messageId(), lease.message().receiveCount(), HoldReason.EARLIER_RUN, why, longest));
  }

  private boolean isOver() {
    return givenUp || run.isDraining() || !isHeld() || !hasToWait();
  }

  private boolean hasToWait() {
    return parts.threads().lines().hasToWait(run);
  }

  private boolean isHeld() {
    return lease.isHeld(parts.clock().now());
  }

  /** Whether a run that begins {@code delay} nanoseconds from {@code now} would end, with its delete, within the hold. */
  boolean fits(long delay, long now) {
    return startsWithin(now) > delay;
  }

  /** How long from {@code now} a run may begin at the latest, so that it ends, with its delete, within the hold. */
  private long startsWithin(long now) {
    return lease.holdLeft(now) - parts.longestRun() - InPlace.DELETE_MARGIN.toNanos();
  }

  /** One before it did not do its part: its turn never comes. */
  void giveUp() {
    givenUp = true;
    run.thread().wake();
  }
}
