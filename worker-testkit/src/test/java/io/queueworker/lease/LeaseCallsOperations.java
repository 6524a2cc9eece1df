package io.queueworker.lease;

import io.queueworker.LossReason;
import io.queueworker.interleaving.SharedLease;
import io.queueworker.queue.EntryResult;
import io.queueworker.queue.Receipt;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Whole calls about one {@link Lease}, as the heartbeat and the settling threads make them: with time between the start of a
 * call and its answer, in which others act. What has to hold in every order is checked at the end.
 */
public class LeaseCallsOperations {

  private static final long SECOND = 1_000_000_000L;
  private static final long NOW = 16 * SECOND;
  private static final EntryResult DONE = new EntryResult.Done(new Receipt("next"));

  private final Lease lease = SharedLease.of("m");
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger together = new AtomicInteger();
  private final AtomicInteger losses = new AtomicInteger();
  private final AtomicInteger releases = new AtomicInteger();
  private final AtomicInteger sent = new AtomicInteger();

  @Operation
  public void extend() {
    answered(DONE);
  }

  @Operation
  public void refused() {
    answered(new EntryResult.Lost("not this receipt"));
  }

  private void answered(EntryResult answer) {
    if (lease.beat(NOW, 0, 0).isPresent()) {
      callBegins();
      callEnds();
      count(lease.answered(answer, 30 * SECOND, 15 * SECOND, NOW));
    }
  }

  @Operation
  public void delete() {
    lease.committed(NOW);
    if (lease.beginDelete()) {
      callBegins();
      callEnds();
      lease.settled();
    }
  }

  /** A delete that is not answered. */
  @Operation
  public void deleteFails() {
    if (lease.beginDelete()) {
      callBegins();
      callEnds();
      lease.endCall();
    }
  }

  @Operation
  public void release() {
    if (lease.releasing(NOW, this::send)) {
      releases.incrementAndGet();
    }
  }

  private void send() {
    sent.incrementAndGet();
    if (lease.beginRelease(NOW)) {
      callBegins();
      callEnds();
      lease.settled();
    }
  }

  @Operation
  public void close() {
    count(lease.lose(LossReason.CLOSED));
  }

  @Operation
  public void expire() {
    count(lease.lapse(28 * SECOND));
  }

  private void callBegins() {
    if (underWay.incrementAndGet() > 1) {
      together.incrementAndGet();
    }
  }

  private void callEnds() {
    underWay.decrementAndGet();
  }

  private void count(Optional<LossReason> loss) {
    loss.ifPresent(reason -> losses.incrementAndGet());
  }

  /** Calls one at a time; a loss told once, and final; a release sent once when it was accepted, never when not. */
  @Validate
  public void everyRuleHeld() {
    require(together.get() == 0, "two calls about one lease were under way");
    require(losses.get() <= 1, "lost " + losses + " times");
    require((losses.get() == 1) == (lease.state() == LeaseState.LOST), losses + " losses, but " + lease.state());
    require(releases.get() == sent.get(), releases + " releases were accepted, " + sent + " sent");
  }

  private static void require(boolean held, String otherwise) {
    if (!held) {
      throw new IllegalStateException(otherwise);
    }
  }
}
