package io.queueworker.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.lease.LeaseRegistryOperations;
import io.queueworker.patched.PatchedCore;
import org.junit.jupiter.api.Test;

/** The registry that receives, handlers, the heartbeat and answers use at once. */
class LeaseRegistryInterleavingsTest {

  private static final int ORDERS = 100;
  private static final String REGISTRY = "io.queueworker.lease.LeaseRegistry";

  private static Interleavings of(Class<?> operations) {
    return Interleavings.of(operations)
        .scenario("receive 0", "wish 0", "failedBeat 0")
        .scenario("receive 0", "remove 0, size", "wish 0, size")
        .scenario("receive 0", "receive 1, start 1", "start 0", "remove 1");
  }

  @Test
  void no_lease_is_looked_at_later_than_it_asks_for() {
    of(LeaseRegistryOperations.class).hold(ORDERS);
  }

  @Test
  void no_lease_is_looked_at_later_than_it_asks_for_on_this_machine() {
    assertThat(of(LeaseRegistryOperations.class).stressed(200)).isEmpty();
  }

  @Test
  void control_a_lease_put_back_to_a_time_that_has_changed_is_found() throws Exception {
    PatchedCore core =
        PatchedCore.with(REGISTRY, "move(lease, at) && lease.nextCheck() != at", "move(lease, at) && false");

    assertThat(of(LeaseRegistryOperations.class).brokenOn(core, ORDERS)).contains("a lease stands later than");
  }

  @Test
  void control_a_removed_lease_that_comes_back_is_found() throws Exception {
    PatchedCore core =
        PatchedCore.with(
            REGISTRY,
            "lock.lock(); try { boolean known = lease.place != Scheduled.NOWHERE;",
            "boolean known = lease.place != Scheduled.NOWHERE; lock.lock(); try {");

    assertThat(of(LeaseRegistryOperations.class).brokenOn(core, ORDERS)).contains("remove(0)",
        "Invalid execution results");
  }
}
