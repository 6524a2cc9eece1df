package io.queueworker.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.patched.PatchedCore;
import org.junit.jupiter.api.Test;

/** The batch of deletes, which handlers fill, the control pool empties and a closing worker flushes. */
class SettlerInterleavingsTest {

  private static final int ORDERS = 100;
  private static final String SETTLER = "io.queueworker.settle.Settler";

  private static Interleavings of(Class<?> operations) {
    return Interleavings.of(operations)
        .ofCallsThatWait()
        .scenario("delete 0", "flush", "work", "work")
        .scenario("delete 0", "delete 1, flush", "work", "work")
        .scenario("", "delete 0, flush", "work", "work");
  }

  @Test
  void every_delete_is_sent_once_and_the_flush_hears_of_all() {
    of(SettlerOperations.class).hold(ORDERS / 3);
  }

  @Test
  void control_a_flush_that_wakes_the_watch_too_early_is_found() throws Exception {
    PatchedCore core =
        PatchedCore.with(
            SETTLER,
            "outbox.flush(); due.signalAll();",
            "due.signalAll(); lock.unlock(); lock.lock(); outbox.flush();");

    assertThat(of(SettlerOperations.class).brokenOn(core, 5 * ORDERS)).contains("hung");
  }

  @Test
  void control_an_answer_that_does_not_wake_the_flush_is_found() throws Exception {
    PatchedCore core =
        PatchedCore.with(
            SETTLER,
            "change.run(); settled.signalAll();",
            "change.run();");

    assertThat(of(SettlerOperations.class).brokenOn(core, 5 * ORDERS)).contains("hung");
  }
}
