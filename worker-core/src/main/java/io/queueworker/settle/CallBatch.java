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

  private static final long FAR = Long.MAX_VALUE / 4;

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
    if (dueAt(now, hurry) - now > 0) {
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

  /**
   * When to look again for a next call, if nothing is added: at {@code now} or before when there is one; far away when nothing
   * waits.
   *
   * @param hurry whether a call that is not full goes out at once
   */
  long dueAt(long now, boolean hurry) {
    while (!retries.isEmpty() && retries.element().since - now <= 0) {
      waiting.addLast(retries.remove());
    }
    long due = now + FAR;
    if (!waiting.isEmpty()) {
      due = hurry || waiting.size() >= most ? now : waiting.element().since + linger;
    }
    return !retries.isEmpty() && retries.element().since - due < 0 ? retries.element().since : due;
  }

  private record Waiting(Settlement settlement, long since) {}
}
