package io.queueworker.interleaving;

import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseTerms;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Leases of 30 s from time zero, so held until 28 s and due for a beat at 15 s. */
public final class SharedLease {

  private static final LeaseTerms TERMS =
      LeaseTerms.of(
          Duration.ofSeconds(30),
          Optional.of(Duration.ofHours(12)),
          Duration.ofHours(11),
          Duration.ofHours(1),
          Optional.empty(),
          true);

  private SharedLease() {}

  /** A lease on this message, received at time zero. */
  public static Lease of(String id) {
    ReceivedMessage message =
        new ReceivedMessage(
            id, new Receipt(id), "", Map.of(), 1, Optional.empty(), Optional.empty(), Map.of());
    return new Lease(message, () -> TERMS, TERMS.visibility(), 0, 0);
  }
}
