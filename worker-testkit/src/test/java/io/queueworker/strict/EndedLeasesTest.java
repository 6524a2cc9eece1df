package io.queueworker.strict;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.patched.PatchedCore;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A message that the worker is done with, in whatever way, is not extended any more. */
@Execution(ExecutionMode.CONCURRENT)
class EndedLeasesTest {

  @Test
  void S2_messages_that_failed_were_undecodable_or_were_released_are_not_extended_any_more() throws Exception {
    assertThat(new EndedEarly().call()).isEqualTo("1 change of visibility, 3 dead letters, 0 trespasses");
  }

  @Test
  void S2_a_worker_that_forgets_to_end_their_leases_goes_on_extending_them() throws Exception {
    PatchedCore forgetful =
        PatchedCore.with(
            "io.queueworker.handle.RunSettlement",
            "if (lease.releasing(clock.now(), () -> {})) { lease.settled(); registry.remove(lease);",
            "if (true) {");

    assertThat(forgetful.create(EndedEarly.class, Callable.class).call())
        .asString()
        .doesNotStartWith("1 change")
        .contains("1 dead letters");
  }
}
