package io.queueworker.lease;

import io.queueworker.LossReason;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Ends leases that are lost, and tells the registry, the listeners and the run, each loss once. Thread-safe; never blocks.
 */
public final class Losses {

  private final LeaseRegistry registry;
  private final Consumer<WorkerEvent> events;

  /** Losses of the leases in {@code registry}. */
  public Losses(LeaseRegistry registry, Consumer<WorkerEvent> events) {
    this.registry = registry;
    this.events = events;
  }

  /** Ends the lease if it must end at {@code now}. */
  public void review(Lease lease, long now) {
    announce(lease, lease.lapse(now), "");
    if (lease.isIdle()) {
      registry.remove(lease);
    }
  }

  /** Ends a held lease for a reason from outside; does nothing when it is not held any more. */
  public void lose(Lease lease, LossReason reason) {
    announce(lease, lease.lose(reason), "");
  }

  void announce(Lease lease, Optional<LossReason> loss, String detail) {
    loss.ifPresent(
        reason -> {
          registry.remove(lease);
          events.accept(new LeaseLost(lease.message().id(), lease.message().receiveCount(), reason, detail));
          lease.watch().lost(reason);
        });
  }
}
