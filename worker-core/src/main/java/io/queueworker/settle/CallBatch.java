package io.queueworker.settle;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Settlements of one kind on their way into calls: gathered until a call is full or the first has waited for the linger. Those
 * to be tried again wait aside for their time, so that a failing one never holds up a newer one.
 *
 * <p>Not thread-safe: guarded by the lock of its {@link Settler}.
 */
final class CallBatch {

  private final int most;
  private final long linger;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final PriorityQueue<Waiting> retries =
      new PriorityQueue<>((a, b) -> Long.signum(a.since - b.since));

  /** Calls of up to {@code most} entries, each gathered for {@code linger} nanoseconds at most. */
  CallBatch(int most, long linger) {
    this.most = most;
    this.linger = linger;
  }

  void add(Settlement settlement, long now) {
    waiting.addLast(new Waiting(settlement, now));
  }

  void retry(Settlement settlement, long at) {
    retries.add(new Waiting(settlement, at));
  }

  /**
   * The next call's entries, or none when it should wait.
   *
   * @param hurry whether a call that is not full goes out at once
   */
  List<Settlement> take(long now, boolean hurry) {
    while (!retries.isEmpty() && retries.element().since - now <= 0) {
      waiting.addLast(retries.remove());
    }
    if (waiting.isEmpty() || (waiting.size() < most && !hurry && now - waiting.element().since < linger)) {
      return List.of();
    }
    List<Settlement> call = new ArrayList<>(most);
    while (call.size() < most && !waiting.isEmpty()) {
      call.add(waiting.remove().settlement);
    }
    return call;
  }

  /** Makes what waits to be tried again due now, once; what fails after that waits as usual. */
  void retryNow() {
    waiting.addAll(retries);
    retries.clear();
  }

  /** How long until {@link #take} may have something without anything being added. */
  long untilNext(long now) {
    long next = Long.MAX_VALUE / 4;
    if (!waiting.isEmpty()) {
      next = Math.min(next, waiting.element().since + linger - now);
    }
    if (!retries.isEmpty()) {
      next = Math.min(next, retries.element().since - now);
    }
    return next;
  }

  /** Whether what was just added changes when the next call goes out: it is the first of a call, or fills one. */
  boolean wantsLook() {
    return waiting.size() == 1 || waiting.size() >= most;
  }

  private record Waiting(Settlement settlement, long since) {}
}
