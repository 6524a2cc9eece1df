package io.queueworker.handle;

import io.queueworker.LossReason;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.UserCodeFailed;
import io.queueworker.timing.KeeperLock;
import io.queueworker.timing.Timing.ThreadPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a handler wants done when its lease is lost: each action runs once, on a bounded pool of their own. Thread-safe.
 */
final class LossActions {

  private final ThreadPool callbacks;
  private final Consumer<WorkerEvent> events;
  private final ReentrantLock lock = new KeeperLock();
  private final List<Consumer<LossReason>> actions = new ArrayList<>();
  private @Nullable LossReason lost;

  LossActions(ThreadPool callbacks, Consumer<WorkerEvent> events) {
    this.callbacks = callbacks;
    this.events = events;
  }

  /** Adds an action; it runs at once when the lease is lost already. */
  void add(Consumer<LossReason> action) {
    LossReason already;
    lock.lock();
    try {
      already = lost;
      if (already == null) {
        actions.add(action);
        return;
      }
    } finally {
      lock.unlock();
    }
    run(action, already);
  }

  /** Runs what was added so far. */
  void lost(LossReason reason) {
    List<Consumer<LossReason>> now;
    lock.lock();
    try {
      lost = reason;
      now = List.copyOf(actions);
      actions.clear();
    } finally {
      lock.unlock();
    }
    now.forEach(action -> run(action, reason));
  }

  private void run(Consumer<LossReason> action, LossReason reason) {
    Runnable task =
        () -> {
          try {
            action.accept(reason);
          } catch (Throwable t) {
            events.accept(new UserCodeFailed("an onLost action", t));
          }
        };
    Throwable notRun =
        new RejectedExecutionException("others hang, and too many wait behind them, or the worker has closed");
    try {
      if (callbacks.execute(task)) {
        return;
      }
    } catch (Throwable t) {
      // Such as no memory for a thread: whoever noticed the loss has more to do for it.
      notRun = t;
    }
    events.accept(new UserCodeFailed("an onLost action, which did not run", notRun));
  }
}
