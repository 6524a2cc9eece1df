package io.queueworker.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.patched.PatchedCore;
import io.queueworker.receive.HurryOperations;
import io.queueworker.receive.PermitsOperations;
import io.queueworker.receive.PermitsWaitOperations;
import org.junit.jupiter.api.Test;

/** Permits that receives take while others give them back. */
class PermitsInterleavingsTest {

  private static final int ORDERS = 100;
  private static final String PERMITS = "io.queueworker.receive.Permits";

  private static Interleavings counts(Class<?> operations) {
    return Interleavings.of(operations)
        .scenario("", "take 2, used", "giveBack, free", "take 1")
        .scenario("", "giveBack", "giveBack, take 3", "close, take 1");
  }

  private static Interleavings waits(Class<?> operations) {
    return Interleavings.of(operations)
        .ofCallsThatWait()
        .scenario("", "use 2", "use 2", "use 1")
        .scenario("", "useAfterLinger 2, use 1", "use 1, useAfterLinger 2")
        .scenario("", "use 2", "use 2", "close");
  }

  private static Interleavings hurries(Class<?> operations) {
    return Interleavings.of(operations)
        .ofCallsThatWait()
        .scenario("delete", "receive", "work", "work")
        .scenario("", "delete", "receive", "work", "work");
  }

  @Test
  void permits_are_taken_and_given_back_whole() {
    counts(PermitsOperations.class).hold(ORDERS);
  }

  @Test
  void permits_are_taken_and_given_back_whole_on_this_machine() {
    assertThat(counts(PermitsOperations.class).stressed(200)).isEmpty();
  }

  @Test
  void every_receive_that_waits_is_woken_and_there_is_room_for_what_it_takes() {
    waits(PermitsWaitOperations.class).hold(ORDERS);
  }

  @Test
  void a_receive_that_is_short_of_permits_hurries_the_delete_that_has_one() {
    hurries(HurryOperations.class).hold(ORDERS / 3);
  }

  @Test
  void control_permits_given_back_without_the_lock_are_found() throws Exception {
    PatchedCore core =
        PatchedCore.with(
            PERMITS,
            "free += count; if",
            "lock.unlock(); free += count; lock.lock(); if");

    assertThat(counts(PermitsOperations.class).brokenOn(core, ORDERS)).contains("Invalid execution results");
  }

  @Test
  void control_a_signal_before_the_permits_are_there_is_found() throws Exception {
    PatchedCore core =
        PatchedCore.with(
            PERMITS,
            "free += count; if (free > 0 && (none || free >= wanted)) { changed.signalAll(); }",
            "if (free + count > 0 && (none || free + count >= wanted)) { changed.signalAll(); }"
                + " lock.unlock(); lock.lock(); free += count;");

    assertThat(waits(PermitsWaitOperations.class).brokenOn(core, ORDERS)).contains("hung");
  }

  @Test
  void control_a_receive_that_calls_for_a_hurry_before_it_counts_as_waiting_is_found() throws Exception {
    PatchedCore core =
        PatchedCore.with(
            PERMITS,
            "if (tookAll(most)) { return most; } onShort.run();",
            "onShort.run(); if (tookAll(most)) { return most; }");

    assertThat(hurries(HurryOperations.class).brokenOn(core, 5 * ORDERS)).contains("hung");
  }
}
