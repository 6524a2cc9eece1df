package io.queueworker.lease;

import io.queueworker.LossReason;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.timing.Timing.ThreadPool;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Asks the user's {@code keepAliveWhile} beside each beat, never before it: a condition that hangs must not cost a lease. At
 * most one question per lease is open. Thread-safe.
 */
final class KeepAliveQuestions {

  private final ThreadPool callbacks;
  private final Losses losses;
  private final Consumer<WorkerEvent> events;
  private final Set<Lease> open = ConcurrentHashMap.newKeySet();

  KeepAliveQuestions(ThreadPool callbacks, Losses losses, Consumer<WorkerEvent> events) {
    this.callbacks = callbacks;
    this.losses = losses;
    this.events = events;
  }

  /** Asks unless there is no condition or the last question is unanswered. */
  void ask(Lease lease) {
    BooleanSupplier condition = lease.watch().keepAlive();
    if (condition == null || !open.add(lease)) {
      return;
    }
    callbacks.execute(
        () -> {
          try {
            if (!condition.getAsBoolean()) {
              losses.lose(lease, LossReason.GIVEN_UP);
            }
          } catch (Throwable t) {
            events.accept(new InternalError("keepAliveWhile; the message is kept as if it had said true", t));
          } finally {
            open.remove(lease);
          }
        });
  }
}
