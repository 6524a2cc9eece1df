package io.queueworker.handle;

import io.queueworker.LossReason;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.UserCodeFailed;
import io.queueworker.timing.Timing.ThreadPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a handler wants done when its lease is lost: each action runs once, on a bounded pool of their own. Thread-safe.
 */
final class LossActions {

  /** What was added so far, newest first, or for what reason the lease is lost. */
  private sealed interface State {}

  private record Held(Consumer<LossReason> newest, @Nullable Held before) implements State {}

  private record Lost(LossReason reason) implements State {}

  private final ThreadPool callbacks;
  private final Consumer<WorkerEvent> events;

  /** Null while there is nothing: most handlers add no action. */
  private final AtomicReference<@Nullable State> state = new AtomicReference<>();

  LossActions(ThreadPool callbacks, Consumer<WorkerEvent> events) {
    this.callbacks = callbacks;
    this.events = events;
  }

  /** Adds an action; it runs at once when the lease is lost already. */
  void add(Consumer<LossReason> action) {
    while (true) {
      State before = state.get();
      if (before instanceof Lost lost) {
        run(action, lost.reason());
        return;
      }
      if (state.compareAndSet(before, new Held(action, (Held) before))) {
        return;
      }
    }
  }

  /** Runs what was added so far, in the order in which it was. */
  void lost(LossReason reason) {
    List<Consumer<LossReason>> newestFirst = new ArrayList<>();
    State held = state.getAndSet(new Lost(reason));
    while (held instanceof Held(Consumer<LossReason> newest, Held before)) {
      newestFirst.add(newest);
      held = before;
    }
    newestFirst.reversed().forEach(action -> run(action, reason));
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
