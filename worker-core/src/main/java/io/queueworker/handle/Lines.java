package io.queueworker.handle;

import io.queueworker.lease.Lease;
import io.queueworker.lease.Receive;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.timing.KeeperLock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The lines in which runs wait for each other, in the order in which their messages came: one line for each message, or for each
 * group on a queue that keeps order. A run works only while it is first in its line, and leaves it when those behind it may go
 * on, which can be after its thread has ended.
 *
 * <p>Thread-safe; calls runs without its lock.
 */
final class Lines {

  private final boolean ordered;
  private final ReentrantLock lock = new KeeperLock();

  /** Guarded by lock. */
  private final Map<String, Deque<HandlerRun<?, ?>>> lines = new HashMap<>();

  /** Lines of groups when the queue is {@code ordered}. */
  Lines(boolean ordered) {
    this.ordered = ordered;
  }

  private String name(ReceivedMessage message) {
    return ordered ? message.group().orElse("") : message.id();
  }

  /**
   * Puts a run at the end of its line; on a queue that keeps order its permit is parked while another is before it. It gives up
   * at once when one that came before it by the same receive did not do its part of the order, and may have left already.
   */
  void join(HandlerRun<?, ?> run) {
    boolean broken;
    lock.lock();
    try {
      Deque<HandlerRun<?, ?>> line =
          lines.computeIfAbsent(name(run.lease().message()), any -> new ArrayDeque<>(1));
      if (ordered && !line.isEmpty()) {
        // Under the lock: parked after its turn had come, its permit would count twice.
        run.place().permit().park();
      }
      line.addLast(run);
      broken = ordered && run.from().isBrokenOff(run.lease().message());
    } finally {
      lock.unlock();
    }
    if (broken) {
      run.giveUp();
    }
  }

  /** Notes that a message could not be started: what its receive brought later of its group must not start either. */
  void breakOff(Receive from, ReceivedMessage message) {
    lock.lock();
    try {
      from.breakOff(message);
    } finally {
      lock.unlock();
    }
  }

  /** Takes a run out of its line and wakes the one that is first then. Does nothing when it has left. */
  void leave(HandlerRun<?, ?> run) {
    HandlerRun<?, ?> first;
    lock.lock();
    try {
      String name = name(run.lease().message());
      Deque<HandlerRun<?, ?>> line = lines.get(name);
      if (line == null || !line.remove(run)) {
        return;
      }
      first = line.peekFirst();
      if (first == null) {
        lines.remove(name);
      }
    } finally {
      lock.unlock();
    }
    if (first != null) {
      if (ordered) {
        // Before the one that leaves gives its own back: a receive must not get it in between.
        first.place().permit().takeAgain();
      }
      first.thread().wake();
    }
  }

  /** Whether another run is before this one. */
  boolean hasToWait(HandlerRun<?, ?> run) {
    return !before(run, any -> true).isEmpty();
  }

  /** Whether a message of another receive, whose run goes on, is before this one. */
  boolean waitsForEarlierReceive(HandlerRun<?, ?> run) {
    return !before(run, other -> !other.hasEnded() && !other.isOfSameReceive(run)).isEmpty();
  }

  /** Whether an earlier receive of the same message is still worked on. */
  boolean isBesideEarlierRun(HandlerRun<?, ?> run) {
    return !before(run, other -> !other.hasEnded() && other.messageId().equals(run.messageId())).isEmpty();
  }

  /** Whether the same message waits behind this run, by a later receive. */
  boolean isReceivedAgain(HandlerRun<?, ?> run) {
    return !behind(run, other -> other.messageId().equals(run.messageId())).isEmpty();
  }

  /** Whether the message of a lease that has no run is worked on by a run that has not ended. */
  boolean isWorkedOn(Lease lease) {
    lock.lock();
    try {
      String id = lease.message().id();
      return line(lease.message()).stream().anyMatch(run -> !run.hasEnded() && run.messageId().equals(id));
    } finally {
      lock.unlock();
    }
  }

  /** Has those give up that came behind this run by the same receive: it did not do its part of the order. */
  void giveUpBehind(HandlerRun<?, ?> run) {
    if (ordered) {
      // Those that have not joined yet find the mark.
      breakOff(run.from(), run.lease().message());
      behind(run, other -> other.isOfSameReceive(run)).forEach(HandlerRun::giveUp);
    }
  }

  private List<HandlerRun<?, ?>> before(HandlerRun<?, ?> run, Predicate<HandlerRun<?, ?>> which) {
    return neighbors(run, false, which);
  }

  private List<HandlerRun<?, ?>> behind(HandlerRun<?, ?> run, Predicate<HandlerRun<?, ?>> which) {
    return neighbors(run, true, which);
  }

  private List<HandlerRun<?, ?>> neighbors(HandlerRun<?, ?> run, boolean behind, Predicate<HandlerRun<?, ?>> which) {
    lock.lock();
    try {
      List<HandlerRun<?, ?>> found = new ArrayList<>();
      boolean passed = false;
      for (HandlerRun<?, ?> other : line(run.lease().message())) {
        if (other == run) {
          passed = true;
        } else if (passed == behind && which.test(other)) {
          found.add(other);
        }
      }
      // A run that has left its line has nobody before it, and nobody behind it waits for it.
      return passed ? found : List.of();
    } finally {
      lock.unlock();
    }
  }

  private Deque<HandlerRun<?, ?>> line(ReceivedMessage message) {
    return lines.getOrDefault(name(message), new ArrayDeque<>(0));
  }
}
