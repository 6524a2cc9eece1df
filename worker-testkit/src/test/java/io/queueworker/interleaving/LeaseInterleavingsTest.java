package io.queueworker.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.lease.LeaseCallsOperations;
import io.queueworker.lease.LeaseOperations;
import io.queueworker.patched.PatchedCore;
import org.junit.jupiter.api.Test;

/** A lease that the run, the heartbeat and the settling threads use at once. */
class LeaseInterleavingsTest {

  private static final int ORDERS = 100;
  private static final String LEASE = "io.queueworker.lease.Lease";

  private static Interleavings steps(Class<?> operations) {
    return Interleavings.of(operations)
        .scenario("", "beat, state", "releasing, beginRelease", "beginDelete")
        .scenario("", "close, state", "expire, state", "held, wish")
        .scenario("beat", "committed, settled", "close, state", "expire, held");
  }

  private static Interleavings calls(Class<?> operations) {
    return Interleavings.of(operations)
        .scenario("", "deleteFails", "deleteFails")
        .scenario("", "extend", "release", "deleteFails")
        .scenario("", "refused", "close", "expire")
        .scenario("", "delete", "extend", "close");
  }

  @Test
  void each_step_takes_effect_at_once() {
    steps(LeaseOperations.class).hold(ORDERS);
  }

  @Test
  void each_step_takes_effect_at_once_on_this_machine() {
    assertThat(steps(LeaseOperations.class).stressed(200)).isEmpty();
  }

  @Test
  void calls_are_made_one_at_a_time_a_loss_is_told_once_and_a_release_that_waited_is_sent_once() {
    calls(LeaseCallsOperations.class).hold(ORDERS);
  }

  @Test
  void control_a_call_slot_taken_without_the_lock_is_found() throws Exception {
    PatchedCore core = PatchedCore.with(LEASE, "return locked(slot::take);", "return slot.take();");

    assertThat(calls(LeaseCallsOperations.class).brokenOn(core, 5 * ORDERS))
        .contains("two calls about one lease were under way");
  }

  @Test
  void control_a_loss_decided_outside_the_lock_is_found() throws Exception {
    PatchedCore core =
        PatchedCore.with(
            LEASE,
            "return locked(() -> state == LeaseState.HELD ? lost(reason) : Optional.empty());",
            "return state() == LeaseState.HELD ? locked(() -> lost(reason)) : Optional.empty();");

    assertThat(calls(LeaseCallsOperations.class).brokenOn(core, ORDERS)).contains("lost 2 times");
  }

  @Test
  void control_a_lease_that_leaves_its_final_state_is_found() throws Exception {
    PatchedCore core =
        PatchedCore.with(
            LEASE,
            "state = state == LeaseState.LOST ? state : LeaseState.SETTLED;",
            "state = LeaseState.SETTLED;");

    assertThat(calls(LeaseCallsOperations.class).brokenOn(core, ORDERS)).contains("1 losses, but SETTLED");
  }

  @Test
  void control_a_release_that_an_answer_forgets_is_found() throws Exception {
    PatchedCore core =
        PatchedCore.with(
            LEASE,
            "locked(() -> take(result, visibility, sentAt, now)); runAfterCall();",
            "locked(() -> take(result, visibility, sentAt, now));");

    assertThat(calls(LeaseCallsOperations.class).brokenOn(core, ORDERS)).contains("1 releases were accepted, 0 sent");
  }
}
