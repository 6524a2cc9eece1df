package io.queueworker.lease;

import io.queueworker.interleaving.SharedLease;
import io.queueworker.queue.EntryResult;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/** What receives, handlers, the heartbeat and answers do to a {@link LeaseRegistry} of two leases. */
public class LeaseRegistryOperations {

  private static final long SECOND = 1_000_000_000L;

  private final LeaseRegistry registry = new LeaseRegistry();
  private final List<Lease> leases = List.of(SharedLease.of("m0"), SharedLease.of("m1"));

  @Operation
  public void receive(@Param(gen = IntGen.class) int lease) {
    registry.schedule(leases.get(lease));
  }

  /** A handler wants more time. */
  @Operation
  public void wish(@Param(gen = IntGen.class) int lease) {
    leases.get(lease).extendTo(100 * SECOND, SECOND);
    registry.reschedule(leases.get(lease));
  }

  /** A handler starts. */
  @Operation
  public void start(@Param(gen = IntGen.class) int lease) {
    leases.get(lease).watch().started(SECOND);
    registry.reschedule(leases.get(lease));
  }

  /** The heartbeat sends a beat, and it fails. */
  @Operation
  public void failedBeat(@Param(gen = IntGen.class) int number) {
    Lease lease = leases.get(number);
    if (lease.beat(15 * SECOND, 0, 0).isPresent()) {
      registry.reschedule(lease);
      lease.answered(new EntryResult.Retryable("throttled"), 30 * SECOND, 15 * SECOND, 16 * SECOND);
      registry.reschedule(lease);
    }
  }

  @Operation
  public void remove(@Param(gen = IntGen.class) int lease) {
    registry.remove(leases.get(lease));
  }

  @Operation
  public int size() {
    return registry.size();
  }

  /** No lease is looked at later than it asks for, or the retry of its beat would be. */
  @Validate
  public void everyLeaseStandsAtItsTime() {
    List<Lease> inOrder = registry.due(LeaseTerms.NEVER, 10);
    if (inOrder.size() != registry.size()) {
      throw new IllegalStateException(inOrder.size() + " in order, " + registry.size() + " in all");
    }
    for (Lease lease : inOrder) {
      if (!registry.due(lease.nextCheck(), 10).contains(lease)) {
        throw new IllegalStateException("a lease stands later than " + lease.nextCheck());
      }
    }
  }
}
