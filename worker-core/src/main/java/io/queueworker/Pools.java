package io.queueworker;

import io.queueworker.timing.BoundedPool;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadPool;
import java.util.List;

/** The thread pools of one worker, each for calls or callbacks that must not wait for those of another. Immutable. */
final class Pools {

  /** Threads on which {@code keepAliveWhile} is asked, and as many for what a handler wants to hear about a loss. */
  static final int CALLBACK_THREADS = 4;

  private static final int URGENT_THREADS = 2;
  private static final int RENEW_THREADS = 4;
  /** Calls that settle messages under way at most. */
  static final int SENDERS = 7;

  private static final int CONTROL_THREADS = SENDERS + 2; // one keeps watch for calls that are due, one reads the queue's attributes
  private static final int REJECT_THREADS = 4;
  private static final int LOSS_ACTIONS = 10_000;

  final ThreadPool beats;
  final ThreadPool urgent;
  final ThreadPool renew;
  final ThreadPool control;
  final ThreadPool rejecting;
  final ThreadPool questions;
  final ThreadPool lossActions;
  final ThreadPool breaker;

  /** Pools whose threads start when there is something to do. */
  Pools(Timing timing, String prefix, int maxConcurrency) {
    beats = timing.pool(prefix + "beat", beatThreads(maxConcurrency));
    urgent = timing.pool(prefix + "urgent", URGENT_THREADS);
    renew = timing.pool(prefix + "renew", RENEW_THREADS);
    control = timing.pool(prefix + "control", CONTROL_THREADS);
    questions = timing.pool(prefix + "keep-alive", CALLBACK_THREADS);
    lossActions = new BoundedPool(timing.pool(prefix + "on-lost", CALLBACK_THREADS), LOSS_ACTIONS);
    breaker = timing.pool(prefix + "breaker", 1);
    rejecting = timing.pool(prefix + "reject", REJECT_THREADS);
  }

  /** At 20 ms a call, one thread extends some 2,500 messages in half of the shortest sensible visibility timeout. */
  private static int beatThreads(int maxConcurrency) {
    return Math.clamp(maxConcurrency / 2_500, 4, 32);
  }

  /** Takes nothing more; what waits is still done. */
  void shutdown() {
    List.of(beats, urgent, renew, control, rejecting, questions, lossActions, breaker).forEach(ThreadPool::shutdown);
  }
}
