package io.queueworker.lease;

import io.queueworker.LossReason;
import io.queueworker.gate.LeaseStory;
import io.queueworker.queue.EntryResult;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.timing.KeeperLock;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The right to work on one received message until its visibility timeout runs out.
 *
 * <p>{@link LeaseState} shows the states. The only proof of holding is the local deadline: on a standard SQS queue a
 * successful extension proves nothing, since an old receipt still acts on the next holder's message (docs/queue-facts.md
 * A1). At most one visibility call is in flight per lease: a release waits until that call is answered or times out. A delete
 * does not wait, except where an extension replaces the receipt.
 *
 * <p>Thread-safe: the run, the heartbeat and the threads that carry answers use it at once. All times are {@link
 * LeaseClock} nanoseconds, given by the caller. No method blocks.
 */
public final class Lease extends Scheduled {

  private final ReceivedMessage message;
  private final Supplier<LeaseTerms> terms;
  private final LeaseWatch watch = new LeaseWatch();
  private final ReentrantLock lock = new KeeperLock();

  // All guarded by lock.
  private final BeatSchedule schedule;
  private final CallSlot slot = new CallSlot();
  private LeaseState state = LeaseState.HELD;
  private Receipt receipt;
  private boolean beating;
  private @Nullable Long committedAt;
  private @Nullable LossReason lossReason;

  /**
   * A lease that is held from {@code startedAt} on for {@code visibility}.
   *
   * @param requestedAt when the receive was sent, from which the service counts its cap
   * @param startedAt from when the visibility counts, as {@link LeaseClock#anchor} tells
   */
  public Lease(
      ReceivedMessage message, Supplier<LeaseTerms> terms, long visibility, long requestedAt, long startedAt) {
    this.message = message;
    this.terms = terms;
    this.receipt = message.receipt();
    this.schedule = new BeatSchedule(requestedAt, startedAt, visibility, terms.get());
    this.beating = terms.get().beats();
  }

  /** The message it is for. */
  public ReceivedMessage message() {
    return message;
  }

  /** What the run tells about its progress, and what it wants to hear about a loss. */
  public LeaseWatch watch() {
    return watch;
  }

  /** Where it is in its life. */
  public LeaseState state() {
    return locked(() -> state);
  }

  /** The receipt to use for the next call. */
  public Receipt receipt() {
    return locked(() -> receipt);
  }

  /** Why it was lost, if it was. */
  public Optional<LossReason> lossReason() {
    return locked(() -> Optional.ofNullable(lossReason));
  }

  /** How it stands now, so that a redelivery can be explained. */
  public LeaseStory story(LeaseClock clock) {
    long now = clock.now();
    boolean stoodStill = clock.stoodStillAt(locked(schedule::deadline)); // Not under our lock: it has one of its own.
    return locked(() -> schedule.story(now, Optional.ofNullable(lossReason), terms.get().beats(), stoodStill));
  }

  /** Whether the message is surely ours now. */
  public boolean isHeld(long now) {
    return remaining(now) > 0;
  }

  /** How long the message is surely ours without another beat; zero when it is not. */
  public long remaining(long now) {
    return locked(() -> state.isOver() ? 0 : schedule.remaining(now));
  }

  /** How long its beat has been due without success, in nanoseconds; zero when none is. */
  public long beatLate(long now) {
    return locked(() -> beating ? Math.max(0, schedule.late(now)) : 0);
  }

  /** How long the message has been ours. */
  public long age(long now) {
    return schedule.age(now);
  }

  /** What is left of maxHold. */
  public long holdLeft(long now) {
    return terms.get().maxHold() - schedule.age(now);
  }

  /** The longest delay with which the service's cap lets this receive be released now. */
  public long longestDelay(long now) {
    return Math.max(0, schedule.capLeft(now, terms.get()));
  }

  /** What of a visibility the cap and maxHold leave now; zero or less when nothing. */
  long granted(long visibility, long now) {
    return schedule.granted(visibility, now, terms.get());
  }

  /** Asks that the message stay hidden until {@code until} at least; false when that changes nothing. */
  boolean extendTo(long until, long now) {
    return locked(() -> state == LeaseState.HELD && beating && schedule.want(until, now));
  }

  /** When the heartbeat has to look at it again. */
  long nextCheck() {
    return locked(
        () -> {
          long next = schedule.deadline() + (slot.isReleasing() ? LeaseTerms.NEVER : 0);
          if (state == LeaseState.HELD) {
            next = watch.limit(terms.get(), BeatSchedule.earlier(next, schedule.endOfHold(terms.get())));
          }
          return beating && !slot.isTaken() ? BeatSchedule.earlier(next, schedule.nextBeat()) : next;
        });
  }

