package io.queueworker.handle;

import io.queueworker.Delivery;
import io.queueworker.Failure.Stage;
import io.queueworker.gate.Admission;
import io.queueworker.gate.Attempt;
import io.queueworker.gate.Attempt.Outcome;
import io.queueworker.gate.Attempt.Renewal;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.DriverWords;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.NoGate;
import io.queueworker.lease.Lease;
import io.queueworker.observe.Observed;
import io.queueworker.observe.WorkerEvent.CommitUnknown;
import io.queueworker.observe.WorkerEvent.EffectUncertain;
import io.queueworker.observe.WorkerEvent.GateWarning;
import io.queueworker.observe.WorkerEvent.HandlerReturned;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.HoldReason;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one message, in a straight line: decode, key, admit, handle, commit or roll back. Runs on the run's own
 * thread; never throws.
 */
final class HandlerAttempt<T, R> {

  private final RunParts parts;
  private final Work<T, R> work;
  private final Lease lease;
  private final RunThread thread;
  private final LossActions lossActions;
  private final Runnable gateAnswered;

  /** Whether the gate let the attempt come to its handler. */
  private boolean begun;

  /** How long the handler ran; negative when it did not. */
  private long took = -1;

  /** What the attempt comes to when nothing of it may become durable; null while it may. */
  private @Nullable Try otherwise;

  /**
   * @param gateAnswered is told that the gate could be reached
   */
  HandlerAttempt(
      RunParts parts,
      Work<T, R> work,
      Lease lease,
      RunThread thread,
      LossActions lossActions,
      Runnable gateAnswered) {
    this.parts = parts;
    this.work = work;
    this.lease = lease;
    this.thread = thread;
    this.lossActions = lossActions;
    this.gateAnswered = gateAnswered;
  }

  /** Runs it. Afterwards no interrupt is sent until {@link RunThread} goes on; the lease's watch is still set for a failure. */
  Try run() {
    long begunAt = parts.clock().now();
    thread.begin(begunAt);
    lease.watch().started(begunAt);
    parts.heartbeat().changed(lease);
    Observed observed = parts.surroundings().enter(lease.message());
    try {
      Try result = decode();
      result.tell(observed);
      return result;
    } finally {
      // Before the observation ends: whoever exports it on this thread is not interrupted.
      thread.finishing(parts.clock().now());
      observed.end();
    }
  }

  /** How long the handler ran, in nanoseconds; negative when the attempt did not come to it. */
  long handlerTook() {
    return took;
  }

  private Try decode() {
    Delivery<T> delivery;
    try {
      T body = work.decoder().decode(lease.message().body());
      if (body == null) {
        throw new NullPointerException("the decoder returned null; it must return a value or throw");
      }
      delivery = new LiveDelivery<>(body, lease, parts.clock(), parts.heartbeat(), lossActions);
    } catch (Throwable t) {
      return new Try.Failed(Stage.DECODE, t);
    }
    GateKey key;
    try {
      String text = work.key().keyOf(delivery);
      if (text == null) {
        throw new NullPointerException("the key function returned null; it must name the message's effect");
      }
      key = new GateKey(work.scope(), text);
    } catch (Throwable t) {
      return new Try.Failed(Stage.KEY, t);
    }
    thread.admitting(parts.clock().now());
    lease.watch().atGate();
    return admit(delivery, key);
  }

  private Try admit(Delivery<T> delivery, GateKey key) {
    long askedAt = parts.clock().now();
    AttemptInfo info = info(askedAt);
    Admission<R> admission;
    try {
      admission = work.gate().admit(key, info);
    } catch (Throwable t) {
      return new Try.Hold(HoldReason.GATE_UNAVAILABLE, DriverWords.of(t));
    }
    gateAnswered.run();
    return switch (admission) {
      case Admission.AlreadyDone<R> done -> new Try.AlreadyDone(done.by());
      case Admission.InProgress<R> busy -> new Try.Hold(HoldReason.IN_PROGRESS, "another attempt is under way");
      case Admission.Uncertain<R> uncertain -> {
        parts.events().accept(new EffectUncertain(delivery.id(), delivery.receiveCount(), uncertain.why()));
        yield new Try.Uncertain(uncertain.why());
      }
      case Admission.Fresh<R> fresh -> keep(delivery, fresh.attempt(), askedAt + info.leaseLeft().toNanos());
    };
  }

  /**
   * Handles while beats renew the gate's record, if it has one.
   *
   * @param until how long the record lasts at least
   */
  private Try keep(Delivery<T> delivery, Attempt<R> attempt, long until) {
    Optional<Renewal> renewal = attempt.renewal();
    if (renewal.isEmpty()) {
      return handle(delivery, attempt);
    }
    lease.watch().renewBy(renewal.get());
    try {
      return renewedSince(until, renewal.get())
          .map(
              held -> {
                attempt.rollback();
                return held;
              })
          .orElseGet(() -> handle(delivery, attempt));
    } finally {
      lease.watch().renewBy(null);
    }
  }

