package io.queueworker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.Failure.Stage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the policies decide, failure by failure. */
class FailurePolicyTest {

  private static final FailurePolicy LATER = FailurePolicy.retryAfter(Duration.ofSeconds(3));

  private static Failure failure(Throwable cause, int attempt) {
    return new Failure(cause, Stage.HANDLE, "m1", 1, attempt, 0.5);
  }

  private static FailureAction retry(Duration delay) {
    return FailureAction.retryAfter(delay);
  }

  @Test
  void the_delay_grows_with_the_attempt_and_not_with_the_receive_count() {
    FailurePolicy policy = FailurePolicy.exponential(Duration.ofSeconds(1), Duration.ofSeconds(5));
    assertThat(policy.decide(failure(new IOException(), 1))).isEqualTo(retry(Duration.ofMillis(500)));
    assertThat(policy.decide(failure(new IOException(), 2))).isEqualTo(retry(Duration.ofSeconds(1)));
    assertThat(policy.decide(failure(new IOException(), 3))).isEqualTo(retry(Duration.ofSeconds(2)));
    assertThat(policy.decide(failure(new IOException(), 90))).isEqualTo(retry(Duration.ofMillis(2_500)));
  }

  @Test
  void rejecting_after_three_attempts_retries_twice() {
    FailurePolicy policy = LATER.rejectingAfter(3);
    assertThat(policy.decide(failure(new IOException(), 2))).isEqualTo(retry(Duration.ofSeconds(3)));
    assertThat(policy.decide(failure(new IOException(), 3))).isEqualTo(FailureAction.reject());
    assertThat(policy.decide(failure(new IOException(), 4))).isEqualTo(FailureAction.reject());
    assertThatThrownBy(() -> LATER.rejectingAfter(0)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rejectingAfter(0)");
  }

  @Test
  void an_exception_counts_in_the_whole_chain_of_causes_and_with_its_subclasses() {
    FailurePolicy policy = LATER.rejecting(IOException.class);
    assertThat(policy.decide(failure(new FileNotFoundException(), 1))).isEqualTo(FailureAction.reject());
    assertThat(policy.decide(failure(new IllegalStateException(new RuntimeException(new IOException())), 1)))
        .isEqualTo(FailureAction.reject());
    assertThat(policy.decide(failure(new IllegalStateException(), 1))).isEqualTo(retry(Duration.ofSeconds(3)));
  }

  @Test
  void of_two_that_fit_the_one_added_last_decides() {
    FailurePolicy policy =
        LATER.rejecting(IOException.class).on(FileNotFoundException.class, FailurePolicy.alwaysLeaveForRedrive());
    assertThat(policy.decide(failure(new FileNotFoundException(), 1))).isEqualTo(FailureAction.leaveForRedrive());
    assertThat(policy.decide(failure(new IOException(), 1))).isEqualTo(FailureAction.reject());
  }

  @Test
  void a_circle_of_causes_ends() {
    IllegalStateException one = new IllegalStateException();
    IllegalArgumentException other = new IllegalArgumentException(one);
    one.initCause(other);
    assertThat(failure(one, 1).causedBy(IOException.class)).isEmpty();
    assertThat(failure(one, 1).causedBy(IllegalArgumentException.class)).containsSame(other);
  }

  @Test
  void a_policy_knows_whether_it_rejects() {
    assertThat(LATER.rejects()).isFalse();
    assertThat(FailurePolicy.defaults().rejects()).isFalse();
    assertThat(LATER.on(IOException.class, FailurePolicy.alwaysLeaveForRedrive()).rejects()).isFalse();
    assertThat(LATER.rejectingAfter(2).rejects()).isTrue();
    assertThat(LATER.rejecting(IOException.class).on(Error.class, LATER).rejects()).isTrue();
    assertThat(LATER.on(IOException.class, FailurePolicy.alwaysReject()).rejects()).isTrue();
  }

  @Test
  void reasons_and_delays_are_kept_and_checked() {
    assertThat(FailureAction.reject("because")).isEqualTo(new FailureAction.Reject(Optional.of("because")));
    assertThat(new RejectException("because").reason()).isEqualTo("because");
    assertThat(new RetryLaterException(Duration.ofSeconds(2)).delay()).isEqualTo(Duration.ofSeconds(2));
    assertThatThrownBy(() -> new RetryLaterException(Duration.ofSeconds(-2)))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("PT-2S");
  }
}