  /** Ends the lease if it must end now: then it is {@link LeaseState#LOST}, and the caller announces it. */
  Optional<LossReason> lapse(long now) {
    return locked(
        () -> {
          if (committedAt != null) {
            beating &= !schedule.passed(now) && now - committedAt < LeaseTerms.SETTLE_LIMIT;
          }
          if (state.isOver() || committedAt != null) {
            return Optional.empty();
          }
          if (schedule.passed(now)) {
            // A release under way was sent in time and its answer decides: else the message would be lost and released.
            return slot.isReleasing() ? Optional.empty() : lost(LossReason.EXPIRED);
          }
          if (state != LeaseState.HELD) {
            return Optional.empty();
          }
          return holdLeft(now) <= 0 ? lost(LossReason.MAX_HOLD) : watch.over(now, terms.get()).flatMap(this::lost);
        });
  }

  /** Ends a held lease for {@code reason}; empty when it was not held any more. */
  Optional<LossReason> lose(LossReason reason) {
    return locked(() -> state == LeaseState.HELD ? lost(reason) : Optional.empty());
  }

  /** Whether the heartbeat has nothing to do for it any more. */
  boolean isIdle() {
    return locked(() -> state.isOver() || (committedAt != null && !beating));
  }

  /** Takes the call slot for an extension, if one is due within {@code ahead} and would keep the message longer. */
  Optional<Beat> beat(long now, long ahead, long urgentBelow) {
    return locked(
        () -> {
          boolean mayBeat = beating && !slot.isTaken() && !schedule.passed(now);
          long value = mayBeat ? schedule.due(now, ahead, terms.get()) : 0;
          return value == 0 || !slot.take()
              ? Optional.empty()
              : Optional.of(new Beat(this, value, schedule.remaining(now) < urgentBelow));
        });
  }

  /**
   * Frees the call slot with the service's answer to an extension.
   *
   * @param sentAt when the call was sent
   * @return the loss that the answer means, if it does; the caller announces it
   */
  Optional<LossReason> answered(EntryResult result, long visibility, long sentAt, long now) {
    Optional<LossReason> loss = locked(() -> take(result, visibility, sentAt, now));
    runAfterCall();
    return loss;
  }

  private Optional<LossReason> take(EntryResult result, long visibility, long sentAt, long now) {
    slot.free();
    if (result instanceof EntryResult.Done done) {
      receipt = done.receipt();
    }
    if (state.isOver()) {
      return Optional.empty();
    }
    if (schedule.passed(now)) {
      // The answer came after the deadline: another worker may hold the message by now, whatever the answer says.
      return unheld(LossReason.EXPIRED);
    }
    if (result instanceof EntryResult.Lost || result instanceof EntryResult.Gone) {
      return unheld(LossReason.REFUSED);
    }
    if (result instanceof EntryResult.Done) {
      schedule.extended(sentAt, visibility, terms.get());
    } else {
      schedule.failed(now, result instanceof EntryResult.Denied);
    }
    return Optional.empty();
  }

  /** After the commit there is nothing to lose any more: beats just end. */
  private Optional<LossReason> unheld(LossReason reason) {
    beating = false;
    return committedAt != null ? Optional.empty() : lost(reason);
  }

  /** Notes that the effect is durable: from now on only a delete follows, and beats go on for it. */
  public void committed(long now) {
    locked(() -> {
      committedAt = now;
      state = state == LeaseState.HELD ? LeaseState.SETTLING : state;
      return state;
    });
  }

  /**
   * Decides that the message goes back: beats end, and {@code send} runs once, as soon as no visibility call is in flight.
   *
   * @return false when the message is not surely ours, and so not ours to release; {@code send} then never runs
   */
  public boolean releasing(long now, Runnable send) {
    boolean accepted =
        locked(
            () -> {
              if (state != LeaseState.HELD || schedule.passed(now)) {
                return false;
              }
              state = LeaseState.SETTLING;
              beating = false;
              slot.whenFree(send);
              return true;
            });
    runAfterCall();
    return accepted;
  }

  /** Takes the call slot for a release that is about to be sent, or tells that it is too late for one. */
  public boolean beginRelease(long now) {
    return locked(() -> state == LeaseState.SETTLING && !schedule.passed(now) && slot.takeForRelease());
  }

  /** Takes the call slot for a delete, on a queue whose extensions replace the receipt; false while a call is in flight. */
  public boolean beginDelete() {
    return locked(slot::take);
  }

  /** Frees the call slot after a release or a delete that has to be tried again. */
  public void endCall() {
    locked(slot::free);
    runAfterCall();
  }

  /** Ends our involvement as decided; beats end. */
  public void settled() {
    locked(() -> {
      beating = false;
      slot.free();
      state = state == LeaseState.LOST ? state : LeaseState.SETTLED;
      return state;
    });
  }

  private void runAfterCall() {
    locked(slot::next).ifPresent(Runnable::run);
  }

  private Optional<LossReason> lost(LossReason reason) {
    state = LeaseState.LOST;
    lossReason = reason;
    beating = false;
    return Optional.of(reason);
  }

  private <V extends @Nullable Object> V locked(Supplier<V> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
