package io.queueworker.receive;

import io.queueworker.timing.KeeperLock;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.WaitPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The pollers that a worker has, each a thread that makes one receive at a time, and the permits their receives hold.
 *
 * <pre>
 * idle ──receive starts──► receiving ──answered──► idle ──ends
 *                              └──its deadline passed──► replaced ──answered──► ends
 * </pre>
 *
 * <p>Thread-safe.
 */
final class Pollers {

  private final Timing timing;
  private final Permits permits;
  private final String threadPrefix;
  private final int most;

  private final ReentrantLock lock = new KeeperLock();
  private final WaitPoint ended;
  private final List<Poller> pollers = new ArrayList<>();
  private final List<Runnable> givenBack = new ArrayList<>();
  private final List<Runnable> afterLast = new ArrayList<>();
  private int started;
  private boolean stopping;
  private boolean givingBackAtOnce;

  /** None at first; at most {@code most} that are not replaced. */
  Pollers(Timing timing, Permits permits, String threadPrefix, int most) {
    this.timing = timing;
    this.permits = permits;
    this.threadPrefix = threadPrefix;
    this.most = most;
    this.ended = timing.waitPoint(lock);
  }

  /** One poller; its private fields are guarded by the lock of its {@link Pollers}. */
  static final class Poller {
    final String thread;

    /** Whether it paused before its present receive, so that messages gather. Its own thread's alone. */
    boolean lingered;

    private boolean replaced;
    private boolean ending;
    private int held;
    private @Nullable Long deadline;

    private Poller(String thread) {
      this.thread = thread;
    }
  }

  /** A new poller, unless there are enough or the worker stops. */
  Optional<Poller> add() {
    lock.lock();
    try {
      if (stopping || live() >= most) {
        return Optional.empty();
      }
      started++;
      Poller poller = new Poller(threadPrefix + started);
      pollers.add(poller);
      return Optional.of(poller);
    } finally {
      lock.unlock();
    }
  }

  /** How many there are, those that were replaced not counted. */
  int count() {
    lock.lock();
    try {
      return (int) live();
    } finally {
      lock.unlock();
    }
  }

  private long live() {
    return pollers.stream().filter(p -> !p.replaced).count();
  }

  /** Whether a worker that has begun to poll, and does not stop, has nobody left to do it. */
  boolean areMissing() {
    lock.lock();
    try {
      return started > 0 && !stopping && live() == 0;
    } finally {
      lock.unlock();
    }
  }

  /** Notes that a receive starts, with so many permits, and when it counts as hung. */
  void receiving(Poller poller, int held, long deadline) {
    lock.lock();
    try {
      poller.held = held;
      poller.deadline = deadline;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes that the receive ended, well or not.
   *
   * @return true when what it brought is to be worked on and its permits are the caller's; false when the poller was
   *     replaced or the worker stops, and its permits have been given back
   */
  boolean answered(Poller poller) {
    int back;
    lock.lock();
    try {
      poller.deadline = null;
      back = poller.held;
      poller.held = 0;
      if (!stopping && !poller.replaced) {
        return true;
      }
    } finally {
      lock.unlock();
    }
    permits.release(back);
    return false;
  }

  /** Takes the poller out unless it is the last: at once, so that two cannot each see the other as the one that stays. */
  boolean retire(Poller poller) {
    lock.lock();
    try {
      return live() > 1 && pollers.remove(poller);
    } finally {
      lock.unlock();
    }
  }

  /** Marks the pollers whose receive has passed its deadline, gives their permits back, and returns them. */
  List<Poller> replaceHung(long now) {
    List<Poller> hung = new ArrayList<>();
    int back = 0;
    lock.lock();
    try {
      for (Poller poller : pollers) {
        Long deadline = poller.deadline;
        if (!stopping && !poller.replaced && deadline != null && now - deadline >= 0) {
          poller.replaced = true;
          back += poller.held;
          poller.held = 0;
          hung.add(poller);
        }
      }
    } finally {
      lock.unlock();
    }
    if (back > 0) {
      permits.release(back);
    }
    return hung;
  }

  /** Gives back the permits of a receive that broke down, if it still held any. */
  void brokeDown(Poller poller) {
    int back;
    lock.lock();
    try {
      poller.deadline = null;
      back = poller.held;
      poller.held = 0;
    } finally {
      lock.unlock();
    }
    permits.release(back);
  }

  /** Notes that the poller's thread ends. What goes back does so before anybody hears that the last one has ended. */
  void ended(Poller poller) {
    take(givenBack, () -> poller.ending = true).forEach(Runnable::run);
    List<Runnable> actions =
        take(
            afterLast,
            () -> {
              pollers.remove(poller);
              ended.signalAll();
            });
    actions.forEach(Runnable::run);
  }

  /** Makes a change under the lock, and takes what {@code list} holds if only ending pollers are left then. */
  private List<Runnable> take(List<Runnable> list, Runnable change) {
    lock.lock();
    try {
      change.run();
      if (!pollers.stream().allMatch(p -> p.ending)) {
        return List.of();
      }
      List<Runnable> taken = List.copyOf(list);
      list.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Runs {@code action} once when no poller is left, on the last one's thread, or at once when none is. */
  void whenEnded(Runnable action) {
    lock.lock();
    try {
      if (!pollers.isEmpty()) {
        afterLast.add(action);
        return;
      }
    } finally {
      lock.unlock();
    }
    action.run();
  }

  /** Sends a message back: at once, or, while the worker stops, when no receive of this worker can bring it again. */
  void giveBack(Runnable release) {
    lock.lock();
    try {
      if (stopping && !givingBackAtOnce) {
        givenBack.add(release);
        return;
      }
    } finally {
      lock.unlock();
    }
    release.run();
  }

  /** Sends back at once what waits for the last receive to end, and what comes from now on. */
  void giveBackNow() {
    List<Runnable> waiting;
    lock.lock();
    try {
      givingBackAtOnce = true;
      waiting = List.copyOf(givenBack);
      givenBack.clear();
    } finally {
      lock.unlock();
    }
    waiting.forEach(Runnable::run);
  }

  /** Permits that receives under way hold, and no message yet. */
  int held() {
    lock.lock();
    try {
      return pollers.stream().mapToInt(poller -> poller.held).sum();
    } finally {
      lock.unlock();
    }
  }

  /** The threads of receives that passed their deadline and have not ended. */
  List<String> hung() {
    lock.lock();
    try {
      return pollers.stream().filter(poller -> poller.replaced).map(poller -> poller.thread).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Lets no poller start any more. */
  void stop() {
    lock.lock();
    try {
      stopping = true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits up to {@code nanos} for all threads to end, and names those that have not. */
  List<String> awaitEnded(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long until = timing.nanoTime() + nanos;
      for (long left = nanos; !pollers.isEmpty() && left > 0; left = until - timing.nanoTime()) {
        ended.await(left);
      }
      return pollers.stream().map(poller -> poller.thread).toList();
    } finally {
      lock.unlock();
    }
  }
}
