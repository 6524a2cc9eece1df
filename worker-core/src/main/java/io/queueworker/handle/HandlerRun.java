package io.queueworker.handle;

import io.queueworker.Failure;
import io.queueworker.FailureAction;
import io.queueworker.LossReason;
import io.queueworker.gate.DriverWords;
import io.queueworker.lease.Lease;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.CutShort;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.HoldReason;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.observe.WorkerEvent.Interrupted;
import io.queueworker.observe.WorkerEvent.NotStarted;
import io.queueworker.observe.WorkerEvent.Suppressed;
import java.time.Duration;
import java.util.Optional;

/**
 * Everything that happens to one received message, on a virtual thread of its own: attempts until one has a result, holding
 * the message in between while nothing has failed, and the decision what becomes of it.
 */
final class HandlerRun<T, R> implements Runnable {

  /** A store that breaks this often under one message, and answers in between, is not what is broken. */
  private static final int MOST_BREAKS = 3;

  private final RunParts parts;
  private final Work<T, R> work;
  private final Lease lease;
  private final String threadName;
  private final Runnable permit;
  private final RunThread thread;
  private final LossActions lossActions;
  private final StartPermission start;
  private final Holding holding;
  private volatile boolean draining;
  private volatile boolean ended;
  private int breaks;

  /**
   * @param threadName the name of the thread it will run on
   * @param permit gives the message's permit back
   */
  HandlerRun(RunParts parts, Work<T, R> work, Lease lease, String threadName, Runnable permit) {
    this.parts = parts;
    this.work = work;
    this.lease = lease;
    this.threadName = threadName;
    this.permit = permit;
    this.thread = new RunThread(parts.timing());
    this.lossActions = new LossActions(parts.callbacks(), parts.events());
    this.start = new StartPermission(parts, lease, thread, this::mustEnd);
    this.holding = new Holding(parts, this, start);
    lease.watch().onLoss(this::lost);
  }

  Lease lease() {
    return lease;
  }

  RunThread thread() {
    return thread;
  }

  String threadName() {
    return threadName;
  }

  /** Whether it must not wait any longer: the worker drains, or the lease is lost. */
  boolean mustEnd() {
    return draining || !lease.isHeld(parts.clock().now());
  }

  boolean isDraining() {
    return draining;
  }

  boolean hasEnded() {
    return ended;
  }

  Runnable permit() {
    return permit;
  }

  String messageId() {
    return lease.message().id();
  }

  int receiveCount() {
    return lease.message().receiveCount();
  }

  /** Runs to the end; never throws. */
  @Override
  public void run() {
    Ending ending;
    try {
      ending = work();
    } catch (Throwable t) {
      parts.events().accept(new InternalError("handler run of message " + messageId(), t));
      ending = new Ending.Release(Holding.GIVE_UP_DELAY);
    }
    start.giveBack();
    ended = true;
    parts.threads().ended(this, ending);
  }

  private Ending work() {
    while (true) {
      if (!lease.isHeld(parts.clock().now())) {
        return notHeld();
      }
      Try result = attempt();
      start.giveBack();
      if (!(result instanceof Try.Failed)) {
        over();
      }
      Optional<Ending> end = after(result);
      if (end.isPresent()) {
        return end.get();
      }
    }
  }

  /** The end of the run, unless the message is to be tried again here. */
  private Optional<Ending> after(Try result) {
    return switch (result) {
      case Try.Committed committed -> Optional.of(committed());
      case Try.AlreadyDone done -> Optional.of(suppressed(done));
      case Try.Uncertain uncertain -> Optional.of(new Ending.Reject(Rejections.uncertain(uncertain.why())));
      case Try.Lost lost -> {
        parts.cutOff(lease);
        yield Optional.of(new Ending.Lost());
      }
      case Try.Failed failed -> Optional.of(failed(failed));
      case Try.ToldToEnd told -> Optional.of(cutShort());
      case Try.Broke broke -> broke(broke);
      case Try.Hold hold -> holding.hold(hold);
    };
  }

  private Ending notHeld() {
    parts.threads().review(lease);
    if (!holding.hasHeld()) {
      LossReason reason = lease.lossReason().orElse(LossReason.EXPIRED);
      parts.events().accept(new NotStarted(messageId(), receiveCount(), reason));
    }
    return new Ending.Lost();
  }

