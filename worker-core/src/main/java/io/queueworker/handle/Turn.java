package io.queueworker.handle;

import io.queueworker.lease.Lease;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import java.time.Duration;
import java.util.Optional;

/**
 * A run's wait, under lease, for those before it in its message group. On a queue without order its turn has always come.
 *
 * <p>Thread-safe: {@link #await()} is for the run's own thread.
 */
final class Turn {

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
    boolean waited = false;
    while (parts.fifo() && isHeld()) {
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