  /** Makes up for a beat that came while the gate admitted: the lease would outlast the record until the next one. */
  private Optional<Try> renewedSince(long until, Renewal renewal) {
    long now = parts.clock().now();
    long left = lease.remaining(now);
    try {
      return now + left - until <= 0 || renewal.renew(Duration.ofNanos(left))
          ? Optional.empty()
          : Optional.of(new Try.Hold(HoldReason.IN_PROGRESS, "another attempt took the key over"));
    } catch (Throwable t) {
      return Optional.of(new Try.Hold(HoldReason.GATE_UNAVAILABLE, DriverWords.of(t)));
    }
  }

  private AttemptInfo info(long now) {
    String id = lease.message().id();
    return new AttemptInfo(
        parts.worker(),
        id,
        lease.message().receiveCount(),
        Duration.ofNanos(lease.remaining(now)),
        warning -> parts.events().accept(new GateWarning(id, lease.message().receiveCount(), warning)),
        () -> lease.story(parts.clock()));
  }

  private Try handle(Delivery<T> delivery, Attempt<R> attempt) {
    Outcome outcome = attempt.run(effects -> mayCommit(delivery, attempt, effects));
    if (!begun) {
      return beforeHandler(outcome);
    }
    if (outcome instanceof Outcome.Undone undone && otherwise != null) {
      return undone.storeBroke() && otherwise instanceof Try.Failed failed && failed.stage() == Stage.HANDLE
          && !thread.wasTold() ? new Try.Broke(Stage.HANDLE, failed.cause()) : otherwise;
    }
    return outcome(outcome);
  }

  /** Runs the handler unless it is too late for it, and decides; a "no" leaves what the attempt then comes to. */
  private boolean mayCommit(Delivery<T> delivery, Attempt<R> attempt, R effects) {
    begun = true;
    long startedAt = parts.clock().now();
    boolean held = lease.isHeld(startedAt);
    // Asked again: a close told the runs to end while this one was not running yet.
    if (!held || thread.wasTold() || parts.threads().isClosing()) {
      otherwise = held ? new Try.ToldToEnd() : new Try.Lost();
      return false;
    }
    String id = delivery.id();
    parts.events().accept(new HandlerStarted(id, delivery.receiveCount()));
    Throwable thrown = call(delivery, effects, startedAt);
    lease.watch().ended();
    // After a standstill the handler's thread can be back before the heartbeat's: the loss is told before the commit.
    parts.threads().review(lease);
    took = parts.clock().now() - startedAt;
    if (thrown == null) {
      parts.events().accept(new HandlerReturned(id, lease.message().receiveCount(), Duration.ofNanos(took)));
    }
    Optional<Outcome> verdict = attempt.verdict();
    if (verdict.isPresent()) {
      otherwise = beforeHandler(verdict.get());
    } else if (thrown != null) {
      otherwise = new Try.Failed(Stage.HANDLE, thrown);
    } else if (!isSafe()) {
      otherwise = new Try.Lost();
    }
    return otherwise == null;
  }

  private @Nullable Throwable call(Delivery<T> delivery, R effects, long now) {
    lease.watch().userCode(now);
    work.keepAliveWhile().ifPresent(c -> lease.watch().keepAliveWhile(() -> c.test(delivery)));
    parts.heartbeat().changed(lease);
    thread.enter(now);
    try {
      work.handler().handle(delivery, effects);
      return null;
    } catch (Throwable t) {
      return t;
    } finally {
      thread.finishing(parts.clock().now());
      lease.watch().keepAliveWhile(null);
      parts.heartbeat().handlerEnded(lease);
    }
  }

  /**
   * Whether the effect may become durable now. With the lease lost, only where that is safe: with a transactional gate on a
   * queue without order, the redelivery finds the row; without a gate the effect has happened already.
   */
  private boolean isSafe() {
    boolean safeWithoutLease = work.gate() instanceof NoGate || (work.gate().transactional() && !parts.fifo());
    return safeWithoutLease || lease.isHeld(parts.clock().now());
  }

  /** What an outcome means that says nothing about the handler: that the store is away is then no failure. */
  private Try beforeHandler(Outcome outcome) {
    return outcome instanceof Outcome.Unavailable gone
        ? new Try.Hold(HoldReason.GATE_UNAVAILABLE, DriverWords.of(gone.cause()))
        : outcome(outcome);
  }

  private Try outcome(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Committed committed -> new Try.Committed();
      case Outcome.AlreadyDone done -> new Try.AlreadyDone(done.by());
      case Outcome.InProgress busy -> new Try.Hold(HoldReason.IN_PROGRESS, busy.why());
      case Outcome.RolledBack back -> new Try.Failed(Stage.COMMIT, back.cause());
      case Outcome.Unavailable gone -> new Try.Broke(Stage.COMMIT, gone.cause());
      case Outcome.Undone undone -> new Try.Failed(
          Stage.COMMIT,
          new IllegalStateException(
              "the gate undid an attempt that it was told to commit; look at the gate's implementation of Attempt"));
      case Outcome.CommitUnknown unknown -> {
        parts.events().accept(new CommitUnknown(lease.message().id(), lease.message().receiveCount(), unknown.cause()));
        yield new Try.Hold(HoldReason.COMMIT_UNKNOWN, DriverWords.of(unknown.cause()));
      }
    };
  }
}