  /** The attempt is over, and its limits with it. */
  private void over() {
    thread.over(parts.clock().now());
    lease.watch().ended();
  }

  /** The close told the run to end, and it did: nothing failed, so the policy is not asked. */
  private Ending cutShort() {
    parts.cutOff(lease);
    parts.events().accept(new CutShort(messageId(), receiveCount(), Holding.GIVE_UP_DELAY));
    return new Ending.Release(Holding.GIVE_UP_DELAY);
  }

  private Try attempt() {
    // The earlier run is asked for first: it remembers the message as completed before it ends.
    boolean earlierRuns = parts.threads().earlierRuns(this);
    if (parts.completed().contains(messageId())) {
      return new Try.AlreadyDone(Optional.empty());
    }
    if (parts.threads().isClosing()) {
      return new Try.ToldToEnd();
    }
    if (earlierRuns) {
      return new Try.Hold(
          HoldReason.EARLIER_RUN, "an earlier run of this message has not ended in this process");
    }
    return start.ask().orElseGet(this::permitted);
  }

  private Try permitted() {
    HandlerAttempt<T, R> attempt =
        new HandlerAttempt<>(parts, work, lease, thread, lossActions, () -> parts.threads().gateAnswered(this));
    return start.report(attempt.run(), attempt.handlerTook());
  }

  private Ending committed() {
    long now = parts.clock().now();
    parts.completed().add(messageId());
    lease.committed(now);
    parts.events().accept(new Committed(messageId(), receiveCount(), Duration.ofNanos(lease.age(now))));
    return new Ending.Delete(now);
  }

  private Ending suppressed(Try.AlreadyDone done) {
    long now = parts.clock().now();
    parts.completed().add(messageId());
    lease.committed(now);
    parts.events().accept(new Suppressed(messageId(), receiveCount(), done.by()));
    return new Ending.Delete(now);
  }

  private Ending failed(Try.Failed failed) {
    Failure failure =
        new Failure(
            failed.cause(),
            failed.stage(),
            messageId(),
            receiveCount(),
            receiveCount(),
            parts.timing().random());
    // Without the lease, or in a close, the policy has nothing to decide.
    boolean open = lease.isHeld(parts.clock().now()) && !thread.wasTold();
    FailureAction action =
        open ? new PolicyQuestion(parts, work.policy(), lease, thread).ask(failure) : FailureAction.leaveForRedrive();
    over();
    boolean held = lease.isHeld(parts.clock().now());
    if (held && thread.wasTold()) {
      return cutShort();
    }
    parts
        .events()
        .accept(
            new Failed(
                messageId(),
                failure.receiveCount(),
                failed.stage(),
                failed.cause(),
                held ? action.toString() : "nothing: the message is not held any more"));
    if (!held) {
      parts.cutOff(lease);
      return new Ending.Lost();
    }
    parts.failed();
    return switch (action) {
      case FailureAction.RetryAfter retry -> new Ending.Release(retry.delay());
      case FailureAction.Reject reject -> new Ending.Reject(Rejections.of(failure, reject));
      case FailureAction.LeaveForRedrive leave -> new Ending.Leave();
    };
  }

  private Optional<Ending> broke(Try.Broke broke) {
    breaks++;
    if (breaks >= MOST_BREAKS) {
      return Optional.of(failed(new Try.Failed(broke.stage(), broke.cause())));
    }
    return holding.hold(
        new Try.Hold(
            HoldReason.GATE_UNAVAILABLE, "the gate's connection broke: " + DriverWords.of(broke.cause())));
  }

  /** Hears of the loss, on the thread that noticed it. */
  private void lost(LossReason reason) {
    lossActions.lost(reason);
    thread.lost(parts.clock().now());
    parts.threads().watch(this);
    if (reason == LossReason.OVERTIME || reason == LossReason.CLOSED) {
      interrupt(reason);
    }
  }

  /** Tells the handler to end, once. */
  void interrupt(LossReason reason) {
    if (thread.interrupt(parts.clock().now())) {
      parts.threads().watch(this);
      parts.events().accept(new Interrupted(messageId(), receiveCount(), reason));
    }
  }

  /** The worker drains: a message that only waits here goes back. */
  void drain() {
    draining = true;
    thread.wake();
  }
}
