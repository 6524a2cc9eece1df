package io.queueworker.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.gate.LeaseStory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CompletedTest {

  private final Completed completed = new Completed(2);

  private static Remembered at(int receiveCount) {
    return new Remembered(receiveCount, Duration.ofSeconds(1), LeaseStory.UNKNOWN, 0);
  }

  @Test
  void a_redelivery_that_was_recognised_does_not_pass_for_the_work() {
    completed.add("m", at(1));
    completed.add("m", at(2));

    assertThat(completed.recall("m")).contains(at(1));
  }

  @Test
  void the_oldest_is_forgotten_first() {
    completed.add("a", at(1));
    completed.add("b", at(1));
    completed.add("c", at(1));

    assertThat(completed.recall("a")).isEmpty();
    assertThat(completed.recall("b")).isPresent();
    assertThat(completed.recall("c")).isPresent();
  }
}
