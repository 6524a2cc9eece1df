package io.queueworker.handle;

import io.queueworker.Failure.Stage;
import io.queueworker.gate.DriverWords;
import io.queueworker.handle.Breaker.Ticket;
import io.queueworker.lease.Lease;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one run needs before each attempt beside its lease: a permission of the breaker and one of the rate, each if there is
 * one. A permission of the breaker that led to no outcome is given back; one of the rate stays for the run's next attempt.
 *
 * <p>For the run's own thread; the breaker gives it a permission from another while it waits for one.
 */
final class StartPermission {

  /**
   * In so many rounds at least a message fails as a probe before it counts as failed itself, and in as many as there were
   * before its first: so a poison message goes soon, and a long outage costs a message few receives.
   */
  private static final int LEAST_ROUNDS = 3;

  private static final long FIRST_REST = Duration.ofSeconds(1).toNanos();

  /** What a message that waits for the breaker keeps of its hold, so that its release still falls into it. */
  private static final long RELEASE_MARGIN = Duration.ofSeconds(15).toNanos();

  private final RunParts parts;
  private final Lease lease;
  private final RunThread thread;
  private final BooleanSupplier mustEnd;
  private volatile @Nullable Ticket ticket;
  private volatile long notBefore;
  private volatile int failedRounds;
  private int lastRound;
  private int mostRounds = LEAST_ROUNDS;
  private boolean failedBefore;
  private boolean paced;

  /**
   * @param mustEnd whether the run must not wait any longer: its lease is lost, or the worker drains
   */
  StartPermission(RunParts parts, Lease lease, RunThread thread, BooleanSupplier mustEnd) {
    this.parts = parts;
    this.lease = lease;
    this.thread = thread;
    this.mustEnd = mustEnd;
    this.notBefore = parts.clock().now();
  }

  /** Runs the attempt, if it may start; tells what it comes to. */
  Try run(HandlerAttempt<?, ?> attempt) {
    return ask().orElseGet(() -> report(attempt.run(), attempt.handlerTook()));
  }

  /** Asks for all that is needed, and waits for the rate; gives what the attempt comes to when it may not start. */
  private Optional<Try> ask() {
    Optional<Try> refused = parts.starts().breaker().flatMap(this::askBreaker);
    if (refused.isPresent() || paced || parts.starts().pace().isEmpty()) {
      return refused;
    }
    Optional<Try> late = parts.starts().pace().flatMap(this::askPace);
    // It may have opened while this run waited for the rate.
    return late.isPresent() ? late : parts.starts().breaker().flatMap(this::askBreaker);
  }

  private Optional<Try> askBreaker(Breaker breaker) {
    Ticket had = ticket;
    if (had != null && (had.probe() ? breaker.isCurrent(had) : breaker.isClosed())) {
      return Optional.empty();
    }
    giveBack();
    Optional<Ticket> given = breaker.ask();
    ticket = given.orElse(null);
    return given.isPresent() ? Optional.empty() : Optional.of(new Try.Hold(HoldReason.BREAKER_OPEN, breaker.words()));
  }

  private Optional<Try> askPace(Pace pace) {
    long wait = pace.take();
    if (wait > 0) {
      parts.events().accept(
          new HeldBack(
              lease.message().id(),
              lease.message().receiveCount(),
              HoldReason.RATE_LIMITED,
              pace.words(),
              Duration.ofNanos(wait)));
      thread.sleep(wait, mustEnd);
    }
    paced = wait >= 0 && !mustEnd.getAsBoolean();
    return paced ? Optional.empty() : Optional.of(new Try.Hold(HoldReason.RATE_LIMITED, pace.words()));
  }

  /**
   * Tells the breaker what the attempt came to.
   *
   * @param took how long the handler ran, in nanoseconds, negative when it did not
   * @return what the attempt comes to: a message that fails while the dependency is down is held
   */
  private Try report(Try result, long took) {
    if (took >= 0) {
      paced = false;
    }
    Ticket used = ticket;
    return switch (result) {
      case Try.Committed committed -> {
        parts.starts().pace().ifPresent(Pace::succeeded);
        if (used != null) {
          ticket = null;
          parts.starts().breaker().ifPresent(breaker -> breaker.succeeded(used, took));
        }
        yield committed;
      }
      case Try.Failed failed when isOutcome(failed) -> {
        parts.starts().pace().ifPresent(pace -> pace.failed(failed.cause()));
        yield used == null ? failed : failed(used, failed, took);
      }
      default -> result;
    };
  }

  /** Whether the failure says something about what the handler works with: not when the handler itself decided. */
  private boolean isOutcome(Try.Failed failed) {
    return (failed.stage() == Stage.HANDLE || failed.stage() == Stage.COMMIT) && !PolicyQuestion.isSaid(failed.cause())
        && !thread.wasTold() && lease.isHeld(parts.clock().now());
  }

  private Try failed(Ticket used, Try.Failed failed, long took) {
    Breaker breaker = parts.starts().breaker().orElseThrow();
    ticket = null;
    breaker.failed(used, took, failed.cause());
    if (breaker.isClosed() || breaker.releaseAfter().isPresent()) {
      return failed;
    }
    if (!used.probe() && failedBefore) {
      // The breaker had closed since, so others could do their work: this one fails by itself.
      return failed;
    }
    failedBefore = true;
    if (used.probe() && used.inRow() != lastRound) {
      int rounds = failedRounds;
      mostRounds = rounds == 0 ? Math.max(LEAST_ROUNDS, used.inRow() - 1) : mostRounds;
      lastRound = used.inRow();
      failedRounds = rounds + 1;
    }
    if (failedRounds >= mostRounds) {
      return failed;
    }
    notBefore = parts.clock().now() + (used.probe() ? FIRST_REST << Math.min(4, failedRounds) : 0);
    return new Try.Hold(HoldReason.BREAKER_OPEN,
        breaker.words() + "; the handler failed: " + DriverWords.of(failed.cause()));
  }

  /** Gives the breaker's permission back, if there is one that led to no outcome. */
  void giveBack() {
    Ticket unused = ticket;
    if (unused != null) {
      ticket = null;
      parts.starts().breaker().ifPresent(breaker -> breaker.giveBack(unused));
    }
  }

  /** How long the message can wait for the breaker, in nanoseconds; zero or less when it is to be released at once. */
  long longestWait() {
    boolean holds = parts.starts().breaker().flatMap(Breaker::releaseAfter).isEmpty();
    return holds ? lease.holdLeft(parts.clock().now()) - RELEASE_MARGIN : 0;
  }

  /** The delay with which the user wants a message released that may not start, if so. */
  Optional<Duration> releaseAfter() {
    return parts.starts().breaker().flatMap(Breaker::releaseAfter);
  }

  /** Waits up to {@code nanos} for the breaker's permission, or for the breaker to close. */
  void await(long nanos) {
    Breaker breaker = parts.starts().breaker().orElseThrow();
    breaker.waits(this);
    try {
      thread.sleep(nanos, () -> mustEnd.getAsBoolean() || ticket != null || breaker.isClosed());
    } finally {
      breaker.leaves(this);
    }
  }

  /** Takes the breaker's permission while the run waits for it. */
  void granted(Ticket given) {
    ticket = given;
  }

  void wake() {
    thread.wake();
  }

  /** From when on, by the lease clock, it may be a probe. */
  long notBefore() {
    return notBefore;
  }

  /** In how many rounds the message has failed as a probe. */
  int failedRounds() {
    return failedRounds;
  }
}
