package io.queueworker.observe;

import io.queueworker.LossReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What went wrong in a worker of late, for its health: receives, deletes and rejects that fail in a row, lost leases, and bugs
 * of the library. To be registered as inline. Thread-safe.
 */
public final class RecentTrouble implements WorkerListener {

  /** How long a lost lease or a bug is remembered, and failures after the latest one. */
  public static final Duration REMEMBERED = Duration.ofMinutes(5);

  /** So many failures in a row are more than a hiccup. */
  private static final int IN_A_ROW = 3;

  /** Failures for so long are, too: those of one call come together. */
  private static final long LASTING = Duration.ofSeconds(10).toNanos();

  private final Spell receives = new Spell();
  private final Spell deletes = new Spell();
  private final Spell rejects = new Spell();
  private final Spell losses = new Spell();
  private final Spell bugs = new Spell();

  /** Nothing so far. */
  public RecentTrouble() {}

  /**
   * Trouble of one sort without a break.
   *
   * @param count how often
   * @param since when it first happened
   * @param latest what happened last, in words
   */
  public record Trouble(long count, Instant since, String latest) {}

  @Override
  public void onEvent(EventContext context, WorkerEvent event) {
    switch (event) {
      case WorkerEvent.ReceiveCompleted e -> receives.end();
      case WorkerEvent.ReceiveFailed e ->
          receives.set(context, e.inARow(), OneLine.of(e.kind()) + ": " + OneLine.of(e.why()));
      case WorkerEvent.Deleted e -> deletes.end();
      case WorkerEvent.DeleteFailed e -> deletes.add(context, OneLine.of(e.why()));
      case WorkerEvent.Rejected e -> rejects.end();
      case WorkerEvent.RejectFailed e -> rejects.add(context, OneLine.of(e.why()));
      case WorkerEvent.LeaseLost e when tells(e.reason()) ->
          losses.add(context, "message " + e.messageId() + ": " + e.reason().words());
      case WorkerEvent.InternalError e -> bugs.add(context, OneLine.of(e.where()));
      default -> {
        // Nothing that health tells of.
      }
    }
  }

  /** Whether a loss for this reason is trouble: of the others, one was asked for and one belongs to a close. */
  private static boolean tells(LossReason reason) {
    return reason != LossReason.GIVEN_UP && reason != LossReason.CLOSED;
  }

  /** The receives that failed since one completed, if they are many. */
  public Optional<Trouble> receives() {
    return receives.trouble().filter(RecentTrouble::isMuch);
  }

  /** The deletes that failed since one succeeded, if they are many. */
  public Optional<Trouble> deletes(long nanoTime) {
    return deletes.lasting(LASTING, nanoTime).filter(RecentTrouble::isMuch);
  }

  /** The sends to the dead-letter queue that failed since one succeeded, if they are many. */
  public Optional<Trouble> rejects(long nanoTime) {
    return rejects.lasting(LASTING, nanoTime).filter(RecentTrouble::isMuch);
  }

  private static boolean isMuch(Trouble trouble) {
    return trouble.count() >= IN_A_ROW;
  }

  /** The leases that were lost. */
  public Optional<Trouble> losses(long nanoTime) {
    return losses.lasting(0, nanoTime);
  }

  /** The failures of the worker's own code. */
  public Optional<Trouble> bugs(long nanoTime) {
    return bugs.lasting(0, nanoTime);
  }
}
