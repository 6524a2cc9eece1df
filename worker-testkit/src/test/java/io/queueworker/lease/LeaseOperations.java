package io.queueworker.lease;

import io.queueworker.LossReason;
import io.queueworker.interleaving.SharedLease;
import java.util.Optional;
import org.jetbrains.lincheck.datastructures.Operation;

/** The single steps of a {@link Lease}: each takes effect at once. */
public class LeaseOperations {

  private static final long SECOND = 1_000_000_000L;
  private static final long NOW = 16 * SECOND;
  private static final long LATE = 28 * SECOND;

  private final Lease lease = SharedLease.of("m");

  @Operation
  public boolean beat() {
    return lease.beat(NOW, 0, 0).isPresent();
  }

  @Operation
  public boolean beginDelete() {
    return lease.beginDelete();
  }

  @Operation
  public boolean beginRelease() {
    return lease.beginRelease(NOW);
  }

  @Operation
  public boolean releasing() {
    return lease.releasing(NOW, () -> {});
  }

  @Operation
  public void committed() {
    lease.committed(NOW);
  }

  @Operation
  public void settled() {
    lease.settled();
  }

  @Operation
  public Optional<LossReason> expire() {
    return lease.lapse(LATE);
  }

  @Operation
  public Optional<LossReason> close() {
    return lease.lose(LossReason.CLOSED);
  }

  @Operation
  public boolean wish() {
    return lease.extendTo(100 * SECOND, NOW);
  }

  @Operation
  public String state() {
    return lease.state().name();
  }

  @Operation
  public boolean held() {
    return lease.isHeld(NOW);
  }
}
