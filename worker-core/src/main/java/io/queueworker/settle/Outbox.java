package io.queueworker.settle;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a settler has yet to send, and the calls of its senders that are under way. It tells when the next call is due, and when
 * another sender is worth its thread.
 *
 * <p>Not thread-safe: guarded by the lock of its {@link Settler}.
 */
final class Outbox {

  /** Senders that are always worth their threads: one works while the other waits for the service. */
  private static final int PAIR = 2;

  /**
   * Beside these another saves time when the last call was sent this long ago, since all wait for the service then. Sooner, one
   * more thread costs the others on its cores more than it brings (docs/performance.md).
   */
  private static final long SLOW = Duration.ofMillis(5).toNanos();

  private static final long FAR = Long.MAX_VALUE / 4;

  private final int mostSenders;
  private final CallBatch deletes;
  private final CallBatch releases;
  private final Set<Settlement> open = new LinkedHashSet<>();
  private int senders;
  private int deleteCalls;
  private long sentAt;
  private boolean flushing;

  /**
   * @param deleteBatch deletes per call at most
   * @param linger nanoseconds that a delete waits for others
   * @param releaseBatch releases per call at most
   * @param mostSenders calls under way at most
   */
  Outbox(int deleteBatch, long linger, int releaseBatch, int mostSenders) {
    this.deletes = new CallBatch(deleteBatch, linger);
    this.releases = new CallBatch(releaseBatch, 0);
    this.mostSenders = mostSenders;
  }

  /** One call: all deletes or all releases. */
  record Call(List<Settlement> entries, boolean deletes) {}

  /** Takes a delete. */
  void delete(Settlement settlement, long now) {
    open.add(settlement);
    deletes.add(settlement, now);
  }

  /** Notes a release that has yet to come by {@link #release}. */
  void await(Settlement settlement) {
    open.add(settlement);
  }

  /** Takes a release. */
  void release(Settlement settlement, long now) {
    releases.add(settlement, now);
  }

  /**
   * When whoever waits for the next call has to look: when it is due, and two senders or more, if there are, have been at theirs
   * for long; far away when nothing waits.
   *
   * @param hurry whether a receive waits for permits, so that gathering costs throughput
   */
  long nextLook(long now, boolean hurry) {
    if (senders == mostSenders) {
      return now + FAR; // The one that comes back first looks.
    }
    long release = releases.dueAt(now, true);
    long delete = deletes.dueAt(now, hurries(hurry));
    long due = release - delete < 0 ? release : delete;
    return senders < PAIR || flushing || due - (sentAt + SLOW) > 0 ? due : sentAt + SLOW;
  }

  private boolean hurries(boolean permitsAreShort) {
    return flushing || (permitsAreShort && deleteCalls == 0);
  }

  /** Takes out a call that is due, if one is; the caller is a sender until it {@linkplain #cameBack came back}. */
  Optional<Call> take(long now, boolean hurry) {
    Call call = new Call(releases.take(now, true), false);
    if (call.entries().isEmpty()) {
      call = new Call(deletes.take(now, hurries(hurry)), true);
    }
    if (call.entries().isEmpty()) {
      return Optional.empty();
    }
    senders++;
    deleteCalls += call.deletes() ? 1 : 0;
    sentAt = now;
    return Optional.of(call);
  }

  /** Takes the end of a call, and what of it has to be sent again. */
  void cameBack(Call call, List<Retry> retries) {
    senders--;
    deleteCalls -= call.deletes() ? 1 : 0;
    call.entries().forEach(open::remove);
    for (Retry retry : retries) {
      open.add(retry.settlement());
      (call.deletes() ? deletes : releases).retry(retry.settlement(), retry.at());
    }
  }

  /** Takes out a settlement for which nothing is sent. */
  void settled(Settlement settlement) {
    open.remove(settlement);
  }

  /** Makes everything due, what waits to be tried again included, and from now on nothing gathers. */
  void flush() {
    flushing = true;
    deletes.retryNow();
  }

  /** Whether all is answered. */
  boolean isEmpty() {
    return open.isEmpty();
  }

  /** The messages of what is not answered. */
  List<String> messageIds() {
    return open.stream().map(Settlement::messageId).toList();
  }
}
