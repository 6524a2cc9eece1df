package io.queueworker.handle;

import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseClock;
import io.queueworker.lease.LeaseRegistry;
import io.queueworker.lease.Losses;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.LeftForRedrive;
import io.queueworker.settle.Rejects;
import io.queueworker.settle.SettleWatch;
import io.queueworker.settle.Settler;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What becomes of the message of a run that has ended, and of those that wait behind it. Thread-safe; does not block.
 *
 * <p>On a queue that keeps order the one behind starts after the commit, or after the confirmed delete when the gate's commit does
 * not hold the effect; and never after a run that ended in another way: then all behind it that came by the same receive go back,
 * once its own release is answered.
 */
final class RunSettlement {

  private final LeaseClock clock;
  private final LeaseRegistry registry;
  private final Losses losses;
  private final Settler settler;
  private final Rejects rejects;
  private final Lines lines;
  private final Consumer<WorkerEvent> events;

  RunSettlement(
      LeaseClock clock,
      LeaseRegistry registry,
      Losses losses,
      Settler settler,
      Rejects rejects,
      Lines lines,
      Consumer<WorkerEvent> events) {
    this.clock = clock;
    this.registry = registry;
    this.losses = losses;
    this.settler = settler;
    this.rejects = rejects;
    this.lines = lines;
    this.events = events;
  }

  /** Settles the message of a run that ended, and lets its line go on when it may. */
  void settle(HandlerRun<?, ?> run, Ending ending) {
    Lease lease = run.lease();
    try {
      switch (ending) {
        case Ending.Delete delete -> delete(run, delete.committedAt());
        // Beside a handler that ignores its end: the next one would start beside it, too.
        case Ending.Release release when !lines.isBesideEarlierRun(run) -> release(run, release.delay());
        case Ending.Release beside -> leave(run);
        // A second receive of it that waits behind decides for both.
        case Ending.Reject reject when !lines.isBesideEarlierRun(run) && !lines.isReceivedAgain(run) ->
            rejects.reject(
                lease, reject.why(), run.place()::giveBack, () -> leave(run), confirmed -> passOn(run, confirmed));
        case Ending.Reject beside -> leave(run);
        case Ending.Leave leave -> leave(run);
        case Ending.Lost lost -> {
          review(lease);
          passOn(run, false);
          run.place().giveBack();
        }
      }
    } catch (Throwable t) {
      passOn(run, false);
      throw t;
    }
  }

  private void leave(HandlerRun<?, ?> run) {
    leave(run.lease());
    passOn(run, false);
    run.place().giveBack();
  }

  private void delete(HandlerRun<?, ?> run, long committedAt) {
    if (run.mayBeFollowedBeforeDelete()) {
      // The next one first: it takes a permit before the delete gives this one's back.
      passOn(run, true);
      settler.delete(run.lease(), committedAt, run.place()::giveBack, SettleWatch.NONE);
    } else {
      settler.delete(run.lease(), committedAt, run.place()::giveBack, confirmed -> passOn(run, confirmed));
    }
  }

  private void release(HandlerRun<?, ?> run, Duration delay) {
    settler.release(run.lease(), delay, run.place()::giveBack, new SettleWatch() {
      @Override
      public void ended(boolean confirmed) {
        // Not before: what is released can be received again before the answer comes. And on a queue that keeps order its
        // own delay goes first: the service then keeps those behind it blocked.
        passOn(run, false);
      }

      @Override
      public boolean isCalledOff() {
        // One that waits behind has the message by a second receive: a release would act on what it holds.
        return lines.isReceivedAgain(run);
      }
    });
  }

  /** Lets the line go on behind a run that has done its part of the order, or has not. */
  private void passOn(HandlerRun<?, ?> run, boolean done) {
    if (!done) {
      // Before it leaves: the next one would else find itself first and start.
      lines.giveUpBehind(run);
    }
    lines.leave(run);
  }

  /**
   * Sends back a message that came too late to be worked on. One that an earlier run in this process still works on is left
   * instead: its next handler would start beside that one.
   */
  void giveBack(Lease lease) {
    if (lines.isWorkedOn(lease)) {
      leave(lease);
    } else {
      settler.release(lease, Duration.ZERO, () -> {}, SettleWatch.NONE);
    }
  }

  /** Ends the lease without a call. What was lost meanwhile, as in a standstill of the process, is told of as lost instead. */
  private void leave(Lease lease) {
    if (lease.releasing(clock.now(), () -> {})) {
      lease.settled();
      registry.remove(lease);
      events.accept(new LeftForRedrive(lease.message().id(), lease.message().receiveCount()));
    } else {
      review(lease);
    }
  }

  /** Ends the lease if it must end now, before the heartbeat's next look at it. */
  void review(Lease lease) {
    losses.review(lease, clock.now());
  }
}
