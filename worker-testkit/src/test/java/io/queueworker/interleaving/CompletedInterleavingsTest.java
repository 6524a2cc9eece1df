package io.queueworker.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.patched.PatchedCore;
import io.queueworker.settle.CompletedOperations;
import org.junit.jupiter.api.Test;

/** What completed lately, which commits add to and deliveries ask. */
class CompletedInterleavingsTest {

  private static final int ORDERS = 100;

  private static Interleavings of(Class<?> operations) {
    return Interleavings.of(operations)
        .scenario("add 1", "add 2, contains 1", "add 3, contains 3")
        .scenario("", "add 1, contains 2", "add 2, contains 1");
  }

  @Test
  void each_completion_is_seen_at_once_and_the_oldest_is_forgotten() {
    of(CompletedOperations.class).hold(ORDERS);
  }

  @Test
  void each_completion_is_seen_at_once_on_this_machine() {
    assertThat(of(CompletedOperations.class).stressed(200)).isEmpty();
  }

  @Test
  void control_additions_without_the_lock_are_found() throws Exception {
    PatchedCore core =
        PatchedCore.with("io.queueworker.settle.Completed", "new KeeperLock()", Unlocked.LOCK);

    assertThat(of(CompletedOperations.class).brokenOn(core, ORDERS)).contains("Invalid execution results");
  }
}
