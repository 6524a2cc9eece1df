package io.queueworker.handle;

import io.queueworker.DuplicateDiagnosis;
import io.queueworker.LossReason;
import io.queueworker.gate.DriverWords;
import io.queueworker.gate.LeaseStory;
import io.queueworker.lease.Lease;
import io.queueworker.lease.Receive;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.HoldReason;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.observe.WorkerEvent.Interrupted;
import io.queueworker.observe.WorkerEvent.NotStarted;
import io.queueworker.observe.WorkerEvent.Suppressed;
import io.queueworker.settle.Remembered;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
  private final Receive from;
  private final String threadName;
  private final Place place;
  private final RunThread thread;
  private final LossActions lossActions;
  private final Turn turn;

  /** Null when a handler needs nothing to start beside its lease. */
  private final @Nullable StartPermission start;

  // Each is made when it is first needed, which for most messages is never.
  private @Nullable Holding holding;
  private @Nullable FailedTries failures;

  private volatile boolean draining;
  private volatile boolean ended;
  private int breaks;

  /** Whether a commit of this run was sent and not answered. */
  private boolean unanswered;

  /**
   * @param from the receive that brought the message
   * @param threadName the name of the thread it will run on
   * @param place the message's place in its group, with its permit
   */
  HandlerRun(RunParts parts, Work<T, R> work, Lease lease, Receive from, String threadName, Place place) {
    this.parts = parts;
    this.work = work;
    this.lease = lease;
    this.from = from;
    this.threadName = threadName;
    this.place = place;
    this.thread = new RunThread(parts.timing());
    this.lossActions = new LossActions(parts.callbacks(), parts.events());
    this.turn = new Turn(parts, this);
    this.start = parts.starts().isFree() ? null : new StartPermission(parts, lease, thread, this::mustEnd);
    place.onGranted(thread::wake);
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

  Place place() {
    return place;
  }

  Receive from() {
    return from;
  }

  boolean isOfSameReceive(HandlerRun<?, ?> other) {
    return from == other.from;
  }

  /** Whether the next in line may start with the commit, since its own effect cannot come without this one's. */
  boolean mayBeFollowedBeforeDelete() {
    return !parts.fifo() || work.gate().transactional();
  }

  private Lines lines() {
    return parts.threads().lines();
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
    parts.surroundings().leave();
    giveBack();
    ended = true;
    parts.threads().ended(this, ending);
  }

  private Ending work() {
    while (true) {
      Optional<Ending> unstarted = turn.await();
      if (unstarted.isPresent()) {
        return unstarted.get();
      }
      place.permit().takeAgain();
      if (!lease.isHeld(parts.clock().now())) {
        return notHeld();
      }
      Try result = attempt();
      giveBack();
      if (!(result instanceof Try.Failed)) {
        over();
      }
      Optional<Ending> end = after(result);
      if (end.isPresent()) {
        return end.get();
      }
    }
  }

  /** Gives back a permission to start that led to no outcome. */
  private void giveBack() {
    if (start != null) {
      start.giveBack();
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
      case Try.Failed failed -> failures().after(failed);
      case Try.ToldToEnd told -> Optional.of(failures().cutShort());
      case Try.Broke broke -> broke(broke);
      case Try.Hold hold -> {
        unanswered |= hold.reason() == HoldReason.COMMIT_UNKNOWN;
        yield hold(hold);
      }
    };
  }

  private Ending notHeld() {
    parts.threads().review(lease);
    if (holding == null) {
      LossReason reason = lease.lossReason().orElse(LossReason.EXPIRED);
      parts.events().accept(new NotStarted(messageId(), receiveCount(), reason));
    }
    return new Ending.Lost();
  }

  /** The attempt is over, and its limits with it. */
  void over() {
    thread.over(parts.clock().now());
    lease.watch().ended();
  }

  private Try attempt() {
    // The earlier run is asked for first: it remembers the message as completed before it ends.
    boolean earlierRuns = lines().hasToWait(this);
    if (parts.completed().recall(messageId()).isPresent()) {
      return new Try.AlreadyDone(Optional.empty());
    }
    if (parts.threads().isClosing()) {
      return new Try.ToldToEnd();
    }
    if (earlierRuns) {
      return new Try.Hold(HoldReason.EARLIER_RUN, "an earlier run of this message has not ended in this process");
    }
    HandlerAttempt<T, R> attempt =
        new HandlerAttempt<>(parts, work, lease, thread, lossActions, () -> parts.threads().gateAnswered(this));
    return start == null ? attempt.run() : start.run(attempt);
  }

  private FailedTries failures() {
    if (failures == null) {
      failures = new FailedTries(parts, work.policy(), this, turn);
    }
    return failures;
  }

  private Optional<Ending> hold(Try.Hold hold) {
    if (holding == null) {
      holding = new Holding(parts, this, start);
    }
    return holding.hold(hold);
  }

  private Ending committed() {
    long now = completed();
    parts.events().accept(new Committed(messageId(), receiveCount(), Duration.ofNanos(lease.age(now))));
    return new Ending.Delete(now);
  }

  private Ending suppressed(Try.AlreadyDone done) {
    DuplicateDiagnosis diagnosis = Duplicate.diagnosis(parts, lease, unanswered, done.by());
    long now = completed();
    parts.events().accept(new Suppressed(messageId(), receiveCount(), done.by(), diagnosis));
    return new Ending.Delete(now);
  }

  /** Remembers the message, and tells the lease and when that was. */
  private long completed() {
    LeaseStory story = lease.story(parts.clock());
    long now = parts.clock().now();
    parts.completed().add(
        messageId(), new Remembered(receiveCount(), Duration.ofNanos(lease.age(now)), story, now));
    lease.committed(now);
    return now;
  }

  private Optional<Ending> broke(Try.Broke broke) {
    breaks++;
    if (breaks >= MOST_BREAKS) {
      return failures().after(new Try.Failed(broke.stage(), broke.cause()));
    }
    String why = "the gate's connection broke: " + DriverWords.of(broke.cause());
    return hold(new Try.Hold(HoldReason.GATE_UNAVAILABLE, why));
  }

  /** Hears of the loss, on the thread that noticed it. */
  private void lost(LossReason reason) {
    lossActions.lost(reason);
    thread.lost(parts.clock().now());
    lines().giveUpBehind(this);
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

  /** One before it in its group did not do its part: it must not start. */
  void giveUp() {
    turn.giveUp();
  }

  /** The worker drains: a message that only waits here goes back. */
  void drain() {
    draining = true;
    thread.wake();
  }
}
