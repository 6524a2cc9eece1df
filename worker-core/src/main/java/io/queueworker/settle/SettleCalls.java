package io.queueworker.settle;

import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseClock;
import io.queueworker.lease.LeaseRegistry;
import io.queueworker.lease.LeaseState;
import io.queueworker.lease.Losses;
import io.queueworker.observe.Permissions;
import io.queueworker.observe.Permissions.Call;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.DeleteFailed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.observe.WorkerEvent.LeftForRedrive;
import io.queueworker.observe.WorkerEvent.ReleaseFailed;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueTraits;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.VisibilityChange;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The calls that settle messages, and what each answer means for its lease and its permit.
 *
 * <p>A delete is tried again until it is answered, for ten minutes: it stays right whoever holds the message. A release is
 * not: without a delay it is never sent twice, since the repeat would free the next holder's message; with one, only within
 * the first half of that delay and while the message is still ours. Thread-safe; blocks on I/O.
 */
public final class SettleCalls {

  private static final long GIVE_UP_AFTER = Duration.ofMinutes(10).toNanos();
  private static final long SHORTEST_TIMEOUT = Duration.ofMillis(100).toNanos();
  private static final long FIRST_RETRY = Duration.ofMillis(200).toNanos();
  private static final long LONGEST_RETRY = Duration.ofSeconds(30).toNanos();

  private final MessageQueue queue;
  private final QueueTraits traits;
  private final Timing timing;
  private final LeaseClock clock;
  private final LeaseRegistry registry;
  private final Losses losses;
  private final Permissions permissions;
  private final Duration timeout;
  private final int mostEarly;
  private final Consumer<WorkerEvent> events;
  private final Answers answers;

  /** Messages whose permit went back before their delete was confirmed. */
  private final AtomicInteger early = new AtomicInteger();

  /**
   * Calls through {@code queue}, each within {@code timeout}.
   *
   * @param mostEarly how many messages may wait for another try of their delete without a permit; beyond that a delete that
   *     fails keeps its permit, so that a worker that cannot delete stops receiving instead of filling up
   */
  public SettleCalls(
      MessageQueue queue,
      Timing timing,
      LeaseClock clock,
      LeaseRegistry registry,
      Losses losses,
      Permissions permissions,
      Duration timeout,
      int mostEarly,
      Consumer<WorkerEvent> events) {
    this.queue = queue;
    this.traits = queue.traits();
    this.timing = timing;
    this.clock = clock;
    this.registry = registry;
    this.losses = losses;
    this.permissions = permissions;
    this.timeout = timeout;
    this.mostEarly = mostEarly;
    this.events = events;
    this.answers = new Answers(events);
  }

  /** Sends one call of deletes, and returns those to be sent again. */
  List<Retry> delete(List<Settlement> call) {
    List<Settlement> sent = new ArrayList<>(call.size());
    List<Receipt> receipts = new ArrayList<>(call.size());
    List<Retry> retries = new ArrayList<>();
    for (Settlement settlement : call) {
      if (settlement.isOfRejected() && isTooLate(settlement)) {
        continue;
      }
      if (traits.receiptChangesOnExtend() && !settlement.lease().beginDelete()) {
        // An extension is on its way and will replace the receipt: a delete with the old one would miss.
        retries.add(new Retry(settlement, clock.now() + FIRST_RETRY));
        continue;
      }
      sent.add(settlement);
      receipts.add(settlement.lease().receipt());
    }
    List<EntryResult> results = answers.of(receipts.size(), "delete", () -> queue.delete(receipts, timeout));
    for (int i = 0; i < sent.size(); i++) {
      deleted(sent.get(i), results.get(i)).ifPresent(retries::add);
    }
    return retries;
  }

  /** Gives up the delete of a rejected message that is not surely ours any more: whoever holds it now may yet handle it well. */
  private boolean isTooLate(Settlement settlement) {
    long now = clock.now();
    losses.review(settlement.lease(), now);
    if (settlement.lease().isHeld(now)) {
      return false;
    }
    events.accept(
        new DeleteFailed(
            settlement.messageId(), settlement.receiveCount(),
            "the dead-letter queue has the message, but its lease was lost", Optional.empty()));
    end(settlement, false);
    return true;
  }

  private Optional<Retry> deleted(Settlement settlement, EntryResult result) {
    long now = clock.now();
    if (!(result instanceof EntryResult.Retryable) && !(result instanceof EntryResult.Denied)) {
      // Before anybody is told: a standstill in between must not let a beat follow what is settled.
      settlement.lease().settled();
    }
    switch (result) {
      case EntryResult.Done done -> {
        permissions.allowed(Call.DELETE);
        events.accept(
            new Deleted(settlement.messageId(), settlement.receiveCount(),
                Duration.ofNanos(now - settlement.decidedAt())));
      }
      case EntryResult.Gone gone ->
          events.accept(
              new Deleted(settlement.messageId(), settlement.receiveCount(),
                  Duration.ofNanos(now - settlement.decidedAt())));
      case EntryResult.Lost lost ->
          events.accept(
              new DeleteFailed(settlement.messageId(), settlement.receiveCount(), lost.reason(), Optional.empty()));
      case EntryResult.Retryable retryable -> {
        return tryAgain(settlement, retryable.reason(), now);
      }
      case EntryResult.Denied denied -> {
        permissions.denied(Call.DELETE, denied.action());
        return tryAgain(settlement, "denied: " + denied.action(), now);
      }
    }
    end(settlement, result instanceof EntryResult.Done || result instanceof EntryResult.Gone);
    return Optional.empty();
  }

