package io.queueworker.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.handle.LossActionsOperations;
import io.queueworker.patched.PatchedCore;
import org.junit.jupiter.api.Test;

/** What a handler wants done at a loss, which may come while it says so. */
class LossActionsInterleavingsTest {

  private static final int ORDERS = 100;

  private static Interleavings of(Class<?> operations) {
    return Interleavings.of(operations)
        .scenario("add 0", "add 1, add 2", "lose")
        .scenario("", "add 0", "add 1", "lose");
  }

  @Test
  void each_action_runs_once_whenever_the_lease_is_lost() {
    of(LossActionsOperations.class).hold(ORDERS);
  }

  @Test
  void each_action_runs_once_on_this_machine() {
    assertThat(of(LossActionsOperations.class).stressed(200)).isEmpty();
  }

  @Test
  void control_an_action_added_without_looking_again_is_found() throws Exception {
    PatchedCore core =
        PatchedCore.with(
            "io.queueworker.handle.LossActions",
            "if (state.compareAndSet(before, new Held(action, (Held) before))) {",
            "state.set(new Held(action, (Held) before)); if (true) {");

    assertThat(of(LossActionsOperations.class).brokenOn(core, ORDERS)).containsPattern("action \\d ran 0 times, not 1");
  }
}
