package io.queueworker.lease;

import io.queueworker.LossReason;
import io.queueworker.gate.LeaseStory;
import io.queueworker.gate.LeaseStory.Standing;
import java.time.Duration;
import java.util.Optional;

/**
 * The times of one lease: how long it surely lasts, and when its next beat is due. All in {@link LeaseClock} nanoseconds.
 *
 * <p>Not thread-safe: guarded by the lock of its {@link Lease}.
 */
final class BeatSchedule {

  private static final long SHORTEST_RETRY = Duration.ofMillis(100).toNanos();
  private static final long LONGEST_RETRY = Duration.ofSeconds(2).toNanos();

  private final long requestedAt;
  private final long startedAt;
  private long deadline;
  private long nextBeat;

  /** Since when the next beat is due, not counting that one which failed comes again later. */
  private long dueAt;

  private long wantedUntil;
  private long visibility;
  private Standing whenPassed = Standing.BEATS_FAILED;

  /** Whether the handler's wish came after the last beat was made. */
  private boolean wish;

  /**
   * @param requestedAt when the receive was sent, from which the service counts its cap
   * @param startedAt from when the first visibility counts
   * @param visibility the first visibility
   */
  BeatSchedule(long requestedAt, long startedAt, long visibility, LeaseTerms terms) {
    this.requestedAt = requestedAt;
    this.startedAt = startedAt;
    this.visibility = visibility;
    this.deadline = startedAt + visibility - LeaseTerms.margin(visibility);
    this.nextBeat = startedAt + Math.min(terms.interval(), visibility / 2);
    this.wantedUntil = startedAt;
    this.dueAt = nextBeat;
  }

  boolean passed(long now) {
    return now - deadline >= 0;
  }

  long remaining(long now) {
    return Math.max(0, deadline - now);
  }

  long age(long now) {
    return now - startedAt;
  }

  long deadline() {
    return deadline;
  }

  long nextBeat() {
    return nextBeat;
  }

  /** How long the next beat has been due without success; zero or less when it is not. */
  long late(long now) {
    return now - dueAt;
  }

  long endOfHold(LeaseTerms terms) {
    return startedAt + terms.maxHold();
  }

  /** The longest visibility that the service's cap leaves. */
  long capLeft(long now, LeaseTerms terms) {
    return terms.capLeft(now - requestedAt);
  }

  /** What the cap and maxHold leave now of a wanted visibility. */
  long granted(long wanted, long now, LeaseTerms terms) {
    return terms.grant(wanted, now - requestedAt, age(now));
  }

  /** Notes the handler's wish; false when the lease lasts that long already. */
  boolean want(long until, long now) {
    if (until - deadline <= 0) {
      return false;
    }
    wantedUntil = until - wantedUntil > 0 ? until : wantedUntil;
    wish = true;
    nextBeat = now;
    dueAt = earlier(dueAt, now);
    return true;
  }

  /** The visibility to ask for now, or zero when no beat is due within {@code ahead} or none would keep the message longer. */
  long due(long now, long ahead, LeaseTerms terms) {
    if (nextBeat - now > ahead) {
      return 0;
    }
    wish = false;
    long wanted = Math.max(terms.visibility(), wantedUntil - now);
    long value = granted(wanted, now, terms);
    if (value <= 0 || now + value - LeaseTerms.margin(value) - deadline <= 0) {
      // Clamped by the cap or maxHold there is nothing to gain any more: the deadline is a hard end. Otherwise the queue's
      // visibility timeout was shortened, and a beat gains again once the longer one has run down.
      nextBeat = value < wanted ? now + LeaseTerms.NEVER : deadline - terms.interval();
      dueAt = nextBeat;
      return 0;
    }
    return value;
  }

  /** Notes a successful extension: counts from when it was sent, since the service may have acted as early as that. */
  void extended(long sentAt, long visibility, LeaseTerms terms) {
    long end = sentAt + visibility;
    this.visibility = visibility;
    whenPassed = Standing.BEATS_FAILED;
    deadline = end - LeaseTerms.margin(visibility);
    if (wish) {
      // It came while this extension was under way, which asked for less.
      nextBeat = sentAt;
      dueAt = sentAt;
      return;
    }
    // By what was asked for: the terms may have changed since. After a wish for more, the next beat waits until it would not
    // shorten the lease.
    long interval = Math.min(terms.interval(), visibility / 2);
    long next = sentAt + interval;
    long unshortened = end - interval;
    nextBeat = next - unshortened > 0 ? next : unshortened;
    dueAt = nextBeat;
  }

  /** Notes an extension that failed for now: the next try comes sooner the closer the deadline is. */
  void failed(long now, boolean denied) {
    whenPassed = denied ? Standing.BEATS_DENIED : Standing.BEATS_FAILED;
    nextBeat = now + Math.clamp((deadline - now) / 8, SHORTEST_RETRY, LONGEST_RETRY);
  }

  /**
   * How the lease stands.
   *
   * @param loss why it was lost, if it was
   * @param stoodStill whether the process stood still at the deadline
   */
  LeaseStory story(long now, Optional<LossReason> loss, boolean beats, boolean stoodStill) {
    LossReason reason = loss.orElse(passed(now) ? LossReason.EXPIRED : null);
    Standing standing = Standing.HELD;
    if (reason == LossReason.EXPIRED) {
      Standing awake = beats ? whenPassed : Standing.NOT_EXTENDED;
      standing = stoodStill ? Standing.STOOD_STILL : awake;
    } else if (reason != null) {
      standing = Standing.of(reason);
    }
    long left = reason == null ? remaining(now) : 0;
    return new LeaseStory(standing, Duration.ofNanos(visibility), Duration.ofNanos(left));
  }

  /** The earlier of two times. */
  static long earlier(long a, long b) {
    return a - b < 0 ? a : b;
  }
}
