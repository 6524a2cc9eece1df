package io.queueworker.strict;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.patched.PatchedCore;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The service's cap of 12 hours on one receive, by the service's own rule, with clocks that leap hours. */
@Execution(ExecutionMode.CONCURRENT)
class HoldCapTest {

  @Test
  void S3_renewals_stay_within_the_cap_and_its_error_ends_the_heartbeat_and_is_told_once() throws Exception {
    assertThat(new AheadOfTheWorker().call())
        .isEqualTo(
            "3 extensions done within the cap, 1 refused; lost [REFUSED], told [REFUSED]; no call after that");
  }

  @Test
  void S3_a_worker_that_does_not_understand_the_error_goes_on_extending() throws Exception {
    PatchedCore deaf =
        PatchedCore.with(
            "io.queueworker.queue.sqs.SqsFailure",
            "return handle || cap ? Meaning.LOST : Meaning.UNAVAILABLE;",
            "return handle ? Meaning.LOST : Meaning.UNAVAILABLE;");

    assertThat(deaf.create(AheadOfTheWorker.class, Callable.class).call())
        .asString()
        .startsWith("3 extensions done within the cap, 3 refused; lost []");
  }

  @Test
  void S12_a_wish_for_twelve_hours_is_clamped_to_what_the_cap_leaves() throws Exception {
    assertThat(new TwelveHourWish().call()).isEqualTo("1 extensions done within the cap, 0 refused; lost []; deleted");
  }

  @Test
  void S12_without_the_clamp_the_service_refuses_the_wish() throws Exception {
    PatchedCore unclamped =
        PatchedCore.with(
            "io.queueworker.lease.LeaseTerms",
            "return Math.min(rounded, Math.min(capLeft(sinceRequest), hidden));",
            "return rounded;");

    assertThat(unclamped.create(TwelveHourWish.class, Callable.class).call())
        .isEqualTo("0 extensions done within the cap, 1 refused; lost [REFUSED]; deleted");
  }
}