  private Optional<Retry> tryAgain(Settlement settlement, String why, long now) {
    if (now - settlement.decidedAt() >= GIVE_UP_AFTER) {
      events.accept(new DeleteFailed(settlement.messageId(), settlement.receiveCount(), why, Optional.empty()));
      end(settlement, false);
      return Optional.empty();
    }
    if (traits.receiptChangesOnExtend()) {
      settlement.lease().endCall();
      registry.reschedule(settlement.lease());
    }
    long pause = pause(settlement);
    events.accept(
        new DeleteFailed(settlement.messageId(), settlement.receiveCount(), why, Optional.of(Duration.ofNanos(pause))));
    // One for whose end others wait keeps it: it is theirs when their turn comes.
    boolean mayBeEarly = !settlement.watch().isWaiting() && early.get() < mostEarly;
    if (!settlement.isPermitBackEarly() && mayBeEarly) {
      early.incrementAndGet();
      settlement.givePermitBackEarly();
    }
    return Optional.of(new Retry(settlement, now + pause));
  }

  /** Sends one call of releases, and returns those to be sent again. */
  List<Retry> release(List<Settlement> call) {
    long now = clock.now();
    long shortest = timeout.toNanos();
    List<Settlement> sent = new ArrayList<>(call.size());
    List<VisibilityChange> changes = new ArrayList<>(call.size());
    List<Settlement> unsent = new ArrayList<>();
    List<Settlement> calledOff = new ArrayList<>();
    for (Settlement settlement : call) {
      Lease lease = settlement.lease();
      Duration delay = settlement.possibleDelay(traits, now);
      if ((settlement.wasSent() && !isSafe(settlement, delay, now)) || !lease.beginRelease(now)) {
        unsent.add(settlement);
        continue;
      }
      if (settlement.watch().isCalledOff()) {
        calledOff.add(settlement);
        continue;
      }
      settlement.sent(now);
      shortest = Math.min(shortest, lease.remaining(now));
      sent.add(settlement);
      changes.add(new VisibilityChange(lease.receipt(), delay));
    }
    Duration within = Duration.ofNanos(Math.max(SHORTEST_TIMEOUT, shortest));
    List<EntryResult> results = answers.of(changes.size(), "release", () -> queue.release(changes, within));
    // Told after the call: a standstill of whoever hears of it must not hold up what is sent in time.
    unsent.forEach(this::tooLate);
    calledOff.forEach(this::leave);
    List<Retry> retries = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      released(sent.get(i), changes.get(i).visibility(), results.get(i)).ifPresent(retries::add);
    }
    return retries;
  }

  private Optional<Retry> released(Settlement settlement, Duration delay, EntryResult result) {
    switch (result) {
      case EntryResult.Done done -> {
        permissions.allowed(Call.EXTEND);
        events.accept(new Released(settlement.messageId(), settlement.receiveCount(), delay));
      }
      case EntryResult.Lost lost -> releaseFailed(settlement, lost.reason());
      case EntryResult.Gone gone -> releaseFailed(settlement, "the message no longer exists");
      case EntryResult.Denied denied -> {
        permissions.denied(Call.EXTEND, denied.action());
        releaseFailed(settlement, "denied: " + denied.action());
      }
      case EntryResult.Retryable retryable -> {
        long now = clock.now();
        long pause = pause(settlement);
        if (isSafe(settlement, delay, now + pause) && settlement.lease().remaining(now) > pause) {
          settlement.lease().endCall();
          return Optional.of(new Retry(settlement, now + pause));
        }
        releaseFailed(settlement, retryable.reason());
      }
    }
    end(settlement, result instanceof EntryResult.Done);
    return Optional.empty();
  }

  /**
   * Whether a release may be sent again at this time. The first attempt may have worked: then the message is hidden for the
   * delay only, and belongs to whoever comes next.
   */
  private static boolean isSafe(Settlement settlement, Duration delay, long at) {
    return at - settlement.firstSentAt() < delay.toNanos() / 2;
  }

  /** Notes a failure; tells how long to wait for the next try, half of it random. */
  private long pause(Settlement settlement) {
    int doublings = Math.min(settlement.failed() - 1, 16);
    long longest = Math.min(LONGEST_RETRY, FIRST_RETRY << doublings);
    return (long) (longest * (0.5 + timing.random() / 2));
  }

  private void releaseFailed(Settlement settlement, String why) {
    events.accept(new ReleaseFailed(settlement.messageId(), settlement.receiveCount(), why));
  }

  /** Gives up a release for which the lease has not lasted, or whose first try is too long ago: nothing is sent. */
  void tooLate(Settlement settlement) {
    losses.review(settlement.lease(), clock.now());
    if (settlement.wasSent() && settlement.lease().state() != LeaseState.LOST) {
      releaseFailed(settlement, "not answered, and too late to be sent again");
      end(settlement, false);
    } else {
      settlement.end(false);
    }
  }

  /** Gives up a release that nobody wants any more: nothing is sent. */
  private void leave(Settlement settlement) {
    // Before anybody is told, as after a delete.
    settlement.lease().settled();
    events.accept(new LeftForRedrive(settlement.messageId(), settlement.receiveCount()));
    end(settlement, false);
  }

  /** Ends the worker's involvement with a message. */
  void end(Settlement settlement, boolean confirmed) {
    settlement.lease().settled();
    registry.remove(settlement.lease());
    if (settlement.isPermitBackEarly()) {
      early.decrementAndGet();
    }
    settlement.end(confirmed);
  }

  /** Tells of a failure of our own; never throws. */
  void trouble(String where, Throwable cause) {
    try {
      events.accept(new InternalError(where, cause));
    } catch (Throwable again) {
      // No memory even to tell: going on is worth more.
    }
  }
}
