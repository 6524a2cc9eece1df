package io.queueworker.lease;

import io.queueworker.LossReason;
import io.queueworker.gate.Attempt.Renewal;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a run lets its lease know: whether an attempt is going on, since when, when it last moved on, and whom to tell about
 * a loss. Thread-safe: each field is written by the run and read by the heartbeat.
 */
public final class LeaseWatch {

  private volatile boolean running;
  private volatile boolean userCode;
  private volatile long startedAt;
  private volatile long progressedAt;
  private volatile @Nullable Consumer<LossReason> lossAction;
  private volatile @Nullable BooleanSupplier keepAlive;
  private volatile @Nullable Renewal renewedBy;

  /** An attempt begins, with user code. */
  public void started(long now) {
    startedAt = now;
    userCode(now);
  }

  /** The gate admits: the attempt's time goes on, and progress is not asked for. */
  public void atGate() {
    userCode = false;
  }

  /** User code goes on, within the time of the attempt that began last. */
  public void userCode(long now) {
    progressedAt = now;
    userCode = true;
    running = true;
  }

  /** The handler moved on. */
  public void progressed(long now) {
    progressedAt = now;
  }

  /** User code has ended, for good or until {@link #userCode}: its limits do not apply. */
  public void ended() {
    running = false;
  }

  /** Sets what runs on a loss, on the thread that notices it: it must be quick and must not throw. */
  public void onLoss(Consumer<LossReason> action) {
    lossAction = action;
  }

  /** Sets the user's condition for going on while a handler runs, null for none. It may block. */
  public void keepAliveWhile(@Nullable BooleanSupplier condition) {
    keepAlive = condition;
  }

  /** Sets how the gate's record is renewed before each beat, null for no record. It may block. */
  public void renewBy(@Nullable Renewal renewal) {
    renewedBy = renewal;
  }

  @Nullable
  Renewal renewal() {
    return renewedBy;
  }

  @Nullable
  BooleanSupplier keepAlive() {
    return keepAlive;
  }

  void lost(LossReason reason) {
    Consumer<LossReason> action = lossAction;
    if (action != null) {
      action.accept(reason);
    }
  }

  /** The rule that the running handler broke, if it broke one. */
  Optional<LossReason> over(long now, LeaseTerms terms) {
    if (!running) {
      return Optional.empty();
    }
    if (now - startedAt >= terms.maxProcessing()) {
      return Optional.of(LossReason.OVERTIME);
    }
    return userCode && now - progressedAt >= terms.stall() ? Optional.of(LossReason.STALLED) : Optional.empty();
  }

  /** When {@link #over} can first be true, or {@code otherwise} when that is earlier or nothing runs. */
  long limit(LeaseTerms terms, long otherwise) {
    if (!running) {
      return otherwise;
    }
    long overtime = startedAt + terms.maxProcessing();
    long stalled = progressedAt + terms.stall();
    long first = !userCode || overtime - stalled < 0 ? overtime : stalled;
    return first - otherwise < 0 ? first : otherwise;
  }
}
