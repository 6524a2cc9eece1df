package io.queueworker.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.observe.HistogramOperations;
import io.queueworker.patched.PatchedCore;
import org.junit.jupiter.api.Test;

/** The histogram that runs write to while reports read it. Under stress only: its arrays have too many single accesses to order. */
class HistogramInterleavingsTest {

  private static Interleavings of(Class<?> operations) {
    return Interleavings.of(operations)
        .scenario("", "committed 0, committed 0", "committed 0, report 0")
        .scenario("committed 0", "committed 6, report 6", "committed 6, cutOff 0", "failed 6");
  }

  @Test
  void every_run_is_counted_once_also_while_its_window_is_reused() {
    assertThat(of(HistogramOperations.class).stressed(200)).isEmpty();
  }

  @Test
  void control_counting_without_the_lock_is_found() throws Exception {
    PatchedCore core =
        PatchedCore.with("io.queueworker.observe.DurationHistogram", "new KeeperLock()", Unlocked.LOCK);

    assertThat(of(HistogramOperations.class).brokenUnderStressOn(core, 2_000)).contains("Invalid execution results");
  }
}
