package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.gate.Admission.Completion;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompletionTest {

  @Test
  void no_work_is_done_later_than_it_is_asked_for() {
    Completion completion =
        new Completion(
            "w", "m", 1, Instant.EPOCH, Duration.ofMillis(1), 0, Optional.of(Duration.ofNanos(-31_348)),
            LeaseStory.UNKNOWN);

    assertThat(completion.ago()).contains(Duration.ZERO);
  }
}
